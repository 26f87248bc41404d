"""The processor time of single calls: of this process, which runs the service, and of the PostgreSQL processes behind it.

    .venv/bin/python -m benchmarks.calls [rounds] [part of the name of a call]

No HTTP server, so that only our own work counts. Each figure of this process is the mean of the best tenth of the
rounds, in milliseconds: what else the machine does then hardly matters. That of PostgreSQL is the mean of all rounds.
Needs PostgreSQL and Redis, as benchmarks/rest.py does.
"""

import gc
import io
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path

from benchmarks import servers
from benchmarks.rest import make_data
from benchmarks.results import record

TICK = 0.01  # seconds; the unit of /proc/PID/stat
ROUNDS = 400


class Caller:
    """Calls the WSGI application in this process."""

    def __init__(self) -> None:
        from taskboard.wsgi import application

        self.application = application

    def call(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path.partition("?")[0],
            "QUERY_STRING": path.partition("?")[2],
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "127.0.0.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.url_scheme": "http",
            **headers,
        }
        status: list[str] = []
        answer = self.application(environ, lambda line, heads, *_: status.append(line))
        found = b"".join(answer)
        getattr(answer, "close", lambda: None)()
        if status[0][0] != "2":
            raise RuntimeError(f"{method} {path}: {status[0]} {found[:300]!r}")
        return found


def seconds_of_postgresql() -> float:
    """Return the processor time that the backends of this database have taken so far."""
    return seconds_of_backends(backends())


def backends() -> list[int]:
    """Return the ids of the processes behind the connections to this database; of SQLite there are none."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        return [pid for (pid,) in cursor.fetchall()]


def seconds_of_backends(pids: Iterable[int]) -> float:
    """Return the processor time that these processes of one thread each have taken so far, in nanoseconds where others are in
    ticks.
    """
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids) / 1e9


def seconds_of(pids: Iterable[int]) -> float:
    """Return the processor time that these processes have taken so far."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(found[11]) + int(found[12]) for found in fields) * TICK


def measure(name: str, call: Callable[[], object], rounds: int) -> None:
    for _warmup in range(20):
        call()
    gc.collect()
    database, times = seconds_of_postgresql(), []
    for _round in range(rounds):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    database = (seconds_of_postgresql() - database) / rounds
    best = statistics.mean(sorted(times)[: max(1, rounds // 10)])
    print(f"{name:30} {1000 * best:6.2f} ms   PostgreSQL {1000 * database:5.2f} ms", flush=True)
    record("calls", name, {"Service": f"{1000 * best:.2f} ms", "PostgreSQL": f"{1000 * database:.2f} ms"})


def make_board_of_500() -> tuple[str, str]:
    """Make a board with 500 cards in 5 lists; return its address and the cookie of a session of its owner."""
    from django.db import connection

    from accounts.models import User
    from benchmarks.live import session_cookie
    from boards.actions.boards.board import create_board
    from boards.actions.cards.card import create_cards, draft_card
    from boards.actions.lists.list import create_list
    from boards.actor import Actor

    actor = Actor(User.objects.get(email="load@example.com"))
    board = create_board(actor=actor, title="Five hundred")
    for number in range(5):
        into = create_list(actor=actor, board_id=board.pk, title=f"List {number}")
        drafts = (draft_card(title=f"Card {place} of list {number}") for place in range(100))
        create_cards(actor=actor, list_id=into.pk, drafts=drafts)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return board.get_absolute_url(), session_cookie(actor.user.pk)


def make_work(boards: int = 200, cards: int = 10) -> str:
    """Make boards with cards that are assigned to one person, with labels and comments; return the cookie of a session."""
    from django.db import connection  # here and below: Django reads the environment, which was set just before
    from django.utils import timezone

    from accounts.models import User
    from benchmarks.live import session_cookie
    from boards.actions.boards.board import create_board
    from boards.actor import Actor
    from boards.models import Assignment, Card, CardLabel, Comment

    user = User.objects.create_user("work@example.com", None, name="Wim", plan_id="pro")
    for place in range(boards):
        board = create_board(actor=Actor(user), title=f"Board {place}", template="kanban")
        label, into = board.labels.first(), board.lists.first()
        made = Card.objects.bulk_create(
            Card(
                board=board,
                list=into,
                number=number + 1,
                position=(number + 1) * 2**32,
                title=f"Card {number} of board {place}",
                due_at=timezone.now() + timedelta(hours=7 * place + number - 500) if number % 3 else None,
                created_by=user,
            )
            for number in range(cards)
        )
        Assignment.objects.bulk_create(Assignment(board=board, card=card, user=user) for card in made)
        CardLabel.objects.bulk_create(CardLabel(board=board, card=card, label=label) for card in made[::2])
        Comment.objects.bulk_create(Comment(board=board, card=card, author=user, body="Yes") for card in made[::4])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return session_cookie(user.pk)


def main(rounds: int, only: str) -> None:
    with servers.database():
        data = make_data()
        caller, token = Caller(), {"HTTP_AUTHORIZATION": f"Bearer {data['value']}"}
        address, cookie = make_board_of_500()
        session = {"HTTP_COOKIE": cookie, "HTTP_ACCEPT_ENCODING": "gzip"}
        work = session | {"HTTP_COOKIE": make_work()}
        card = json.dumps({"title": "A card", "listId": str(data["list"])}).encode()

        def change_and_open() -> None:
            from boards.models import Board

            Board.objects.filter(pk=address.rpartition("/")[2]).update(version=next(versions))
            caller.call("GET", address, session)

        batch = {"cards": [{"title": f"Card {place}", "listId": str(data["list"])} for place in range(100)]}
        [one] = json.loads(caller.call("GET", f"/api/v1{address}/cards?limit=1".replace("/board/", "/boards/"), token))[
            "cards"
        ]
        versions = iter(range(1000, 1_000_000))
        calls = {
            "GET me": lambda: caller.call("GET", "/api/v1/me", token),
            "GET boards": lambda: caller.call("GET", "/api/v1/boards", token),
            "GET a card": lambda: caller.call("GET", f"/api/v1/cards/{one['id']}", token),
            "GET 50 cards of a board": lambda: caller.call("GET", f"/api/v1/boards/{one['boardId']}/cards", token),
            "GET 50 cards by due date": lambda: caller.call("GET", "/api/v1/cards", token),
            "a board of 500": lambda: caller.call("GET", address, session),
            "a board of 500 after a change": change_and_open,
            "a board of 500 as a table": lambda: caller.call("GET", f"{address}/table", session),
            "a board of 500 as a table, for scripts": lambda: caller.call(
                "GET", f"{address}/table", session | {"HTTP_HX_REQUEST": "true"}
            ),
            "2,000 cards of mine on 200 boards": lambda: caller.call("GET", "/my", work),
            "cards of mine by board, page 5": lambda: caller.call("GET", "/my?by=board&page=5", work),
            "cards of mine, for scripts": lambda: caller.call("GET", "/my", work | {"HTTP_HX_REQUEST": "true"}),
            "cards of mine as a table": lambda: caller.call("GET", "/my/table", work),
            # The database does not know of their cards when it plans
            "POST cards": lambda: caller.call("POST", "/api/v1/cards", token, card),
            "POST a batch of 100": lambda: caller.call(
                "POST", "/api/v1/cards/batch", token, json.dumps(batch).encode()
            ),
        }
        for name, call in calls.items():
            if only in name:
                measure(name, call, rounds // 4 if "00" in name else rounds)
        print(f"the board of 500 has {len(caller.call('GET', address, session))} bytes on the wire")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS, sys.argv[2] if len(sys.argv) > 2 else "")
