"""The bytes of files that people upload: in Django's default storage, under random names, in folders of few files each.

The type follows from the bytes, never from a browser's claim or a name (core/files/types.py).
"""

import hashlib
import logging
import os
import re
import secrets
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import IO, NamedTuple

from django.core.files import File
from django.core.files.storage import default_storage

from core.files.pictures import size_of
from core.files.types import PICTURES, type_of
from core.limits.turns import RETRY_AFTER, Busy
from core.outage import LINE_EVERY, Outage, Throttle, one_line

FOLDER = "attachments"
NAME = re.compile(r"[-_A-Za-z0-9]{32}")  # 192 random bits
PIECE = 64 * 1024  # bytes read at a time
outage = Outage(RETRY_AFTER)  # of a bucket: a thread that waits for it is missing elsewhere
failures = Throttle(LINE_EVERY)
log = logging.getLogger(__name__)


class TooLarge(ValueError):
    """The file is larger than `most` bytes."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most} bytes")
        self.most = most


class StorageFails(Busy):
    """The storage does not take or give a file now: the disk is full, a bucket does not answer. Nothing is half stored."""


class Stored(NamedTuple):
    """A file in the storage. `width` and `height` are in pixels, and None for other files."""

    name: str
    size: int  # bytes
    content_type: str
    sha256: str
    width: int | None = None
    height: int | None = None


def path_of(name: str, kind: str = "") -> str:
    """Return the path in the storage; `kind` names a picture made of the file, as "preview"."""
    return f"{FOLDER}/{name[:2]}/{name}" + (f".{kind}.webp" if kind else "")


def new_name() -> str:
    """Return a random name that begins with letters or digits: folders are named by its first two."""
    while True:
        name = secrets.token_urlsafe(24)
        if name[:2].isalnum():
            return name


def store(chunks: Iterable[bytes], *, most: int) -> Stored:
    """Write the bytes and return what they are. Raise TooLarge for more than `most`, and StorageFails.

    Nothing is left when it fails.
    """
    name = new_name()
    with tempfile.TemporaryFile() as draft:
        size, digest = _copied(chunks, draft, most)
        draft.seek(0)
        content_type = type_of(draft.read(PIECE))
        width, height = size_of(draft) if content_type in PICTURES else (None, None)
        _save(path_of(name), draft)
    return Stored(name, size, content_type, digest, width, height)


def _copied(chunks: Iterable[bytes], draft: IO[bytes], most: int) -> tuple[int, str]:
    size, digest = 0, hashlib.sha256()
    for chunk in chunks:
        size += len(chunk)
        if size > most:
            raise TooLarge(most)
        digest.update(chunk)
        with disk_may_fail():
            draft.write(chunk)
    return size, digest.hexdigest()


def store_picture(name: str, kind: str, content: bytes) -> None:
    """Keep a picture made of the file `name`, in the place of one that was made before."""
    path = path_of(name, kind)
    default_storage.delete(path)
    _save(path, BytesIO(content))


def _save(path: str, content: IO[bytes]) -> None:
    content.seek(0)
    try:
        with storage_may_fail():
            saved = default_storage.save(path, File(content))
            _settle(saved)
    except BaseException:
        delete_path(path)
        raise
    if saved != path:  # names are random: somebody else has put a file there
        delete_path(saved)
        raise FileExistsError(path)


@contextmanager
def storage_may_fail(*but: type[Exception]) -> Iterator[None]:
    """Raise StorageFails for whatever the storage raises `but` these: each kind of it has errors of its own.

    Raise it at once while a bucket is away, unless it is time to try it again.
    """
    if not outage.may_try():
        raise StorageFails
    try:
        yield
    except but:
        outage.end()
        raise
    except Exception as error:
        if is_unreachable(error):
            outage.begin()
        raise failure(error) from error
    outage.end()


@contextmanager
def disk_may_fail() -> Iterator[None]:
    """Raise StorageFails where this machine's disk takes no more of a draft."""
    try:
        yield
    except Exception as error:
        raise failure(error) from error


def is_unreachable(error: Exception) -> bool:
    """Tell whether a bucket did not answer. The SDK of AWS is not imported for that: few services have it."""
    kinds = {kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "botocore.exceptions"}
    return bool(kinds & {"ConnectionError", "HTTPClientError"})


def failure(error: Exception) -> StorageFails:
    """Log why, with a traceback only where the fault may be ours, and return what to raise."""
    if not isinstance(error, OSError) and not type(error).__module__.startswith(("botocore", "boto3")):
        log.exception("The storage did not take or give a file.")
    elif count := failures.count():
        times = "once" if count == 1 else f"{count} times"
        log.error("Files could not be stored or opened, %s: %s", times, one_line(error))
    return StorageFails()


def _settle(path: str) -> None:
    """Bring a file of the folder to the disk, so that after a power cut no row names one that is empty."""
    try:
        place = default_storage.path(path)
    except NotImplementedError:  # no folder
        return
    for each, how in ((place, os.O_RDWR), (os.path.dirname(place), os.O_RDONLY)):
        opened = os.open(each, how)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def open_file(name: str, kind: str = "") -> IO[bytes]:
    """Open the file, or the picture `kind` made of it. Raise FileNotFoundError when it is gone, and StorageFails."""
    return open_path(path_of(name, kind))


def open_path(path: str) -> IO[bytes]:
    """Open a file of the storage. Raise FileNotFoundError when it is gone, and StorageFails."""
    with storage_may_fail(FileNotFoundError):
        return default_storage.open(path)  # type: ignore[return-value]


def delete_file(name: str) -> None:
    """Delete the file and its previews. The sweep deletes later those that cannot be deleted now."""
    for kind in ("", "preview", "thumbnail"):
        delete_path(path_of(name, kind))


def delete_path(path: str) -> None:
    """Delete a file of the storage; what cannot be deleted now is by those who look for files without a row."""
    if not outage.may_try():
        return
    try:
        default_storage.delete(path)
    except Exception as error:  # as for `storage_may_fail`
        log.warning("A file could not be deleted: %s", error)


def pieces(file: IO[bytes], length: int | None = None) -> Iterator[bytes]:
    """Yield what follows in the file, at most `length` bytes, piece by piece."""
    left = length
    while left is None or left > 0:
        piece = file.read(PIECE if left is None else min(PIECE, left))
        if not piece:
            return
        yield piece
        left = None if left is None else left - len(piece)
