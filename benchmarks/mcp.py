"""Time agent tools beside the REST calls that do the same work, each pair in turns within one run.

    .venv/bin/python -m benchmarks.mcp [seconds a figure]

Needs PostgreSQL and Redis (DATABASE_URL, REDIS_URL; otherwise the local ones); gunicorn runs one worker. Reading and
finding tasks have no counterpart in REST, so they are compared with GET boards.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

from benchmarks import load, servers
from benchmarks.rest import make_data
from benchmarks.results import record

TURNS = 3
CARDS = 200
Connect = Callable[[], Callable[[], None]]
Data = dict[str, Any]


def make_cards(data: Data) -> str:
    """Make cards to find, half of them with a word in common; return the id of one with comments and a checklist."""
    from accounts.models import User
    from boards.actions.cards.card import create_card
    from boards.actions.cards.checklists import add_item, create_checklist
    from boards.actions.cards.comments import add_comment
    from boards.actor import Actor

    actor = Actor(User.objects.get(pk=data["user"]))
    for number in range(CARDS):
        word = "even" if number % 2 == 0 else "odd"
        card = create_card(actor=actor, list_id=data["list"], title=f"Card {number}", description=f"An {word} one.")
    for number in range(12):
        add_comment(actor=actor, card_id=card.pk, text=f"Comment {number}")
    checklist = create_checklist(actor=actor, card_id=card.pk, title="Steps")
    for number in range(5):
        add_item(actor=actor, checklist_id=checklist.pk, text=f"Step {number}")
    return str(card.pk)


def connections(port: int, data: Data, task: str) -> dict[str, Connect]:
    token = str(data["value"])
    new = {"title": "A card", "listId": str(data["list"])}
    rest = {
        "GET me": (load.request("GET", "/api/v1/me", token), 200),
        "GET boards": (load.request("GET", "/api/v1/boards", token), 200),
        "POST cards": (load.request("POST", "/api/v1/cards", token, json.dumps(new).encode()), 201),
    }
    tools = {
        "tools/list": message("tools/list"),
        "list_boards": call("list_boards"),
        "get_task": call("get_task", taskId=task),
        "search_tasks": call("search_tasks", query="even", status="open"),
        "create_task": call("create_task", **new),
    }
    agents = {name: (load.request("POST", "/api/v1/mcp", token, body), 200) for name, body in tools.items()}
    return {name: connection(port, *parts) for name, parts in (rest | agents).items()}


def message(method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


def call(tool: str, **arguments: str) -> bytes:
    return message("tools/call", name=tool, arguments=arguments)


def connection(port: int, request: bytes, expected: int) -> Connect:
    def connect() -> Callable[[], None]:
        http = load.Http(port)

        def send() -> None:
            if b'"isError":true' in http.send(request, expected):
                raise RuntimeError("the tool refused")

        return send

    return connect


PAIRS = {
    "tools/list": "GET me",
    "list_boards": "GET boards",
    "create_task": "POST cards",
    "get_task": "GET boards",
    "search_tasks": "GET boards",
}


def main(seconds: float) -> None:
    with servers.database(), servers.gunicorn() as port:
        data = make_data()
        connects = connections(port, data, make_cards(data))
        for tool, twin in PAIRS.items():
            for concurrency in (1, 8):
                rates: dict[str, list[float]] = {tool: [], twin: []}
                for _turn in range(TURNS):
                    for name in rates:
                        measured = load.run(connects[name], concurrency=concurrency, seconds=seconds / TURNS)
                        rates[name].append(measured.rate)
                mean = {name: sum(found) / TURNS for name, found in rates.items()}
                print(
                    f"{tool:12} x{concurrency} {mean[tool]:7.1f}/s   {twin:10} {mean[twin]:7.1f}/s   "
                    f"time of a call, tool to twin: {mean[twin] / mean[tool]:.2f}",
                    flush=True,
                )
                figures = {
                    "Calls/s": f"{mean[tool]:.0f}",
                    "REST call": twin,
                    "Its calls/s": f"{mean[twin]:.0f}",
                    "Time, tool to REST": f"{mean[twin] / mean[tool]:.2f}",
                }
                record("mcp", f"{tool}, {concurrency} at once", figures)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 6)
