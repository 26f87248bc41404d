"""Message catalogues: extract the texts of the sources to locale/*/LC_MESSAGES/django.po and compile those.

`--check` changes nothing. It fails when a text of the sources is not in a catalogue, a catalogue has a text that is no
longer used, a text has no translation or an uncertain one, or a compiled catalogue differs from its source.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("de", "fr", "es", "pt_BR", "ja", "zh_Hans")  # the sources themselves are in English
NOT_SOURCES = (".venv", "data", "node_modules", "static", "docs", "benchmarks", "tests", "conftest.py")
NOT_COPIED = (*NOT_SOURCES[:3], ".git", ".*_cache", "__pycache__")
MOST_TOLD = 40

Key = tuple[str | None, str, str]


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        return complain(["Usage: bin/messages [--check]"])
    if shutil.which("msgmerge") is None:
        return complain(["GNU gettext is not installed. On Debian and Ubuntu: apt install gettext."])
    if arguments:
        return complain(problems())
    extract(ROOT)
    manage(ROOT, "compilemessages", *ignoring(NOT_SOURCES), *each_language())
    return complain(problem for language in LANGUAGES for problem in incomplete(language))


def problems() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "taskboard")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
        extract(copy)
        for language in LANGUAGES:
            yield from outdated(language, copy)
            yield from incomplete(language)
            yield from wrongly_compiled(language)


def extract(root: Path) -> None:
    manage(root, "makemessages", "--no-location", "--no-obsolete", *ignoring(NOT_SOURCES), *each_language())


def manage(root: Path, *command: str) -> None:
    subprocess.run([sys.executable, "manage.py", *command, "--verbosity", "0"], cwd=root, check=True)


def each_language() -> list[str]:
    return [argument for language in LANGUAGES for argument in ("--locale", language)]


def ignoring(patterns: tuple[str, ...]) -> list[str]:
    return [argument for pattern in patterns for argument in ("--ignore", pattern)]


def catalogue(language: str, root: Path = ROOT) -> polib.POFile:
    path = source_path(language, root)
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def source_path(language: str, root: Path = ROOT) -> Path:
    return root / "locale" / language / "LC_MESSAGES" / "django.po"


def outdated(language: str, fresh_copy: Path) -> Iterator[str]:
    kept, fresh = (by_key(catalogue(language, root)) for root in (ROOT, fresh_copy))
    for key in fresh.keys() - kept.keys():
        yield f"{language}: {key[1]!r} is not in the catalogue. Run bin/messages, then translate it."
    for key in kept.keys() - fresh.keys():
        yield f"{language}: {key[1]!r} is no longer used. Run bin/messages."
    for key in fresh.keys() & kept.keys():
        if notes(fresh[key]) != notes(kept[key]):
            yield f"{language}: the notes on {key[1]!r} are out of date. Run bin/messages."


def by_key(entries: polib.POFile) -> dict[Key, polib.POEntry]:
    return {(entry.msgctxt, entry.msgid, entry.msgid_plural): entry for entry in entries}


def notes(entry: polib.POEntry) -> tuple[str, list[str]]:
    return entry.comment, sorted(set(entry.flags) - {"fuzzy"})


def incomplete(language: str) -> Iterator[str]:
    entries = catalogue(language)
    for entry in entries.untranslated_entries():
        yield f"{language}: {entry.msgid!r} has no translation."
    for entry in entries.fuzzy_entries():
        yield f"{language}: the translation of {entry.msgid!r} is marked as uncertain (fuzzy)."


def wrongly_compiled(language: str) -> Iterator[str]:
    path = source_path(language)
    checked = subprocess.run(["msgfmt", "--check-format", "-o", "-", path], capture_output=True)
    if checked.returncode != 0:
        yield f"{language}: {checked.stderr.decode().strip()}"
    compiled = polib.mofile(str(path.with_suffix(".mo"))) if path.with_suffix(".mo").exists() else polib.MOFile()
    if translations(compiled) != translations(catalogue(language).translated_entries()):
        yield f"{language}: the compiled catalogue is not that of its source. Run bin/messages and commit both."


def translations(entries: list[polib.POEntry]) -> dict[Key, object]:
    return {
        (entry.msgctxt, entry.msgid, entry.msgid_plural): entry.msgstr_plural or entry.msgstr
        for entry in entries
        if entry.msgid
    }


def complain(sentences: "Iterator[str] | list[str]") -> int:
    told = list(sentences)
    rest = [f"... and {len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
    sys.stderr.writelines(f"{sentence}\n" for sentence in told[:MOST_TOLD] + rest)
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
