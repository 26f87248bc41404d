"""Export 100,000 cards of one person, on gunicorn with PostgreSQL and embedded: time, size, and memory above rest.

    .venv/bin/python -m benchmarks.export [cards]

Each card has a description of some 400 characters, every third a checklist of three, every second a comment and a label.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

from benchmarks import servers

TEXT = "Some words about what is to be done, **who** does it and by when. " * 2
MARKDOWN = f"# Why\n\n{TEXT}\n\n- [ ] first\n- [x] second\n\n{TEXT}"
BOARDS = 20
BATCH = 5_000


def make_data(cards: int) -> str:
    """Make the person and their boards; return the key of their session."""
    import django

    django.setup()
    from accounts.models import User
    from boards.actions.boards import create_board
    from boards.actor import Actor
    from boards.models import Card, CardLabel, Checklist, ChecklistItem, Comment
    from boards.richtext import from_markdown
    from taskboard.tests.settle import signed_in

    user = User.objects.create_user("much@example.com", None, name="Much", plan_id="pro")
    document = from_markdown(MARKDOWN)
    for _board in range(BOARDS):
        board = create_board(actor=Actor(user), title="Board", template="kanban")
        lists, label = list(board.lists.all()), board.labels.first()
        for start in range(0, cards // BOARDS, BATCH):
            numbers = range(start + 1, min(start + BATCH, cards // BOARDS) + 1)
            made = Card.objects.bulk_create(
                Card(
                    board=board,
                    list=lists[number % 3],
                    number=number,
                    position=number,
                    title=f"Card {number}",
                    description=document,
                    created_by=user,
                )
                for number in numbers
            )
            lists_of = Checklist.objects.bulk_create(
                Checklist(board=board, card=card, title="Steps", position=1) for card in made[::3]
            )
            ChecklistItem.objects.bulk_create(
                ChecklistItem(board=board, card=row.card, checklist=row, text=f"Step {place}", position=place)
                for row in lists_of
                for place in range(3)
            )
            Comment.objects.bulk_create(Comment(board=board, card=card, author=user, body=TEXT) for card in made[::2])
            CardLabel.objects.bulk_create(CardLabel(board=board, card=card, label=label) for card in made[::2])
    return signed_in(user)


@contextlib.contextmanager
def embedded_database() -> Iterator[None]:
    """Make a SQLite database in a folder of its own, and set it for this process too."""
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ |= {
        "TASKBOARD_DATA": tempfile.mkdtemp(prefix="taskboard-benchmark-"),
        "TASKBOARD_LIMITS": "off",
        "DJANGO_SETTINGS_MODULE": "taskboard.settings",
    }
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=servers.ROOT, check=True)
    yield


def resident(pid: int) -> float:
    """Return the resident memory of the process and its children, in MB."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own(pid) + sum(map(resident, map(int, children)))


def own(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def measure(port: int, pid: int, session: str) -> None:
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=1200, trust_env=False)
    client.cookies.set("sessionid", session, domain="127.0.0.1")
    for _time in range(5):
        client.get("/healthz").raise_for_status()
    rest, peak, done = resident(pid), 0.0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.02):
            peak = max(peak, resident(pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    for turn in (1, 2):
        start, size, first = time.perf_counter(), 0, 0.0
        with client.stream("GET", "/api/export") as answer:
            answer.raise_for_status()
            for part in answer.iter_raw():
                first = first or time.perf_counter() - start
                size += len(part)
        took = time.perf_counter() - start
        above = peak - rest
        print(
            f"{turn}: {size / 1e6:.0f} MB, first byte after {first:.1f} s, all of it after {took:.1f} s,"
            f" {size / 1e6 / took:.1f} MB/s, memory {rest:.0f} MB at rest, {above:.0f} MB more at the peak",
            flush=True,
        )
    done.set()
    watcher.join()


def run(kind: str, cards: int) -> None:
    if kind == "gunicorn":
        with servers.database(), servers.gunicorn_process() as (port, pid):
            measure(port, pid, make_data(cards))
    else:
        with embedded_database():
            session = make_data(cards)
            with servers.embedded_process() as (port, pid):
                measure(port, pid, session)


def main(cards: int) -> None:
    for kind in ("gunicorn", "embedded"):  # in a process each, because settings are read once a process
        print(f"{kind}, {cards} cards", flush=True)
        subprocess.run([sys.executable, "-m", "benchmarks.export", str(cards), kind], cwd=servers.ROOT, check=True)


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    if len(sys.argv) > 2:
        run(sys.argv[2], wanted)
    else:
        main(wanted)
