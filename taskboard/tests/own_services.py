"""A PostgreSQL and a Redis that belong to one test or benchmark, which may freeze, kill and restart them."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from redis import Redis, RedisError

from taskboard.tests.needs import asked_for, program
from taskboard.tests.servers import PATIENCE, free_port
from taskboard.tests.waiting import wait_until


class Own:
    """A service in a folder and on a port of its own."""

    command: list[str]
    process: "subprocess.Popen[bytes] | None" = None

    def __init__(self, folder: Path, address: str, **options: Any) -> None:
        self.folder, self.address, self.options, self.port = folder, address, options, free_port()

    def answers(self) -> bool:
        raise NotImplementedError

    def start(self) -> None:
        asked_for("own_services")
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, stdout=log, stderr=log, start_new_session=True, **self.options
            )
        wait_until(self.answers, (self.folder / "log").read_text)

    def kill(self) -> None:
        """End it as a power failure does, with all of its processes."""
        self._signal(signal.SIGKILL)
        if self.process is not None:
            self.process.wait()
        self.process = None

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Within this block it answers nothing, though its connections stay open."""
        self.freeze()
        try:
            yield
        finally:
            self.thaw()

    def _signal(self, number: int) -> None:
        for process in self._processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def _processes(self) -> list[int]:
        if self.process is None:
            return []
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]


class OwnRedis(Own):
    @property
    def command(self) -> list[str]:  # type: ignore[override]
        options = {"--port": str(self.port), "--bind": self.address, "--save": "", "--dir": str(self.folder)}
        options["--protected-mode"] = "no"  # nobody else reaches the address
        return [str(program("redis-server")), *(word for pair in options.items() for word in pair)]

    @property
    def url(self) -> str:
        return f"redis://{self.address}:{self.port}/0"

    def answers(self) -> bool:
        with contextlib.suppress(RedisError), Redis(self.address, self.port, socket_timeout=1) as redis:
            return bool(redis.ping())
        return False


class OwnPostgreSQL(Own):
    """Without fsync, which is quicker and durable enough: killed processes lose nothing that the system has."""

    @property
    def command(self) -> list[str]:  # type: ignore[override]
        settings = {"port": self.port, "listen_addresses": self.address, "unix_socket_directories": "", "fsync": "off"}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [str(program("postgres")), "-D", str(self.cluster), *options]

    @property
    def cluster(self) -> Path:
        return self.folder / "cluster"

    def make(self) -> None:
        asked_for("own_services")
        options = ["-D", str(self.cluster), "-U", "taskboard", "--auth=trust", "--encoding=UTF8", "-N"]
        done = subprocess.run(
            [str(program("initdb")), *options], cwd=self.folder, capture_output=True, text=True, **self.options
        )
        assert done.returncode == 0, done.stderr
        with (self.cluster / "pg_hba.conf").open("a") as access:
            access.write("host all all samenet trust\n")

    @property
    def url(self) -> str:
        return f"postgres://taskboard@{self.address}:{self.port}/postgres"

    def answers(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url, connect_timeout=2):
            return True
        return False

    def restart(self) -> None:
        """As a package upgrade does: connections are told, and the server is back in a moment."""
        self.stop()
        self.start()

    def stop(self) -> None:
        """Connections are told and closed, then the server ends."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)
        self.process = None


@contextmanager
def own_redis(address: str = "127.0.0.1") -> Iterator[OwnRedis]:
    with _folder() as (folder, options):
        yield from _running(OwnRedis(folder, address, **options))


@contextmanager
def own_postgresql(cluster: Path | None = None, address: str = "127.0.0.1") -> Iterator[OwnPostgreSQL]:
    """Run a PostgreSQL with an empty database, or with a copy of the cluster in this folder."""
    with _folder() as (folder, options):
        own = OwnPostgreSQL(folder, address, **options)
        if cluster is None:
            own.make()
        else:
            copy(cluster, own.cluster)
        yield from _running(own)


def copy(cluster: Path, target: Path) -> None:
    """Copy the files of a stopped PostgreSQL with their owners."""
    subprocess.run(["cp", "-a", str(cluster), str(target)], check=True)


def _running(own: Any) -> Iterator[Any]:
    own.start()
    try:
        yield own
    finally:
        own.kill()


@contextmanager
def _folder() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield a folder, and how to start a process that may write there. PostgreSQL refuses to run as root."""
    folder = Path(tempfile.mkdtemp(prefix="taskboard-own-"))
    options: dict[str, Any] = {}
    if os.geteuid() == 0:
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
        options = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    try:
        yield folder, options
    finally:
        shutil.rmtree(folder, ignore_errors=True)
