"""Read an untrusted backup: everything is checked before it is used, and memory stays bounded."""

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from operating.backup.encryption import DecryptingReader, is_encrypted
from operating.backup.manifest import LARGEST, NAME, TABLES, BackupPart, Manifest
from operating.backup.trouble import BackupTrouble

PIECE = 1024 * 1024  # bytes
LONGEST_LINE = 64 * 1024 * 1024  # bytes of a row
EXPANSION = 400  # times that a file may be larger than what it was packed into; ours are not compressed
UNSUSPECTED = 64 * 1024 * 1024  # bytes that a file may have whatever it was packed into

END = struct.Struct("<4s4H2LH")  # the end of an archive: its mark first, the length of a comment last
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, RuntimeError, IndexError, OverflowError, OSError,
)  # fmt: skip


class Backup:
    """An open backup whose manifest was read."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.manifest = Manifest.parsed(self._read_manifest())
        self._require_no_others()

    def lines(self, part: BackupPart) -> Iterator[bytes]:
        """Yield the rows of a table. Raise BackupTrouble at the end if they are not what the manifest says."""
        with self._opened(part) as opened:
            number = 0
            with io.BufferedReader(opened, PIECE) as lines:
                while line := lines.readline(LONGEST_LINE + 1):
                    if len(line) > LONGEST_LINE:
                        raise BackupTrouble(f"A row in {part.name} of the backup is too long.")
                    number += 1
                    yield line
            opened.require_end()
            if number != part.rows:
                raise BackupTrouble(f"{part.name} of the backup has {number} rows, its manifest says {part.rows}.")

    def pieces(self, part: BackupPart) -> Iterator[bytes]:
        with self._opened(part) as opened:
            while piece := opened.read(PIECE):
                yield piece
            opened.require_end()

    @contextmanager
    def _opened(self, part: BackupPart) -> "Iterator[Checked]":
        with damage_in_words(part.name), self._archive.open(part.name) as packed:
            yield Checked(packed, part)

    def _read_manifest(self) -> bytes:
        try:
            if self._archive.getinfo(NAME).compress_type not in PACKED:
                raise BackupTrouble("The manifest of the backup is packed in an unknown way.")
            with self._archive.open(NAME) as opened:
                text = opened.read(LARGEST + 1)
        except KeyError:
            raise BackupTrouble("This file is not a backup of Taskboard: it has no manifest.") from None
        if len(text) > LARGEST:
            raise BackupTrouble("The manifest of the backup is too large.")
        return text

    def _require_no_others(self) -> None:
        """Require that the parts are those of the manifest, once each, and packed as we pack them."""
        entries = [entry for entry in self._archive.infolist() if entry.filename != NAME]
        names = [entry.filename for entry in entries]
        sizes = {part.name: part.size for part in self.manifest.parts}
        if len(self._archive.infolist()) != len(names) + 1 or sorted(names) != sorted(
            p.name for p in self.manifest.parts
        ):
            raise BackupTrouble("The parts of the backup differ from those that its manifest lists.")
        for entry in entries:
            if entry.compress_type not in PACKED or entry.flag_bits & 1 or entry.file_size != sizes[entry.filename]:
                raise BackupTrouble(f"{entry.filename} of the backup differs from its manifest.")
            # Texts that people write may pack as well as a bomb: 1,000 times, which is the most that deflate can.
            most = max(UNSUSPECTED, entry.compress_size * EXPANSION)
            if entry.file_size > most and not entry.filename.startswith(TABLES):
                raise BackupTrouble(f"{entry.filename} of the backup would grow too much when it is unpacked.")


class Checked(io.RawIOBase):
    """A part, read no further than its size says, and compared with its digest."""

    def __init__(self, packed: IO[bytes], part: BackupPart) -> None:
        super().__init__()
        self._packed, self._part, self._read, self._digest = packed, part, 0, hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        piece = self._packed.read(min(len(buffer), self._part.size - self._read))
        self._read += len(piece)
        self._digest.update(piece)
        buffer[: len(piece)] = piece
        return len(piece)

    def require_end(self) -> None:
        if self._packed.read(1) or self._read != self._part.size or self._digest.hexdigest() != self._part.sha256:
            raise BackupTrouble(f"{self._part.name} of the backup was changed or cut short.")


@contextmanager
def open_backup(file: Path, passphrase: str = "") -> Iterator[Backup]:
    try:
        opened = file.open("rb")
    except OSError as error:
        raise BackupTrouble(f"{file} cannot be read: {error.strerror}.") from None
    with opened, archive_in(opened, passphrase) as archive:
        with damage_in_words("The manifest"):
            backup = Backup(archive)
        yield backup


def archive_in(opened: IO[bytes], passphrase: str) -> zipfile.ZipFile:
    plain: IO[bytes] = opened
    if is_encrypted(opened):
        if not passphrase:
            raise BackupTrouble("The backup is encrypted: give its passphrase, with --passphrase-file or --ask.")
        plain = io.BufferedReader(DecryptingReader(opened, passphrase), PIECE)
    try:
        archive = zipfile.ZipFile(plain)
        plain.seek(-END.size, io.SEEK_END)
        mark, *_numbers, comment = END.unpack(plain.read(END.size))
    except DAMAGE:
        raise BackupTrouble("The file is not a backup of Taskboard, or it is cut short.") from None
    if mark != b"PK\x05\x06" or comment or min((entry.header_offset for entry in archive.infolist()), default=0):
        raise BackupTrouble("The file has bytes before or after the backup: it was changed. Copy the backup once more.")
    return archive


@contextmanager
def damage_in_words(name: str) -> Iterator[None]:
    try:
        yield
    except DAMAGE as error:
        raise BackupTrouble(f"{name} of the backup is damaged: {error}.") from error


def check(file: Path, passphrase: str = "") -> Manifest:
    """Read everything, and return the manifest. Raise BackupTrouble if anything is not as it says."""
    with open_backup(file, passphrase) as backup:
        for part in backup.manifest.parts:
            for _piece in backup.lines(part) if part.name.startswith(TABLES) else backup.pieces(part):
                pass
        return backup.manifest
