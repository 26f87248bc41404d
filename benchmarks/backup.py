"""Back up and restore 100,000 cards and a gigabyte of files, on SQLite and on PostgreSQL: time, memory at the peak, and the
size of the file.

    .venv/bin/python -m benchmarks.backup [cards] [megabytes]

The cards and files are those of benchmarks/export.py. Each command is a process of its own; its memory has all of Django in it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import servers
from benchmarks.export import embedded_database, make_data
from benchmarks.results import record


def timed(what: str, *command: str, **environment: str) -> None:
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "manage.py", *command],
        cwd=servers.ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
    )
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, what
    took, processor = time.perf_counter() - start, used.ru_utime + used.ru_stime
    print(
        f"{what}: {took:.1f} s ({processor:.1f} s of processor), {used.ru_maxrss / 1024:.0f} MB at the peak", flush=True
    )
    peak = f"{used.ru_maxrss / 1024:.0f} MB"
    record("backup", what, {"Clock": f"{took:.1f} s", "Processor": f"{processor:.1f} s", "Memory at the peak": peak})


def main(cards: int, megabytes: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="taskboard-benchmark-"))
    file, words = folder / "some.backup", folder / "words"
    words.write_text("correct horse battery")
    with embedded_database():
        make_data(cards, megabytes)
        timed("nothing, to compare with", "version")
        timed("backup of SQLite", "backup", str(file))
        print(f"{file.stat().st_size / 1e6:.0f} MB", flush=True)
        timed("the same, encrypted", "backup", str(file), "--force", "--passphrase-file", str(words))
    options = ["--passphrase-file", str(words)]
    timed("check", "restore", str(file), "--check", *options, TASKBOARD_DATA=str(folder / "check"))
    timed("restore into SQLite", "restore", str(file), *options, TASKBOARD_DATA=str(folder / "sqlite"))
    if address := os.environ.get("BENCHMARK_DATABASE_URL"):  # of an empty database
        on = {"TASKBOARD_DATA": str(folder / "postgresql"), "DATABASE_URL": address}
        timed("restore into PostgreSQL", "restore", str(file), *options, **on)
        timed("backup of PostgreSQL", "backup", str(folder / "again.backup"), **on)
    shutil.rmtree(folder)


if __name__ == "__main__":
    given = dict(enumerate(map(int, sys.argv[1:])))
    main(given.get(0, 100_000), given.get(1, 1_000))
