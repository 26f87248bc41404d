"""SIGUSR2 to gunicorn, which `systemctl reload` sends: the new one answers before the old one ends."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx

from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.servers import PATIENCE, PLAIN_HTTP, ROOT, bare_environment, free_port, wait_for_port
from taskboard.tests.waiting import wait_until

GUNICORN = [sys.executable, str(Path(sys.prefix) / "bin" / "gunicorn"), "taskboard.wsgi:application", "--threads", "4"]


def test_no_request_fails_while_gunicorn_is_replaced(services: None, any_database: None, tmp_path: Path) -> None:
    """Nor is anything left in the home folder of its user, where gunicorn would put a socket to be controlled by."""
    port, notified = free_port(), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notified.bind(str(tmp_path / "notify"))
    notified.settimeout(PATIENCE)
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data")), "NOTIFY_SOCKET": str(tmp_path / "notify")}
    environment["HOME"] = str(home := tmp_path / "home")
    home.mkdir()
    with notified, prepared_services() as given_services, (tmp_path / "log").open("wb") as log:
        given = {"cwd": ROOT, "env": bare_environment() | given_services | environment, "stdout": log, "stderr": log}
        before = subprocess.Popen([*GUNICORN, "--bind", f"127.0.0.1:{port}"], start_new_session=True, **given)
        try:
            wait_for_port(port, before)
            statuses = ask_until_it_ended(before, f"http://127.0.0.1:{port}/healthz")
            assert set(statuses) == {200}
            assert new_main(notified) != before.pid
            assert not [*home.iterdir()]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(before.pid, signal.SIGTERM)


def ask_until_it_ended(before: "subprocess.Popen[bytes]", url: str) -> list[int]:
    """Have gunicorn replaced, and ask it again and again until a while after the one of before has ended."""
    statuses: list[int] = []

    def ask() -> None:
        statuses.append(httpx.get(url, **PLAIN_HTTP).status_code)

    ask()
    before.send_signal(signal.SIGUSR2)
    wait_until(lambda: ask() or before.poll() is not None, "gunicorn goes on")
    for _repeat in range(20):
        ask()
    return statuses


def new_main(notified: socket.socket) -> int:
    """Return the process that systemd is told to watch."""
    while not (words := notified.recv(200).decode()).startswith("MAINPID="):
        pass
    return int(words.removeprefix("MAINPID="))
