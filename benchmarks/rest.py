"""Load each REST endpoint at concurrency 1 and 8, beside the same database work in bare psycopg in the same run.

    .venv/bin/python -m benchmarks.rest [seconds a figure]

Needs PostgreSQL and Redis (DATABASE_URL, REDIS_URL; otherwise the local ones). Compare ratios only: machines differ.
"""

import json
import sys
from collections.abc import Callable

from benchmarks import load, servers
from benchmarks.bare import Bare
from benchmarks.results import record


def make_data() -> dict[str, object]:
    """Make one account with 20 boards of 5 lists and a token; return their ids and the token's value."""
    import django

    django.setup()
    from accounts.models import User
    from accounts.models.token import digest_of
    from accounts.tokens import create_token
    from boards.actions.boards.board import create_board
    from boards.actions.lists.list import create_list
    from boards.actor import Actor

    user = User.objects.create_user("load@example.com", None, name="Load", plan_id="pro")
    actor = Actor(user)
    for number in range(20):
        board = create_board(actor=actor, title=f"Board {number}")
        lists = [create_list(actor=actor, board_id=board.pk, title=f"List {place}") for place in range(5)]
    _token, value = create_token(user, "benchmark")
    return {"user": user.pk, "value": value, "digest": digest_of(value), "board": board.pk, "list": lists[0].pk}


def over_http(port: int, data: dict[str, object]) -> dict[str, Callable[[], Callable[[], None]]]:
    token = str(data["value"])
    body = json.dumps({"title": "A card", "listId": str(data["list"])}).encode()
    requests = {
        "GET me": (load.request("GET", "/api/v1/me", token), 200),
        "GET boards": (load.request("GET", "/api/v1/boards", token), 200),
        "POST cards": (load.request("POST", "/api/v1/cards", token, body), 201),
        "POST boards": (load.request("POST", "/api/v1/boards", token, b'{"title": "B", "template": "kanban"}'), 201),
    }

    def caller(request: bytes, expected: int) -> Callable[[], Callable[[], None]]:
        def make() -> Callable[[], None]:
            http = load.Http(port)
            return lambda: http.send(request, expected) and None

        return make

    return {name: caller(*parts) for name, parts in requests.items()}


def main(seconds: float) -> None:
    with servers.database() as address, servers.gunicorn() as port:
        data = make_data()

        def bare(name: str) -> Callable[[], Callable[[], None]] | None:
            method = {"GET me": "me", "GET boards": "boards", "POST cards": "create_card"}.get(name)
            if method is None:
                return None
            return lambda: getattr(Bare(address, data["digest"], data["user"], data["list"]), method)

        rates = {}
        for name, call in over_http(port, data).items():
            for concurrency in (1, 8):
                measured = load.run(call, concurrency=concurrency, seconds=seconds)
                rates[name, concurrency] = measured.rate
                print(f"{name:12} x{concurrency}  {measured}", end="")
                figures = {"Requests/s": f"{measured.rate:.0f}", **measured.percentiles()}
                if other := bare(name):
                    beside = load.run(other, concurrency=concurrency, seconds=seconds)
                    print(f"   bare psycopg {beside}   ratio {measured.rate / beside.rate:.2f}")
                    figures |= {"Bare psycopg/s": f"{beside.rate:.0f}", "Ratio": f"{measured.rate / beside.rate:.2f}"}
                else:
                    print()
                record("rest", f"{name}, {concurrency} at once", figures)
        ratio = f"{rates['GET boards', 1] / rates['POST cards', 1]:.2f}"
        print(f"GET boards / POST cards, one at a time: {ratio}")
        record("rest", "GET boards to POST cards, 1 at once", {"Ratio": ratio})


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5)
