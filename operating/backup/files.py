"""The parts of a backup beside the database: the stored files, and the keys."""

import hashlib
import hmac
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage

from core.outage import one_line
from operating.backup.trouble import BackupTrouble

KEYS = ("secret_key",)  # files of the data folder; they are in encrypted backups only
EXPORTS = "exports"  # kept for a day, and made again in less; their table is left out too (tables.py)
PIECE = 1024 * 1024  # bytes read at a time
OURS = re.compile(r"[-_.A-Za-z0-9]+(/[-_.A-Za-z0-9]+)*")  # names of stored files; a backup cannot hold all others
SETTLED = 60  # seconds without a write, after which a file is whole
UNFINISHED = ".restoring"  # the folder in which a restore unpacks files
LEFT_OUT = {  # names in the data folder, and why
    "taskboard.sqlite3": "its rows are saved, table by table",
    "taskboard.sqlite3-wal": "belongs to the database",
    "taskboard.sqlite3-shm": "belongs to the database",
    "static": "collected anew from the code",
    "static.collected": "notes what was collected",
    "serve.lock": "belongs to a running process",
    "backups": "copies of before",
}


def stored() -> Iterator[str]:
    """Yield the names of the files that people uploaded, with slashes, in order."""
    if settings.S3_BUCKET:
        with bucket():
            yield from filter(OURS.fullmatch, _in_bucket(""))
    else:
        yield from filter(OURS.fullmatch, _in_folder())


def _in_folder() -> Iterator[str]:
    for place, folders, files in os.walk(settings.FILES):
        folders[:] = sorted(name for name in folders if name not in (UNFINISHED, EXPORTS))
        for name in sorted(files):
            if (path := Path(place, name)).is_file() and not path.is_symlink():
                yield path.relative_to(settings.FILES).as_posix()


def _in_bucket(folder: str) -> Iterator[str]:
    folders, files = default_storage.listdir(folder)
    yield from (folder + name for name in sorted(files))
    for name in sorted(folders):
        if name != EXPORTS:
            yield from _in_bucket(f"{folder}{name}/")


def is_settled(name: str) -> bool:
    """Tell whether a stored file is whole: the folder also shows one that is being written, a bucket does not."""
    if settings.S3_BUCKET:
        return True
    with suppress(FileNotFoundError):
        return time.time() - Path(settings.FILES, name).stat().st_mtime > SETTLED
    return False


def open_stored(name: str) -> IO[bytes]:
    """Open a stored file. Raise FileNotFoundError when it is gone."""
    if not settings.S3_BUCKET:
        return Path(settings.FILES, name).open("rb")
    with bucket():
        opened: Any = default_storage.open(name)
        _fetched = opened.file  # now: otherwise only reading would show that the bucket is away
    return opened


def digest_of(name: str) -> str:
    """Return the SHA-256 of a stored file, in hexadecimal digits."""
    digest = hashlib.sha256()
    with open_stored(name) as opened:
        while piece := opened.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def put_stored(draft: Path, name: str) -> None:
    """Move a file to where stored files are, in the place of one that is there."""
    if settings.S3_BUCKET:
        with bucket(), draft.open("rb") as opened:
            default_storage.delete(name)
            default_storage.save(name, File(opened))
        return
    place = settings.FILES / name
    place.parent.mkdir(parents=True, exist_ok=True)
    os.replace(draft, place)


@contextmanager
def bucket() -> Iterator[None]:
    """Raise BackupTrouble for whatever the storage raises, but for a file that is gone."""
    try:
        yield
    except FileNotFoundError:
        raise
    except Exception as error:  # the packages of buckets have errors of their own
        raise BackupTrouble(f"The bucket {settings.S3_BUCKET} failed a request: {one_line(error)}") from error


def where_stored() -> str:
    return f"the bucket {settings.S3_BUCKET}" if settings.S3_BUCKET else str(settings.FILES)


def mark_of(key: str) -> str:
    """Return what tells whether two services have the same secret key, and nothing of the key."""
    return hmac.digest(key.encode(), b"taskboard backup", hashlib.sha256).hex()[:16]
