"""Write a backup: beside its place under another name, read back, then moved there in one step."""

import fcntl
import hashlib
import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from django.apps import apps as installed
from django.apps.registry import Apps
from django.conf import settings
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from exporter.snapshot import snapshot
from operating.backup.encryption import EncryptingWriter, require_strong
from operating.backup.files import KEYS, PIECE, is_settled, mark_of, open_stored, stored
from operating.backup.manifest import FILES, NAME, TABLES, BackupPart, Manifest
from operating.backup.manifest import KEYS as KEY_PARTS
from operating.backup.reading import check
from operating.backup.tables import tables
from operating.backup.trouble import BackupTrouble

LEVEL = 5  # of compression


def write_backup(file: Path, passphrase: str = "", *, force: bool = False, apps: Apps = installed) -> Manifest:
    """Raise BackupTrouble; then nothing is left. Only the owner of the file can read it."""
    if passphrase:
        require_strong(passphrase)
    require_free(file, force)
    try:
        with unfinished(file) as (draft, opened):
            with destination(opened, passphrase) as archive:
                made = Writer(archive, with_keys=bool(passphrase)).write(apps)
            opened.flush()
            os.fsync(opened.fileno())
            check(draft, passphrase)
            require_free(file, force)
            os.replace(draft, file)
            sync_folder(file.parent)
    except OSError as error:
        raise BackupTrouble(f"{file} could not be written: {error.strerror or error}.") from error
    return made


def require_free(file: Path, force: bool) -> None:
    if file.is_dir() or (file.exists() and not force):
        raise BackupTrouble(
            f"{file} is there already. Choose another name{', or add --force' if file.is_file() else ''}."
        )


@contextmanager
def unfinished(file: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """Yield a file beside `file`, which is removed unless it was moved. What a killed process left is used again."""
    draft = file.with_name(f".{file.name}.unfinished")
    opened = os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600), "r+b")
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_mine = os.path.samestat(os.fstat(opened.fileno()), draft.stat())
    except (BlockingIOError, FileNotFoundError):
        is_mine = False
    if not is_mine:  # also where the other one was moved to its place before this one had the lock
        opened.close()
        raise BackupTrouble(f"Another backup is just being written to {file}.")
    try:
        os.fchmod(opened.fileno(), 0o600)
        opened.truncate(0)
        yield draft, opened
    finally:
        draft.unlink(missing_ok=True)
        opened.close()


@contextmanager
def destination(opened: IO[bytes], passphrase: str) -> Iterator[zipfile.ZipFile]:
    encrypting = EncryptingWriter(opened, passphrase) if passphrase else None
    with zipfile.ZipFile(encrypting or opened, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:  # type: ignore[arg-type]
        yield archive
    if encrypting:
        encrypting.finish()


def sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Writer:
    def __init__(self, archive: zipfile.ZipFile, *, with_keys: bool) -> None:
        self.archive, self.with_keys = archive, with_keys
        self.parts: list[BackupPart] = []
        self.now = datetime.now(UTC)

    def write(self, apps: Apps) -> Manifest:
        """Files that are named by a row at the moment of the snapshot were there before it, or come after the first look.

        A file that may not be whole yet is left to the second look.
        """
        done = set(self.put_files(filter(is_settled, stored())))
        with snapshot() as alias:
            migrations = sorted(MigrationRecorder(connections[alias]).applied_migrations())
            for table in tables(apps):
                self.put(f"{TABLES}{table.name}.jsonl", table.lines(alias), columns=table.columns)
        list(self.put_files(name for name in stored() if name not in done))
        if self.with_keys:
            for name in KEYS:
                self.put(f"{KEY_PARTS}{name}", [key(name)])
        made = Manifest(
            settings.VERSION,
            connections["default"].vendor,
            self.now.isoformat(timespec="seconds"),
            mark_of(settings.SECRET_KEY),
            migrations,
            self.parts,
        )
        with self.archive.open(NAME, "w") as opened:
            opened.write(made.dumped())
        return made

    def put_files(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            try:
                opened = open_stored(name)
            except FileNotFoundError:  # deleted meanwhile
                continue
            with opened:
                self.put(f"{FILES}{name}", iter(lambda: opened.read(PIECE), b""), compressed=False)  # noqa: B023
            yield name

    def put(
        self, name: str, pieces: Iterable[bytes], columns: list[str] | None = None, compressed: bool = True
    ) -> None:
        size, number, digest = 0, 0, hashlib.sha256()
        with self.archive.open(name if compressed else stored_entry(name), "w", force_zip64=True) as opened:
            for number, piece in enumerate(pieces, 1):  # noqa: B007
                size += len(piece)
                digest.update(piece)
                opened.write(piece)
        rows = number if columns else 0
        self.parts.append(BackupPart(name, size, digest.hexdigest(), rows, columns or []))


def stored_entry(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name)  # which is not compressed: pictures are already


def key(name: str) -> bytes:
    """Return the key that the service uses, which may come from the environment."""
    return settings.SECRET_KEY.encode() if name == "secret_key" else (settings.DATA / name).read_bytes()
