"""Time agent tools beside the REST calls that do the same work, each pair in turns within one run.

    .venv/bin/python -m benchmarks.mcp [seconds a figure]
    .venv/bin/python -m benchmarks.mcp processor [rounds]    # only the processor time, in this process

Needs PostgreSQL and Redis (DATABASE_URL, REDIS_URL; otherwise the local ones); gunicorn runs one worker. A task comes with
its comments and checklists, which take two calls more of REST.
"""

import itertools
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks import load, servers
from benchmarks.calls import Caller
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


def connections(port: int, data: Data) -> dict[str, Connect]:
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
        "create_task": call("create_task", **new),
    }
    agents = {name: (load.request("POST", "/api/v1/mcp", token, body), 200) for name, body in tools.items()}
    return {name: connection(port, *parts) for name, parts in (rest | agents).items()}


def message(method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


def call(tool: str, **arguments: object) -> bytes:
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
}


def main(seconds: float) -> None:
    with servers.database(), servers.gunicorn() as port:
        data = make_data()
        connects = connections(port, data)
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


def pairs(data: Data, task: str) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Return calls of tools and the REST calls that do the same. Those that write must change something each time."""
    from boards.actions.cards.labels import create_label
    from boards.actor import Actor
    from boards.models import Card

    card = Card.objects.select_related("created_by", "board").get(pk=task)
    label = create_label(actor=Actor(card.created_by), board_id=card.board_id, name="Bug")
    lists = [str(pk) for pk in card.board.lists.values_list("pk", flat=True)[:2]]
    caller, token = Caller(), {"HTTP_AUTHORIZATION": f"Bearer {data['value']}"}
    numbers, sides, marks = itertools.count(), itertools.cycle(lists), itertools.cycle([["Bug"], []])
    address, board = f"/api/v1/cards/{task}", str(card.board_id)
    whole = {"title": "A card", "listId": lists[0]}
    many = [{"title": f"Card {place}"} for place in range(20)]

    def tool(name: str, **arguments: object) -> bytes:
        answer = caller.call("POST", "/api/v1/mcp", token, call(name, **arguments))
        if b'"isError":true' in answer:
            raise RuntimeError(answer)
        return answer

    def rest(method: str, path: str, **body: object) -> bytes:
        return caller.call(method, path, token, json.dumps(body).encode())

    def get(*paths: str) -> list[bytes]:
        return [caller.call("GET", path, token) for path in paths]

    return {
        "get_task": (
            lambda: tool("get_task", taskId=task),
            lambda: get(address, f"{address}/comments", f"{address}/checklists"),
        ),
        "search_tasks": (
            lambda: tool("search_tasks", query="even", status="open", limit=20),
            lambda: get("/api/v1/cards?q=even&status=open&limit=20"),
        ),
        "create_task": (lambda: tool("create_task", **whole), lambda: rest("POST", "/api/v1/cards", **whole)),
        "create_task, label and person": (
            lambda: tool("create_task", **whole, labels=["Bug"], assignees=["me"]),
            lambda: rest("POST", "/api/v1/cards", **whole, labelIds=[str(label.pk)], assigneeIds=[str(data["user"])]),
        ),
        "update_task, title": (
            lambda: tool("update_task", taskId=task, title=f"Title {next(numbers)}"),
            lambda: rest("PATCH", address, title=f"Title {next(numbers)}"),
        ),
        "update_task, label": (
            lambda: tool("update_task", taskId=task, labels=next(marks)),
            lambda: rest("PATCH", address, labelIds=[str(label.pk)] if next(marks) else []),
        ),
        "move_task": (
            lambda: tool("move_task", taskId=task, listId=next(sides)),
            lambda: rest("POST", f"{address}/move", listId=next(sides)),
        ),
        "create_tasks, 20": (
            lambda: tool("create_tasks", boardId=board, tasks=many),
            lambda: rest("POST", "/api/v1/cards/batch", cards=[{**one, "boardId": board} for one in many]),
        ),
    }


def processor(rounds: int) -> None:
    """Print the processor time of this process for a call of a tool and of REST, in turns: the mean of the best tenth."""
    with servers.database():
        data = make_data()
        for name, both in pairs(data, make_cards(data)).items():
            times: tuple[list[float], list[float]] = ([], [])
            for _round in range(rounds):
                for send, taken in zip(both, times, strict=True):
                    began = time.process_time()
                    send()
                    taken.append(time.process_time() - began)
            tool, rest = (1000 * statistics.mean(sorted(taken)[: max(1, rounds // 10)]) for taken in times)
            print(f"{name:30} {tool:6.2f} ms   REST {rest:6.2f} ms   tool to REST: {tool / rest:.2f}", flush=True)
            figures = {"Tool": f"{tool:.2f} ms", "REST": f"{rest:.2f} ms", "Tool to REST": f"{tool / rest:.2f}"}
            record("mcp-processor", name, figures)


if __name__ == "__main__":
    if sys.argv[1:2] == ["processor"]:
        processor(int(sys.argv[2]) if len(sys.argv) > 2 else 400)
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 6)
