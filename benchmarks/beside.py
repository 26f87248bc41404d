"""The processor time of the same work here and in Planka, in turns: of each server, and of the PostgreSQL processes behind it.

    .venv/bin/python -m benchmarks.beside PORT PID EMAIL PASSWORD [rounds] [embedded]

Planka 2 must run on this machine already, from its own sources: `PORT` is where, `PID` its process, and its PostgreSQL database
is named `planka` in the same server as ours. The account is that of its `DEFAULT_ADMIN_EMAIL`. Ours is gunicorn with one worker of 4
threads, PostgreSQL and Redis, or what `bin/serve` starts, with SQLite and its worker; limits are off. Each has one connection here, one
request after the other.
"""

import http.client
import itertools
import json
import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from benchmarks import servers
from benchmarks.calls import make_board_of_500, seconds_of
from benchmarks.export import embedded_database
from benchmarks.rest import make_data
from benchmarks.results import record

WARM_UP = 50
CARDS = 300  # requests a round
BOARDS = 100
SHORT_LIST = 15  # cards

Call = Callable[[], object]


class Service:
    """One server on this machine: its calls, and what they cost."""

    def __init__(self, port: int, pid: int, database: str) -> None:
        self.pid, self.database = pid, database
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.headers: dict[str, str] = {}

    def send(self, method: str, path: str, body: object = None, **headers: str) -> bytes:
        """Send a request; return the body of its answer, as it is on the wire."""
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        heads = {"Content-Type": "application/json"} if sent else {}
        self.connection.request(method, path, sent, {**heads, **self.headers, **headers})
        answer = self.connection.getresponse()
        found = answer.read()
        if answer.status // 100 != 2:
            raise RuntimeError(f"{method} {path}: {answer.status} {found[:300]!r}")
        return found

    def item(self, method: str, path: str, body: object = None) -> dict:
        return json.loads(self.send(method, path, body))["item"]

    def seconds(self) -> tuple[float, float]:
        """Return the processor time that the server and its PostgreSQL processes have taken so far."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        with psycopg.connect(servers.POSTGRESQL) as asked:
            rows = asked.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s", [self.database])
            return seconds_of([self.pid, *map(int, children)]), seconds_of(pid for (pid,) in rows)

    def cost(self, call: Call, times: int) -> tuple[float, float]:
        """Return the milliseconds of processor time of one call: of the server, of PostgreSQL."""
        self.connection.close()  # a server closes one that nobody used for a while; the next request opens another
        for _ in range(WARM_UP):
            call()
        before = self.seconds()
        for _ in range(times):
            call()
        server, database = (1000 * (new - old) / times for new, old in zip(self.seconds(), before, strict=True))
        return server, database


def in_short_lists(make_list: Callable[[], Call]) -> Call:
    """Return a call that creates a card, in a new list when the last one has `SHORT_LIST` cards."""
    lists = [make_list() for _ in range(-(-(WARM_UP + CARDS) // SHORT_LIST))]
    turns = itertools.cycle(create for create in lists for _ in range(SHORT_LIST))
    return lambda: next(turns)()


def ours(port: int, pid: int, database: str) -> tuple[Service, Callable[[], dict[str, Call]]]:
    data = make_data()
    from accounts.models import User
    from accounts.tokens import create_token
    from boards.actions.boards.board import create_board
    from boards.actions.lists.list import create_list
    from boards.actor import Actor

    address, cookie = make_board_of_500()
    owner = User.objects.create_user("cards@example.com", None, name="Cards", plan_id="pro")
    board = create_board(actor=Actor(owner), title="For new cards")
    token = {"Authorization": f"Bearer {create_token(owner, 'benchmark')[1]}"}
    service = Service(port, pid, database)
    boards = {"Authorization": f"Bearer {data['value']}"}
    page = {"Cookie": cookie, "Accept-Encoding": "gzip"}

    def make_list() -> Call:
        card = {"title": "A card", "listId": str(create_list(actor=Actor(owner), board_id=board.pk, title="A list").pk)}
        return lambda: service.send("POST", "/api/v1/cards", card, **token)

    def calls() -> dict[str, Call]:
        return {
            "a card, lists of 15": in_short_lists(make_list),
            "a card, one list": make_list(),
            "20 boards": lambda: service.send("GET", "/api/v1/boards", **boards),
            "500 cards": lambda: service.send("GET", address, **page),
        }

    return service, calls


def planka(port: int, pid: int, email: str, password: str) -> tuple[Service, Callable[[], dict[str, Call]]]:
    service = Service(port, pid, "planka")
    service.headers = {"Authorization": f"Bearer {sign_in(service, email, password)}"}
    project = service.item("POST", "/api/projects", {"type": "private", "name": "A project"})["id"]

    def make_board(name: str) -> str:
        return service.item("POST", f"/api/projects/{project}/boards", {"position": 1, "name": name})["id"]

    def make_list(board: str) -> Call:
        body = {"type": "active", "position": 1, "name": "A list"}
        made = service.item("POST", f"/api/boards/{board}/lists", body)["id"]
        places = itertools.count(1)
        return lambda: service.send(
            "POST", f"/api/lists/{made}/cards", {"type": "project", "position": next(places), "name": "A card"}
        )

    large = make_board("Five hundred")
    for _ in range(5):
        create = make_list(large)
        for _ in range(100):
            create()
    few = [make_board(f"Board {number}") for number in range(18)]
    for board in few:
        for _ in range(5):
            make_list(board)

    def calls() -> dict[str, Call]:
        return {
            "a card, lists of 15": in_short_lists(lambda: make_list(few[0])),
            "a card, one list": make_list(few[1]),
            "20 boards": lambda: service.send("GET", "/api/projects"),
            "500 cards": lambda: service.send("GET", f"/api/boards/{large}", **{"Accept-Encoding": "gzip"}),
        }

    return service, calls


def sign_in(service: Service, email: str, password: str) -> str:
    """Return an access token of Planka, whose terms a new account accepts first."""
    body = json.dumps({"emailOrUsername": email, "password": password}).encode()
    service.connection.request("POST", "/api/access-tokens", body, {"Content-Type": "application/json"})
    answer = json.loads(service.connection.getresponse().read())
    if pending := answer.get("pendingToken"):
        terms = service.item("GET", "/api/terms")
        accepted = {"pendingToken": pending, "signature": terms["signature"]}
        return service.item("POST", "/api/access-tokens/accept-terms", accepted)  # type: ignore[return-value]
    return answer["item"]


@contextmanager
def own_server(embedded: bool) -> Iterator[tuple[int, int, str]]:
    """Run our server; yield its port, its process and the name of its PostgreSQL database, or nothing."""
    if embedded:
        with embedded_database(), servers.embedded_process() as (port, pid):
            yield port, pid, ""
    else:
        with servers.database() as database, servers.gunicorn_process() as (port, pid):
            yield port, pid, database.rpartition("/")[2]


def main(port: int, pid: int, email: str, password: str, rounds: int, embedded: bool) -> None:
    with own_server(embedded) as own:
        both = [ours(*own), planka(port, pid, email, password)]
        found: dict[str, list[list[tuple[float, float]]]] = {}
        for _round in range(rounds):
            prepared = [(service, calls()) for service, calls in both]
            for name in prepared[0][1]:
                times = BOARDS if name in ("20 boards", "500 cards") else CARDS
                costs = [service.cost(calls[name], times) for service, calls in prepared]
                found.setdefault(name, []).append(costs)
        for name, costs in found.items():
            report(name, costs, embedded)


def report(name: str, rounds: list[list[tuple[float, float]]], embedded: bool) -> None:
    ratios = sorted(sum(theirs) / sum(own) for own, theirs in rounds)
    middles = [[statistics.median(part) for part in zip(*side, strict=True)] for side in zip(*rounds, strict=True)]
    (server, database), (their_server, their_database) = middles
    print(
        f"{name:20} {server:5.2f} + {database:.2f} ms   Planka {their_server:5.2f} + {their_database:.2f} ms   "
        f"ratio {statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})",
        flush=True,
    )
    figures = {
        "Taskboard": f"{server:.2f} ms" if embedded else f"{server:.2f} + {database:.2f} ms",
        "Planka": f"{their_server:.2f} + {their_database:.2f} ms",
        "Ratio (rounds)": f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})",
    }
    record("beside", f"`bin/serve`: {name}" if embedded else name, figures)


if __name__ == "__main__":
    own_port, own_pid, own_email, own_password, *more = sys.argv[1:]
    main(int(own_port), int(own_pid), own_email, own_password, int(more[0]) if more else 3, "embedded" in more)
