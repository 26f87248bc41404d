"""A service of its own to flood: `bin/serve` on a new SQLite file, with Mallory, who floods, and Olga, who only wants to work."""

import contextlib
import http.client
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import servers


@dataclass
class World:
    port: int
    pid: int
    board: str
    flooder: str  # the cookie of a session
    flooders: list[str]  # and of further sessions
    other: str

    def get(self, path: str, cookie: str = "", timeout: float = 120) -> bytes:
        """Ask as another machine would, from another address than the flood."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout, source_address=("127.0.0.2", 0))
        with contextlib.closing(line):
            line.request("GET", path, headers={"Cookie": cookie})
            answer = line.getresponse()
            if answer.status != 200:
                raise OSError(f"{path}: {answer.status}")
            return answer.read()

    def memory(self) -> int:
        """Return the resident memory of the server in MB."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))


@contextlib.contextmanager
def flooded_world(fill: Any = None, **environment: str) -> Iterator[World]:
    """Start the service. `fill(flooder, board)` adds data before that."""
    os.environ |= {
        "TASKBOARD_DATA": tempfile.mkdtemp(prefix="taskboard-flood-"),
        "DJANGO_SETTINGS_MODULE": "taskboard.settings",
        **environment,
    }
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("REDIS_URL", None)
    board, flooder, flooders, other = make_people(fill)
    with servers.started([sys.executable, "manage.py", "serve", "--port"]) as (port, pid):
        world = World(port, pid, board, flooder, flooders, other)
        world.get("/healthz")
        yield world


def make_people(fill: Any) -> tuple[str, str, list[str], str]:
    import django

    django.setup()
    from django.core.management import call_command

    from taskboard.serving.static_files import prepare_static_files

    call_command("migrate", verbosity=0)
    prepare_static_files()
    from accounts.models import User
    from benchmarks.live import session_cookie
    from boards.actions.boards.board import create_board
    from boards.actor import Actor

    mallory = User.objects.create_user("mallory@example.com", None, name="Mallory", plan_id="pro")
    olga = User.objects.create_user("olga@example.com", None, name="Olga", plan_id="pro")
    board = create_board(actor=Actor(mallory), title="Flood", template="kanban")
    if fill is not None:
        fill(mallory, board)
    flooder, *flooders = (session_cookie(mallory.pk) for _number in range(4))
    return str(board.pk), flooder, flooders, session_cookie(olga.pk)


class Watch:
    """Asks for a page again and again in a thread, as somebody else would, and notes how long each answer took."""

    def __init__(self, world: World, path: str = "/healthz") -> None:
        self.world, self.path = world, path
        self.times: list[float] = []
        self.failures = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ended.set()
        self._thread.join(60)

    def _run(self) -> None:
        while not self._ended.is_set():
            start = time.perf_counter()
            try:
                self.world.get(self.path, self.world.other, timeout=60)
            except (OSError, http.client.HTTPException):
                self.failures += 1
            self.times.append(time.perf_counter() - start)
            time.sleep(0.05)

    def __str__(self) -> str:
        ms = sorted(time * 1000 for time in self.times) or [0.0]
        return (
            f"{self.path}: {len(ms)} answers, {self.failures} failed, median {statistics.median(ms):.0f} ms,"
            f" worst {ms[-1]:.0f} ms; server {self.world.memory()} MB"
        )
