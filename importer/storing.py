"""Uploads to import: in the default storage under random names, deleted with the end of the import or after a day."""

import contextlib
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO

from django.core.files import File
from django.core.files.storage import default_storage

from core.files.storage import delete_path, storage_may_fail
from importer.models import Import

FOLDER = "imports"
UNUSED_FOR = timedelta(hours=1)  # a file without a row may be one whose transaction has not ended yet


def keep(file: IO[bytes]) -> str:
    """Keep the bytes and return their name in the storage. Nothing is left when that fails.

    Raise OSError, as on a full disk, and StorageFails, as where a bucket does not answer.
    """
    name = f"{FOLDER}/{secrets.token_urlsafe(24)}"
    try:
        with storage_may_fail(OSError):
            return default_storage.save(name, File(file))
    except BaseException:
        forget(name)
        raise


def forget(name: str) -> None:
    """Delete the file; what cannot be deleted now is by `delete_unused`."""
    if name:
        delete_path(name)


@contextlib.contextmanager
def local(row: Import) -> Iterator[Path]:
    """Yield a path on this machine where the upload lies. Raise FileNotFoundError and StorageFails."""
    try:
        path = Path(default_storage.path(row.file))
    except NotImplementedError:
        with tempfile.NamedTemporaryFile(prefix="import-") as copy:
            with storage_may_fail(FileNotFoundError), default_storage.open(row.file) as stored:
                shutil.copyfileobj(stored, copy)
            copy.flush()
            yield Path(copy.name)
    else:
        if not path.exists():
            raise FileNotFoundError(row.file)
        yield path


def delete_unused(now: datetime) -> int:
    """Delete files that no import has, as after a crash between file and commit. Return how many."""
    try:
        _folders, names = default_storage.listdir(FOLDER)
    except FileNotFoundError:
        return 0
    used = set(Import.objects.exclude(file="").values_list("file", flat=True))
    deleted = 0
    for name in (f"{FOLDER}/{one}" for one in names):
        if name not in used and default_storage.get_modified_time(name) < now - UNUSED_FOR:
            forget(name)
            deleted += 1
    return deleted
