"""Start the production servers to measure, on a database of their own and free ports. They end with the benchmark."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

ROOT = Path(__file__).resolve().parent.parent
POSTGRESQL = os.environ.get("DATABASE_URL", "postgres://postgres@127.0.0.1/postgres")
REDIS = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/9")


@contextlib.contextmanager
def database() -> Iterator[str]:
    """Make and migrate a new PostgreSQL database beside that of DATABASE_URL, and set it for this process too."""
    name = f"taskboard_benchmark_{os.getpid()}"
    with psycopg.connect(POSTGRESQL, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    address = POSTGRESQL.rsplit("/", 1)[0] + f"/{name}"
    os.environ |= {
        "DATABASE_URL": address,
        "REDIS_URL": REDIS,
        "TASKBOARD_DATA": tempfile.mkdtemp(prefix="taskboard-benchmark-"),
        "TASKBOARD_LIMITS": "off",
        "DJANGO_SETTINGS_MODULE": "taskboard.settings",
    }
    try:
        for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, check=True)
        yield address
    finally:
        with psycopg.connect(POSTGRESQL, autocommit=True) as admin:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextlib.contextmanager
def gunicorn(workers: int = 1, threads: int = 4) -> Iterator[int]:
    """Run the http half as docs/running/growing.md describes it; yield its port."""
    with gunicorn_process(workers, threads) as (port, _pid):
        yield port


@contextlib.contextmanager
def gunicorn_process(
    workers: int = 1, threads: int = 4, *, cwd: Path = ROOT, **environment: str
) -> Iterator[tuple[int, int]]:
    """Run the http half of the checkout `cwd`; yield its port and process id."""
    options = [
        "--workers",
        str(workers),
        "--worker-class",
        "gthread",
        "--threads",
        str(threads),
        "--log-level",
        "warning",
    ]
    command = [sys.executable, "-m", "gunicorn", "taskboard.wsgi:application", *options, "--bind"]
    with started(command, cwd=cwd, **environment) as both:
        yield both


@contextlib.contextmanager
def daphne() -> Iterator[int]:
    """Run the websocket half; yield its port."""
    with started(
        [sys.executable, "-m", "daphne", "-b", "127.0.0.1", "taskboard.asgi:application", "-v", "0", "-p"]
    ) as (port, _pid):
        yield port


@contextlib.contextmanager
def embedded_process() -> Iterator[tuple[int, int]]:
    """Run what `bin/serve` starts, with the settings of the environment; yield its port and process id."""
    with started([sys.executable, "manage.py", "serve", "--port"]) as both:
        yield both


@contextlib.contextmanager
def started(command: list[str], *, cwd: Path = ROOT, **environment: str) -> Iterator[tuple[int, int]]:
    port = free_port()
    address = f"127.0.0.1:{port}" if command[-1] == "--bind" else str(port)
    process = subprocess.Popen([*command, address], cwd=cwd, env=os.environ | environment)
    try:
        wait_for(port)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(10)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port: int) -> None:
    for _attempt in range(1200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")
