"""Static files under names that contain a hash of their content, so that browsers can cache them for ever, by WhiteNoise."""

import posixpath
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from graphlib import TopologicalSorter
from typing import Any

from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage as AnyStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from core.http.style_sheets import GROUPS, ON_PAPER, bundle, source

STYLE_COMMENT = re.compile(rb"/\*.*?\*/\n?", re.DOTALL)
STYLE_SPACE = re.compile(rb'("[^"\n]*")|\s*([{};,])\s*|(:)\s+|\s+')
# The first group is code before a comment in the same line: it ends outside of strings, or the comment stays.
SCRIPT_COMMENT = re.compile(
    rb"""^((?:[^"'`/\n]|"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|/(?!/))*?)[ \t]*(?<![^ \t\n])//.*$""", re.MULTILINE
)
IMPORTED = re.compile(rb"""["'](\.{1,2}/[^"'\n]+\.js)["']""")
INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)


class Storage(CompressedManifestStaticFilesStorage):
    """Also rewrites `import` between our own ES modules, and makes one file of each group of style sheets.

    A name without a file stays as it is instead of raising.
    """

    support_js_module_import_aggregation = True
    manifest_strict = False

    def post_process(
        self, paths: dict[str, tuple[AnyStorage, str]], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """Make the groups from the collected files, so that they are hashed and compressed like every other file."""
        for group in () if dry_run else GROUPS:
            if all(source(name) in paths for name in GROUPS[group]):
                self.delete(bundle(group))
                paths[bundle(group)] = (self, self.save(bundle(group), ContentFile(together(group, paths))))
        yield from super().post_process(imported_first(paths), dry_run, **options)

    def get_modified_time(self, name: str) -> datetime:
        """Return always 1970, so that collectstatic never skips a changed file because of its date."""
        return datetime.fromtimestamp(0, UTC)

    def _save(self, name: str, content: File[bytes]) -> str:
        """Leave out what only readers of our own scripts need."""
        if name.startswith("js/") and name.endswith(".js"):
            content = ContentFile(short_script(b"".join(content.chunks())))
        return str(super()._save(name, content))  # type: ignore[misc]


def imported_first(paths: dict[str, tuple[AnyStorage, str]]) -> dict[str, tuple[AnyStorage, str]]:
    """Return the files so that scripts come after those that they import, whose names they will have.

    In any other order it takes a pass over all files for each script that imports another one in a row.
    """
    imports: dict[str, list[str]] = {}
    for name, (storage, path) in paths.items():
        if name.endswith(".js"):
            with storage.open(path) as file:
                found = [one.decode() for one in IMPORTED.findall(file.read())]
            imports[name] = [posixpath.normpath(posixpath.join(posixpath.dirname(name), one)) for one in found]
    return {name: paths[name] for name in TopologicalSorter(imports).static_order() if name in paths} | paths


def together(group: str, paths: dict[str, tuple[AnyStorage, str]]) -> bytes:
    """Return the style sheets of a group in their order, without comments and space."""
    found = []
    for name in GROUPS[group]:
        storage, path = paths[source(name)]
        with storage.open(path) as file:
            text = STYLE_COMMENT.sub(b"", file.read())
        found.append(b"@media print {\n%b}\n" % text if name in ON_PAPER else text)
    return short_style(b"".join(found))


def short_style(text: bytes) -> bytes:
    """Return a style sheet without the space that separates nothing."""
    return STYLE_SPACE.sub(lambda found: b"".join(part or b"" for part in found.groups()) or b" ", text)


def short_script(text: bytes) -> bytes:
    """Return a script without comments and indentation. Its lines stay, so that a browser's errors name the right ones."""
    return INDENTATION.sub(b"", SCRIPT_COMMENT.sub(rb"\1", text))
