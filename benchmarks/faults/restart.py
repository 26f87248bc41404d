"""Restart gunicorn and bin/serve in several ways while requests come in; count those that failed, and the longest wait for an answer.

.venv/bin/python -m benchmarks.faults.restart [--clients 8] [--seconds 12] [way ...]
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import httpx

from benchmarks.results import record
from taskboard.tests.prepared import start_for_the_first_time
from taskboard.tests.servers import ROOT, bare_environment, free_port, wait_for_port

OPTIONS = ["taskboard.wsgi:application", "--worker-class", "gthread", "--workers", "2", "--threads", "4"]
GUNICORN = [str(ROOT / ".venv" / "bin" / "gunicorn"), *OPTIONS]
PAUSE = 3.0  # seconds from the beginning of the load to the restart


class Service:
    """A server on a port; if `inherited`, on a socket that outlives it, as systemd's socket units have it."""

    def __init__(self, data: Path, server: str, inherited: bool) -> None:
        self.environment = bare_environment() | {"TASKBOARD_DATA": str(data), "TASKBOARD_LIMITS": "off"}
        self.port = free_port()
        self.inherited = socket.create_server(("127.0.0.1", self.port), backlog=2048) if inherited else None
        self.own_port = {
            "gunicorn": [*GUNICORN, "--bind", f"127.0.0.1:{self.port}"],
            "serve": ["bin/serve", "--port", str(self.port)],
        }[server]
        self.log = (data / "server.log").open("ab")

    def start(self) -> None:
        if self.inherited is None:
            self.process = self._popen(self.own_port)
        else:
            as_systemd = 'export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"'
            self.process = self._popen(
                ["sh", "-c", as_systemd, "sh", *self.own_port[:-2]], preexec_fn=self._as_number_three
            )

    def _popen(self, command: list[str], **options: object) -> "subprocess.Popen[bytes]":
        given = {"cwd": ROOT, "env": self.environment, "stdout": self.log, "stderr": self.log, **options}
        return subprocess.Popen(command, pass_fds=[3] if self.inherited else [], start_new_session=True, **given)

    def _as_number_three(self) -> None:
        os.dup2(self.inherited.fileno(), 3)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)

    def end(self) -> None:
        """Also ends the master that replaced the first one."""
        os.killpg(self.process.pid, signal.SIGTERM)
        self.log.close()


def stop_and_start(service: Service) -> None:
    service.stop()
    service.start()


WAYS: dict[str, tuple[str, bool, Callable[[Service], None]]] = {
    "stop-and-start": ("gunicorn", False, stop_and_start),
    "HUP": ("gunicorn", False, lambda service: service.process.send_signal(signal.SIGHUP)),
    "USR2": ("gunicorn", False, lambda service: service.process.send_signal(signal.SIGUSR2)),
    "socket-unit": ("gunicorn", True, stop_and_start),
    "serve": ("serve", False, stop_and_start),
    "serve-socket-unit": ("serve", True, stop_and_start),
}


class Load:
    """Clients that ask one after the other, each time on a new connection, as nginx does."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.headers = url, {"Authorization": f"Bearer {token}", "Connection": "close"}
        self.failed: list[str] = []
        self.answered: list[float] = []  # when
        self.longest = 0.0
        self.over = threading.Event()

    def client(self) -> None:
        with httpx.Client(base_url=self.url, trust_env=False, timeout=60) as client:
            while not self.over.is_set():
                began = time.monotonic()
                try:
                    status = client.get("/api/v1/me", headers=self.headers).status_code
                except httpx.TransportError as error:
                    self.failed.append(type(error).__name__)
                    time.sleep(0.05)
                    continue
                if status != 200:
                    self.failed.append(str(status))
                self.answered.append(time.monotonic())
                self.longest = max(self.longest, time.monotonic() - began)

    @contextmanager
    def running(self, clients: int) -> Iterator[None]:
        threads = [threading.Thread(target=self.client) for _client in range(clients)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.over.set()
            for thread in threads:
                thread.join()

    def gap(self) -> float:
        """Return the longest time in which nobody got an answer."""
        times = sorted(self.answered)
        return max(later - earlier for earlier, later in pairwise(times))


def tried(way: str, data: Path, token: str, clients: int, seconds: float) -> str:
    server, inherited, restart = WAYS[way]
    service = Service(data, server, inherited)
    service.start()
    wait_for_port(service.port, service.process)
    load = Load(f"http://127.0.0.1:{service.port}", token)
    httpx.get(f"{load.url}/livez", trust_env=False, timeout=60)
    try:
        with load.running(clients):
            time.sleep(PAUSE)
            restart(service)
            time.sleep(seconds)
    finally:
        service.end()
    kinds = ", ".join(f"{load.failed.count(kind)} {kind}" for kind in sorted(set(load.failed))) or "none"
    gap, longest = f"{load.gap():.2f} s", f"{load.longest:.2f} s"
    figures = {"Answers": str(len(load.answered)), "Failed": str(len(load.failed))}
    record("restart", f"`{way}`", figures | {"Nobody answered for": gap, "Longest wait": longest})
    return f"| {way} | {len(load.answered)} | {kinds} | {gap} | {longest} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("ways", nargs="*", help=f"of {', '.join(WAYS)}; all without")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=12)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        token = json.loads(start_for_the_first_time(TASKBOARD_DATA=str(data)))["olga"]["tokens"][0]
        print("| Way | Answers | Failed | Nobody answered for | Longest wait |")
        for way in given.ways or WAYS:
            print(tried(way, data, token, given.clients, given.seconds), flush=True)


if __name__ == "__main__":
    main()
