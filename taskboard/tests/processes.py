"""gunicorn and Daphne as processes."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from taskboard.tests.servers import ROOT, bare_environment, free_port, wait_for_port

GUNICORN = ["gunicorn", "taskboard.wsgi:application", "--worker-class", "gthread", "--threads", "4", "--bind"]
DAPHNE = ["daphne", "-v", "0", "-b", "127.0.0.1", "taskboard.asgi:application", "-p"]


def of_unit(name: str) -> list[str]:
    """Return the command of a unit in operating/deploy/systemd as `Process` takes it: without its folder, the port or address last."""
    unit = (ROOT / "operating" / "deploy" / "systemd" / name).read_text().replace("\\\n", " ")
    [command] = [line.removeprefix("ExecStart=") for line in unit.splitlines() if line.startswith("ExecStart=")]
    program, *words = shlex.split(command)
    place = words.index("--port" if "--port" in words else "--bind")
    return [Path(program).name, *words[:place], *words[place + 2 :], words[place]]


class Process:
    """One of the processes, on a port that it keeps when it is restarted."""

    process: "subprocess.Popen[bytes] | None" = None

    def __init__(self, command: list[str], environment: dict[str, str], log: Path) -> None:
        self.port, self.environment, self.log = free_port(), environment, log
        address = f"127.0.0.1:{self.port}" if command[-1] == "--bind" else str(self.port)
        self.command = [sys.executable, "-W", "ignore", "-m", *command, address]
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        with self.log.open("ab") as log:
            environment = bare_environment() | self.environment
            self.process = subprocess.Popen(self.command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        wait_for_port(self.port, self.process)

    def stop(self) -> None:
        """Ask the process to end, and wait for it and its workers."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(60)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@contextmanager
def processes(*started: Process) -> Iterator[None]:
    try:
        for process in started:
            process.start()
        yield
    finally:
        for process in started:
            process.kill()
