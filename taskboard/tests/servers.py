"""The service as a process of its own, as `bin/serve` starts it, on a free port and with a data folder of its own."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
from django.db import connection

from taskboard.tests.needs import ROOT, asked_for
from taskboard.tests.waiting import PATIENCE, wait_until

PLAIN_HTTP: dict[str, Any] = {"timeout": PATIENCE, "trust_env": False, "verify": False}  # certificates are slow to read

_given_ports: deque[int] = deque(maxlen=500)

PASS_SOCKET = """
import os, sys
os.dup2(int(os.environ["PASSED"]), 3)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execvp(sys.argv[1], sys.argv[1:])
"""


@dataclass
class Running:
    process: "subprocess.Popen[str]"
    url: str

    def get(self, path: str, **options: object) -> httpx.Response:
        return httpx.get(self.url + path, **PLAIN_HTTP, **options)

    def stop(self, number: int) -> tuple[int, str, str]:
        """Stop the service; return its exit code and all of its standard output and standard error."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err

    def unnamed_files(self, folder: Path) -> list[int]:
        """Return where it reads or writes each open file that was made in the folder and has no name there."""
        found = []
        for link in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed since it was listed
                name = os.readlink(link)
                if name.startswith(str(folder)) and name.endswith("(deleted)"):
                    facts = Path(f"/proc/{self.process.pid}/fdinfo/{link.name}").read_text()
                    found.append(int(facts.split()[1]))  # "pos: 0"
        return found


@contextmanager
def serving(environment: dict[str, str], *arguments: str, port: int | None = None) -> Iterator[Running]:
    """Run the service. It answers when the block begins, and is killed at the end of the block if it still runs."""
    with starting(environment, *arguments, port=port) as running:
        wait_for(running)
        yield running


@contextmanager
def starting(environment: dict[str, str], *arguments: str, port: int | None = None) -> Iterator[Running]:
    port = port or free_port()
    process = start(environment, "--port", str(port), *arguments)
    try:
        yield Running(process, f"http://127.0.0.1:{port}")
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def start(environment: dict[str, str], *arguments: str) -> "subprocess.Popen[str]":
    command = [*entrance(), *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=ROOT, env=bare_environment() | environment, preexec_fn=heed_ctrl_c, **pipes)


def start_with_socket(listener: socket.socket, environment: dict[str, str]) -> "subprocess.Popen[str]":
    """Start the service as a socket unit of systemd does, which passes it the listening socket as file 3."""
    given = bare_environment() | environment | {"LISTEN_FDS": "1", "PASSED": str(listener.fileno())}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", PASS_SOCKET, *entrance()]
    return subprocess.Popen(command, cwd=ROOT, env=given, pass_fds=[listener.fileno()], **pipes)


def heed_ctrl_c() -> None:
    """Restore Ctrl-C, which a process in the background of a shell ignores, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def entrance() -> list[str]:
    """Return `bin/serve` if the tests run in the environment that it makes, as with `bin/test`; else its command."""
    return ["bin/serve"] if Path(sys.prefix) == ROOT / ".venv" else [sys.executable, "manage.py", "serve"]


def refusal(environment: dict[str, str], *arguments: str) -> tuple[int, str]:
    """Start the service, which must end by itself; return its exit code and standard error."""
    _out, err = (process := start(environment, *arguments)).communicate(timeout=PATIENCE)
    return process.returncode, err


def bare_environment() -> dict[str, str]:
    """Return the environment without the variables that the tests or their caller set for themselves."""
    ours = ("TASKBOARD_", "DJANGO_", "PYTEST_", "DATABASE_URL", "REDIS_URL")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def free_port() -> int:
    """Return a port on which nobody listens, and that no other test of this run is given before somebody does."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % workers
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        # Halved, as systems prefer every second port here.
        if port // 2 % workers == worker and port not in _given_ports:
            _given_ports.append(port)
            return port


def wait_for(running: Running) -> None:
    """Wait until the service answers. Fail with its output if it ends or does not."""
    wait_until(lambda: running.process.poll() is not None or answers(running), lambda: last_words(running))
    assert running.process.poll() is None, last_words(running)


def answers(running: Running) -> bool:
    port = int(running.url.rpartition(":")[2])
    if not is_open(port):  # asked often, for a tenth of what a request takes
        return False
    with contextlib.suppress(httpx.TransportError):
        return running.get("/healthz").status_code == 200  # not while it brings the tables up to date
    return False


def last_words(running: Running) -> str:
    running.process.kill()
    return "".join(running.process.communicate()) or "The service did not answer in time."


@contextmanager
def same_services(template: str | None = None) -> Iterator[dict[str, str]]:
    """Yield an environment with the kind of database and cache that the tests themselves run on.

    The database is new: a copy of the PostgreSQL database `template`, or empty.
    """
    asked_for("any_database")
    redis = {"REDIS_URL": os.environ["REDIS_URL"]} if os.environ.get("REDIS_URL") else {}
    if not on_postgresql():
        yield redis
        return
    name, address = create_database(template)
    try:
        yield {**redis, "DATABASE_URL": address}
    finally:
        drop_database(name)


def on_postgresql() -> bool:
    return os.environ.get("DATABASE_URL", "").startswith("postgres")


def create_database(template: str | None = None) -> tuple[str, str]:
    """Return the name and the address of the new database."""
    name = f"taskboard_test_{uuid.uuid4().hex}"
    run_beside_databases(f"CREATE DATABASE {name} TEMPLATE {template or 'template1'}")
    return name, f"{database_server()}/{name}"


def drop_database(name: str) -> None:
    run_beside_databases(f"DROP DATABASE {name} WITH (FORCE)")


def run_beside_databases(statement: str) -> None:
    with psycopg.connect(f"{database_server()}/postgres", autocommit=True) as admin:
        admin.execute(statement)


def database_server() -> str:
    return os.environ["DATABASE_URL"].rpartition("/")[0]


def address_of_the_test_database() -> str:
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    password = f":{given['PASSWORD']}" if given["PASSWORD"] else ""
    return f"postgres://{given['USER']}{password}@{given['HOST']}:{given['PORT'] or 5432}/{given['NAME']}"


def wait_for_port(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Wait until something listens on the port."""
    wait_until(lambda: process.poll() is not None or is_open(port), f"Nothing listens on port {port}.")
    assert process.poll() is None, f"Nothing listens on port {port}: the process has ended."


def is_open(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def faults(log: str) -> list[str]:
    """Return the lines of a server's log that are not the everyday ones of the security log."""
    return [line for line in log.splitlines() if " INFO security.events: " not in line]
