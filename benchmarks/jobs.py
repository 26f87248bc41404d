"""Measure what followers, tasks and the worker cost, on PostgreSQL and on SQLite, in one process and without HTTP.

.venv/bin/python -m benchmarks.jobs [changes] [boards] [mails]

A change with one follower and with none, in turns; boards with one change each, served by one and by two workers; mails
enqueued, then sent by a worker to a server that takes everything; and what a worker asks of the database while idle.
"""

import os
import socketserver
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from benchmarks import servers
from benchmarks.export import embedded_database

MEMBERS = 3


class Mailbox(socketserver.StreamRequestHandler):
    """As much of SMTP as sending a mail takes."""

    def handle(self) -> None:
        self.wfile.write(b"220 ready\r\n")
        while line := self.rfile.readline():
            command = line[:4].upper()
            if command == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                while self.rfile.readline() != b".\r\n":
                    pass
            if command == b"QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            self.wfile.write(b"250 ok\r\n")


@contextmanager
def mail_server() -> Iterator[None]:
    from django.conf import settings

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mailbox) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        yield
        server.shutdown()


class Timed(NamedTuple):
    """In milliseconds; of the processor only what this process used, which another process's load does not change."""

    wall: float
    cpu: float


def timed(act: Callable[[], object]) -> Timed:
    start, used = time.perf_counter(), time.process_time()
    act()
    return Timed((time.perf_counter() - start) * 1000, (time.process_time() - used) * 1000)


def medians(times: list[Timed]) -> Timed:
    return Timed(*map(statistics.median, zip(*times, strict=True)))


def changes(count: int) -> None:
    """The same change with and without a follower, in turns."""
    from boards.actions.boards.board import create_board
    from boards.actions.cards.card import create_card
    from boards.actions.change import ON_CHANGE
    from boards.actor import Actor

    user, *_others = people()
    row = create_board(actor=Actor(user), title="Board", template="kanban").lists.first()
    notes, times = list(ON_CHANGE), {"no follower": [], "followers": []}
    for number in range(count):
        for name, now in (("no follower", []), ("followers", notes)):
            ON_CHANGE[:] = now
            act = lambda number=number: create_card(actor=Actor(user), list_id=row.pk, title=f"Card {number}")  # noqa: E731
            times[name].append(timed(act))
    for name, found in times.items():
        wall, cpu = medians(found)
        print(f"  a change, {name:12} p50 {wall:6.2f} ms, {cpu:.2f} ms of the processor", flush=True)


def people() -> list[object]:
    from accounts.models import User

    return [User.objects.get_or_create(email=f"p{n}@example.com", plan_id="pro")[0] for n in range(MEMBERS)]


def boards(count: int, workers: int) -> None:
    """Every board has one change to hand on."""
    from boards.actions.boards.board import update_board
    from boards.actions.change import ON_CHANGE
    from boards.actor import Actor
    from boards.models import Board, Membership, Role
    from jobs.followers import meet_followers, note_what_followers_lack

    owner, *others = people()
    meet_followers()
    made = Board.objects.bulk_create(Board(title="Board") for _number in range(count))
    roles = [(owner, Role.OWNER), *[(user, Role.EDITOR) for user in others]]
    Membership.objects.bulk_create(
        Membership(board=board, user=user, role=role) for board in made for user, role in roles
    )
    notes = list(ON_CHANGE)
    ON_CHANGE.clear()
    for board in made:
        update_board(actor=Actor(owner), board_id=board.pk, title="Changed")
    ON_CHANGE[:] = notes
    noting = timed(note_what_followers_lack).wall / 1000
    wall, cpu = timed(lambda: together(serve, workers))
    print(
        f"  {count} boards with news, {workers} at once: noted in {noting:.1f} s, served in {wall / 1000:.1f} s,",
        end=" ",
    )
    print(f"{cpu / count:.1f} ms of the processor a board", flush=True)


def serve() -> None:
    from django.db import connection

    from jobs.delivery import serve_followers

    while serve_followers():
        pass
    connection.close()


def together(act: Callable[[], None], times: int) -> None:
    threads = [threading.Thread(target=act) for _number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def mails(count: int) -> None:
    from django.core.mail import EmailMessage
    from django_tasks_db.models import DBTaskResult

    from accounts.mails import send_later
    from jobs.worker import Worker

    with mail_server():
        message = EmailMessage("Subject", "Text\n" * 20, "Taskboard <t@example.com>", ["olga@example.com"])
        enqueued = [timed(lambda: send_later(message)) for _number in range(count)]
        worker = Worker()
        start = time.perf_counter()
        worker.start()
        while DBTaskResult.objects.exists():
            time.sleep(0.02)
        took = time.perf_counter() - start
        worker.stop(2)
    print(f"  a mail: enqueued p50 {medians(enqueued).wall:.2f} ms, sent {count / took:.0f} mails/s", flush=True)


def idle(seconds: int = 10) -> None:
    from django.db.backends.utils import CursorWrapper

    from jobs.worker import Worker

    asked = []
    execute = CursorWrapper.execute
    CursorWrapper.execute = lambda self, sql, params=None: (asked.append(sql), execute(self, sql, params))[1]
    worker = Worker()
    worker.start()
    time.sleep(2)
    asked.clear()
    began = time.process_time()
    time.sleep(seconds)
    busy = (time.process_time() - began) / seconds
    CursorWrapper.execute = execute
    worker.stop(2)
    writes = [sql for sql in asked if not sql.startswith("SELECT")]
    print(f"  idle: {len(asked) / seconds:.1f} statements/s, {len(writes)} of {len(asked)} write,", end=" ")
    print(f"{busy * 100:.1f} % of a processor", flush=True)


def main(amounts: list[int]) -> None:
    for kind in ("PostgreSQL", "SQLite"):  # each with settings of its own, so in a process of its own
        print(kind, flush=True)
        command = [sys.executable, "-m", "benchmarks.jobs", *map(str, amounts), kind]
        subprocess.run(command, cwd=servers.ROOT, check=True, env=os.environ)


def measure(changes_made: int, boards_made: int, mails_made: int) -> None:
    import django

    django.setup()
    changes(changes_made)
    boards(boards_made, 1)
    boards(boards_made, 2)
    mails(mails_made)
    idle()


if __name__ == "__main__":
    amounts = [int(number) for number in sys.argv[1:4]] + [1000, 1000, 500][len(sys.argv[1:4]) :]
    if len(sys.argv) > 4:
        with servers.database() if sys.argv[4] == "PostgreSQL" else embedded_database():
            measure(*amounts)
    else:
        main(amounts)
