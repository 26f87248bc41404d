"""Collect static files in the data folder under hashed names, again only when one of them has changed."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import CommandError, call_command

from core.http import style_sheets
from taskboard import static
from taskboard.serving.refusal import CannotStart

UNUSED = ("rest_framework",)  # static folders of packages whose pages the service does not show


def prepare_static_files() -> None:
    """Collect the static files unless they are up to date; raise CannotStart if that fails."""
    root = Path(settings.STATIC_ROOT)
    stamp = root.with_name(f"{root.name}.collected")
    state = state_of_sources()
    if root.is_dir() and stamp.is_file() and stamp.read_text() == state:
        return
    stamp.unlink(missing_ok=True)  # so that the next start repeats an interrupted collection
    try:
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=list(UNUSED))
    except (CommandError, OSError, ValueError) as error:
        raise CannotStart(f"The static files could not be collected in {root}: {error}") from error
    stamp.write_text(state)


def state_of_sources() -> str:
    """Return a hash that changes whenever a file is added, removed or written, or the code that collects them changes."""
    found = hashlib.sha256(repr((settings.STORAGES["staticfiles"], UNUSED)).encode())
    for module in (static, style_sheets):
        found.update(Path(str(module.__file__)).read_bytes())
    for finder in get_finders():
        for name, storage in finder.list(UNUSED):
            facts = Path(storage.path(name)).stat()
            found.update(f"{name} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return found.hexdigest()
