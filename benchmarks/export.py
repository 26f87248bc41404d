"""Export 100,000 cards and a gigabyte of files of one person, on gunicorn with PostgreSQL and embedded: time, size, memory.

    .venv/bin/python -m benchmarks.export [cards] [megabytes]

Each card has a description of some 400 characters, every third a checklist of three, every second a comment and a label.
Files are of a megabyte of random bytes each. First the JSON by GET /api/export, twice; then the zip, made beside the request
and downloaded. Behind gunicorn a worker of its own makes it.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx

from benchmarks import servers
from benchmarks.results import record

TEXT = "Some words about what is to be done, **who** does it and by when. " * 2
MARKDOWN = f"# Why\n\n{TEXT}\n\n- [ ] first\n- [x] second\n\n{TEXT}"
BOARDS = 20
BATCH = 5_000
CSRF = "x" * 32
READY = re.compile(r'href="(/settings/data/exports/[-0-9a-f]{36})"')


def make_data(cards: int, megabytes: int) -> str:
    """Make the person, their boards and files; return the key of their session."""
    import django

    django.setup()
    from accounts.models import User
    from boards.actions.boards.board import create_board
    from boards.actor import Actor
    from boards.models import Attachment, Card, CardLabel, Checklist, ChecklistItem, Comment, StoredFile
    from boards.richtext import from_markdown
    from core.files.storage import store
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
    for card in Card.objects.order_by("pk")[:megabytes]:
        stored = store([os.urandom(1_000_000)], most=1_000_000)
        facts = {"name": stored.name, "size": stored.size, "content_type": stored.content_type, "sha256": stored.sha256}
        file = StoredFile.objects.create(**facts)
        Attachment.objects.create(
            board_id=card.board_id, card=card, file=file, file_name=f"{card.number}.bin", uploaded_by=user
        )
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
    for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
        subprocess.run([sys.executable, "manage.py", *command], cwd=servers.ROOT, check=True)
    yield


def resident(pid: int) -> float:
    """Return the resident memory of the process and its children in MB, without what is mapped from files."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own(pid) + sum(map(resident, map(int, children)))


def own(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 1024
    return 0.0


@contextlib.contextmanager
def memory_of(pids: list[int]) -> Iterator[Callable[[], float]]:
    """Yield what tells by how many MB the memory of these processes together has risen above where it was."""
    rest, peak, done = sum(map(resident, pids)), 0.0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.02):
            peak = max(peak, sum(map(resident, pids)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield lambda: peak - rest
    done.set()
    watcher.join()


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


def download(client: httpx.Client, path: str) -> dict[str, str]:
    """Return what the download took, as a row of the report."""
    start, size, first = time.perf_counter(), 0, 0.0
    with client.stream("GET", path) as answer:
        answer.raise_for_status()
        for part in answer.iter_raw():
            first = first or time.perf_counter() - start
            size += len(part)
    took = time.perf_counter() - start
    print(f"{size / 1e6:.0f} MB, {size / 1e6 / took:.1f} MB/s, {load()}")
    return {"First byte, or answer": f"{first:.2f} s", "All of it": f"{took:.1f} s"}


def told(what: str, figures: dict[str, str], more: float) -> None:
    figures |= {"Memory above rest": f"{more:.0f} MB"}
    print(f"{what}: {figures}", flush=True)
    record("export", what, figures)


def measure(kind: str, port: int, pids: list[int], session: str) -> None:
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=1200, trust_env=False)
    for name, value in {"sessionid": session, "csrftoken": CSRF}.items():
        client.cookies.set(name, value, domain="127.0.0.1")
    for _time in range(5):
        client.get("/healthz").raise_for_status()
    for _turn in range(2):
        with memory_of(pids) as risen:
            told(f"{kind}: JSON", download(client, "/api/export"), risen())
    with memory_of(pids) as risen:
        start = time.perf_counter()
        asked = client.post(
            "/settings/data/exports", data={"board": "all", "form": "zip"}, headers={"X-CSRFToken": CSRF}
        )
        answered = time.perf_counter() - start
        if asked.status_code != 302:
            raise RuntimeError(f"the export was refused with {asked.status_code}")
        while not (found := READY.search(client.get("/settings/data").text)):
            time.sleep(0.5)
        took = time.perf_counter() - start
        figures = {"First byte, or answer": f"{answered:.2f} s", "All of it": f"{took:.1f} s"}
        told(f"{kind}: zip made", figures, risen())
    with memory_of(pids) as risen:
        told(f"{kind}: zip downloaded", download(client, found[1]), risen())


@contextlib.contextmanager
def worker() -> Iterator[int]:
    process = subprocess.Popen([sys.executable, "manage.py", "worker"], cwd=servers.ROOT)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(30)


def run(kind: str, cards: int, megabytes: int) -> None:
    if kind == "gunicorn":
        with servers.database(), servers.gunicorn_process() as (port, pid), worker() as other:
            session = make_data(cards, megabytes)
            measure(kind, port, [pid, other], session)
    else:
        with embedded_database():
            session = make_data(cards, megabytes)
            with servers.embedded_process() as (port, pid):
                measure(kind, port, [pid], session)
    shutil.rmtree(os.environ["TASKBOARD_DATA"])


def main(cards: str, megabytes: str) -> None:
    for kind in ("gunicorn", "embedded"):  # in a process each, because settings are read once a process
        print(f"{kind}, {cards} cards, {megabytes} MB of files", flush=True)
        command = [sys.executable, "-m", "benchmarks.export", cards, megabytes, kind]
        subprocess.run(command, cwd=servers.ROOT, check=True)


if __name__ == "__main__":
    given = dict(enumerate(sys.argv))
    wanted = given.get(1, "100000"), given.get(2, "1000")
    if len(sys.argv) > 3:
        run(sys.argv[3], int(wanted[0]), int(wanted[1]))
    else:
        main(*wanted)
