"""Zip files that nobody trusts: their entries are read one by one, never unpacked, and not beyond their caps.

An entry's name is only a key: nothing is ever written under it, so `../` in it does nothing.
"""

import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from django.utils.translation import gettext as _

from importer.formats.source import Unreadable

ENTRIES = 50_000
TAIL = 66_000  # bytes in which the end of a zip lies, with the longest comment
DIRECTORY = 10_000_000  # bytes of the zip's table of contents; 50,000 entries with long names have 6,000,000
UNPACKED = 20_000_000_000  # bytes of all entries together
RATIO = 200  # an entry that is more times as large as its packed form is a bomb; text is about 10, JSON at most 50
SMALL = 10_000_000  # bytes below which the ratio says nothing
# What zipfile raises for broken files; an offset before the beginning is an OSError
DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, EOFError, RuntimeError, ValueError, OverflowError, OSError,
)  # fmt: skip
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # LZMA takes as much memory as the file asks for


class Zip:
    """An open zip. `names` are its files, without folders, links and encrypted entries."""

    def __init__(self, opened: zipfile.ZipFile) -> None:
        self._opened = opened
        self._entries = {entry.filename: entry for entry in opened.infolist() if _is_file(entry)}
        self.names = list(self._entries)

    def size(self, name: str) -> int:
        return self._entries[name].file_size

    @contextmanager
    def open(self, name: str, most: int) -> Iterator[IO[bytes]]:
        """Open an entry for reading. Raises Unreadable where it is damaged, is none or holds more than `most` bytes."""
        entry = self._entries.get(name)
        if entry is None:
            raise Unreadable(_("The zip has no file %(name)s.") % {"name": name})
        if entry.file_size > most:
            raise Unreadable(_("The file %(name)s in the zip is too large.") % {"name": name})
        with damaged(name), self._opened.open(entry) as file, BufferedReader(_Bounded(file, name, most)) as bounded:
            yield bounded  # type: ignore[misc]


class _Bounded(RawIOBase):
    """Reads at most `most` bytes, whatever the entry says about itself."""

    def __init__(self, file: IO[bytes], name: str, most: int) -> None:
        self._file, self._name, self._left = file, name, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with damaged(self._name):
            found = self._file.read(len(buffer))
        self._left -= len(found)
        if self._left < 0:
            raise Unreadable(_("The file %(name)s in the zip is too large.") % {"name": self._name})
        buffer[: len(found)] = found
        return len(found)


@contextmanager
def open_zip(path: Path) -> Iterator[Zip]:
    """Open a zip that keeps its caps. Raises Unreadable."""
    with damaged(""):
        if _directory_size(path) > DIRECTORY:
            raise Unreadable(_("The zip has too many files."))
        with zipfile.ZipFile(path) as opened:
            _require_sound(opened.infolist())
            yield Zip(opened)


def _directory_size(path: Path) -> int:
    """Return how many bytes the table of contents has by what the end of the file says, because zipfile reads it as a whole."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL))
        tail = file.read()
    sizes = [
        *_values(tail, b"PK\x05\x06", "<12xL"),
        *_values(tail, b"PK\x06\x06", "<40xQ"),
    ]  # the second is that of zip64
    return max((found for found in sizes if found != 0xFFFFFFFF), default=0)


def _values(tail: bytes, mark: bytes, form: str) -> Iterator[int]:
    for found in re.finditer(re.escape(mark), tail):
        if found.start() + struct.calcsize(form) <= len(tail):
            yield struct.unpack_from(form, tail, found.start())[0]


def _require_sound(entries: list[zipfile.ZipInfo]) -> None:
    """Hold the caps against what the table of contents says; reading holds them against what comes."""
    if any(entry.compress_type not in PACKED for entry in entries):
        raise Unreadable(
            _("This zip uses a compression that is not supported. Zip it again with the usual one (Deflate).")
        )
    too_many = len(entries) > ENTRIES or sum(entry.file_size for entry in entries) > UNPACKED
    if too_many or any(_is_bomb(entry) for entry in entries):
        raise Unreadable(_("This zip unpacks to far more than its size, so it can't be an export."))
    starts = sorted((entry.header_offset, entry.compress_size) for entry in entries)
    if any(begin + size > following for (begin, size), (following, _size) in pairwise(starts)):
        raise Unreadable(_("Entries in this zip overlap, so it can't be an export."))


def _is_bomb(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > SMALL and entry.file_size > RATIO * max(1, entry.compress_size)


def _is_file(entry: zipfile.ZipInfo) -> bool:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    return bool(entry.filename) and not entry.is_dir() and kind in (0, stat.S_IFREG) and not entry.flag_bits & 0x1


@contextmanager
def damaged(name: str) -> Iterator[None]:
    try:
        yield
    except Unreadable:
        raise
    except DAMAGE as error:
        where = _("The file %(name)s in the zip is damaged.") % {"name": name} if name else _("The zip is damaged.")
        raise Unreadable(where) from error
