"""The folder in which the processes of this machine keep what they count.

Each process holds a lock on a file of its own there, which ends with it however it ends, so that no process number has to be
believed: parts in containers of their own share the folder, and each is number 1. A process that finds nobody else there
empties the folder. What a dead process counted is added to what other dead ones did, and its gauges are dropped.

A file takes its name once it has all its blocks, and only such a file is mapped. The account of a process need not be able to
write the files of others, such as a command that ran as root.
"""

import fcntl
import logging
import os
import secrets
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from prometheus_client.mmap_dict import MmapedDict

from core.outage import one_line

# Bytes of the files of a process. They are taken from the disk at once: a full one would kill whoever writes to a mapped file
# without blocks.
ROOM = {"counter": 1 << 21, "histogram": 1 << 21, "gauge_livesum": 1 << 16}
PAST = "past"
PATIENCE = 2.0  # seconds; others hold the guard for milliseconds

log = logging.getLogger(__name__)


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._process = 0  # that has joined: a fork has not
        self._name = ""
        self._held: IO[str] | None = None

    def identity(self) -> str:
        """Return the name of this process in the folder, which it joins first if it has not. Raise OSError."""
        if self._process != os.getpid():
            self._join()
        return self._name

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Keep other processes from joining, reading and tidying. The folder itself is the lock, whoever made it."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        guard = os.open(self.path, os.O_RDONLY)
        try:
            deadline = time.monotonic() + PATIENCE
            while not _locked(guard):
                if time.monotonic() > deadline:
                    raise TimeoutError(f"{self.path} is held by another process")
                time.sleep(0.01)
            yield
        finally:
            os.close(guard)

    def tidy(self) -> None:
        """Add up what dead processes counted, or drop it where no process is alive. Call this under the guard.

        Drop what a full disk or a kill left unfinished, too: files of no process and files that are too short.
        """
        names = {path.stem for path in self.path.glob("*.alive")}
        dead = {name for name in names if self._is_dead(name)}
        kept = {*names, PAST} if names - dead else set()
        for path in self.path.glob("*.db"):
            kind, _, name = path.stem.rpartition("_")
            if name not in kept or path.stat().st_size < ROOM.get(kind, 1):
                path.unlink()
        for path in self.path.glob("*.new"):
            path.unlink()
        for name in dead:
            try:
                self._bury(name)
            except OSError as error:
                log.warning("the counts of the dead process %s cannot be added up now: %s", name, one_line(error))

    def leave(self) -> None:
        """Be dead for the others. A fork leaves in the name of nobody: its parent still holds the lock."""
        if self._held is not None:
            self._held.close()
        self._process, self._name, self._held = 0, "", None

    def _join(self) -> None:
        self.leave()
        name = f"{os.getpid()}-{secrets.token_hex(4)}"
        with self.guarded():
            self.tidy()
            try:
                for kind, size in ROOM.items():
                    with _made(self.path / f"{kind}_{name}.db", size):
                        pass
                held = (self.path / f"{name}.alive").open("w")
            except OSError:
                for path in self.path.glob(f"*_{name}.db"):
                    path.unlink()
                raise
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._process, self._name, self._held = os.getpid(), name, held

    def _is_dead(self, name: str) -> bool:
        try:
            with (self.path / f"{name}.alive").open() as file:
                return _locked(file)
        except PermissionError:
            return True  # another account keeps its files to itself: nothing of them can be told

    def _bury(self, name: str) -> None:
        """Drop the files of a dead process one by one, each once its counts are added. Raise OSError where a disk is full."""
        for path in self.path.glob(f"gauge_*_{name}.db"):
            path.unlink()
        for kind in ("counter", "histogram"):
            if (file := self.path / f"{kind}_{name}.db").exists():
                _add(file, self.path / f"{kind}_{PAST}.db", ROOM[kind])
                file.unlink()
        (self.path / f"{name}.alive").unlink()


def _locked(file: IO[str] | int) -> bool:
    """Take the lock of an open file unless somebody has it. Return whether it is taken now."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _made(path: Path, size: int) -> Iterator[Path]:
    """Give a new file of zeros with all its blocks, which is named `path` at the end; leave none after an error."""
    new = path.with_suffix(".new")
    try:
        with new.open("wb") as file:
            _fill(file, size)
        yield new
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _fill(file: IO[bytes], size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
    else:  # macOS
        file.write(bytes(size))


def _add(file: Path, to: Path, size: int) -> None:
    """Write the sums of both to a new file, as the account of this process may be unable to write the one that is there."""
    sums: defaultdict[str, float] = defaultdict(float)
    for key, value in (*_values_in(to), *_values_in(file)):
        sums[key] += value
    with _made(to, size) as new:
        past = MmapedDict(str(new))
        for key, value in sums.items():
            past.write_value(key, value, 0)
        past.close()


def _values_in(file: Path) -> list[tuple[str, float]]:
    """Return what a file holds: nothing, with a line in the log, where it cannot be read."""
    if not file.exists():
        return []
    try:
        return [(key, value) for key, value, *_rest in MmapedDict.read_all_values_from_file(str(file))]
    except Exception as error:  # damaged bytes make the reader raise whatever its code happens to
        log.warning("the counts in %s are lost, as it cannot be read: %s", file.name, one_line(error))
        return []
