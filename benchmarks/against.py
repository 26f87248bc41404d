"""The processor time of what people do all day, beside another checkout, in turns: of each server and its PostgreSQL processes.

    .venv/bin/python -m benchmarks.against CHECKOUT [rounds] [part of the name of a call]

Both checkouts have the same packages and migrations. Each runs gunicorn with one worker of 4 threads on a copy of the same
PostgreSQL database, with Redis; limits are off. Each has one connection here, one request after the other. The size of a
large board is what goes over the wire.
"""

import contextlib
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from benchmarks import servers
from benchmarks.beside import Service
from benchmarks.boards import make_board
from benchmarks.results import record

REQUESTS = 100  # a round
CSRF = "c" * 32
LISTS, CARDS = 5, 100  # of a board among which cards move, and of each list
BOARDS = 200  # of the start page
HISTORIES, LINES = 20, 50  # cards with a long history, and its lines
LARGE, LARGE_LISTS = 20_000, 200  # cards and lists of the large board

Data = dict[str, Any]
Call = Callable[[], object]


def make_data() -> Data:
    """Make two boards, an account with many boards and a large board. Return ids and the cookies of sessions."""
    import django  # here and below: the environment that Django reads is set just before

    django.setup()
    from django.db import connections

    from accounts.models import User
    from accounts.tokens import create_token

    names = ("mover", "owner", "large")
    mover, owner, large = (
        User.objects.create_user(f"{name}@example.com", None, name=name, plan_id="pro") for name in names
    )
    _token, value = create_token(mover, "benchmark")
    first, second = (_board_of_cards(mover, f"Board {number}") for number in (1, 2))
    _add_parts(mover, first["cards"][1][0], first["board"])
    data = {
        "people": {name: str(person.pk) for name, person in zip(names, (mover, owner, large), strict=True)},
        "token": value,
        "first": first,
        "second": second,
        "histories": [_with_history(mover, card, first) for card in first["cards"][-1][:HISTORIES]],
        "large": str(make_board(large, LARGE, LARGE_LISTS).pk),
    }
    _many_boards(owner, mover)
    with connections["default"].cursor() as cursor:
        cursor.execute("ANALYZE")
    connections.close_all()
    connections["default"].close_pool()  # type: ignore[attr-defined]  # a database that is copied has no connections
    return data


def _board_of_cards(owner: Any, title: str) -> Data:
    from boards.actions.boards.board import create_board
    from boards.actions.cards.card import create_cards, draft_card
    from boards.actions.lists.list import create_list
    from boards.actor import Actor

    actor = Actor(owner)
    board = create_board(actor=actor, title=title)
    lists, cards = [], []
    for number in range(LISTS):
        lists.append(create_list(actor=actor, board_id=board.pk, title=f"List {number}").pk)
        drafts = (draft_card(title=f"Card {place} of list {number}") for place in range(CARDS))
        cards.append([str(card.pk) for card in create_cards(actor=actor, list_id=lists[-1], drafts=drafts)])
    return {"board": str(board.pk), "lists": list(map(str, lists)), "cards": cards}


def _add_parts(owner: Any, card_id: str, board_id: str) -> None:
    """Give the card a label, an assignee, a checklist and a comment."""
    from boards.actions.cards.assignments import assign
    from boards.actions.cards.checklists import add_item, create_checklist
    from boards.actions.cards.comments import add_comment
    from boards.actions.cards.labels import add_label, create_label
    from boards.actor import Actor

    actor, pk = Actor(owner), _uuid(card_id)
    label = create_label(actor=actor, board_id=_uuid(board_id), name="Bug")
    add_label(actor=actor, card_id=pk, label_id=label.pk)
    assign(actor=actor, card_id=pk, user_id=owner.pk)
    add_item(actor=actor, checklist_id=create_checklist(actor=actor, card_id=pk, title="Steps").pk, text="One")
    add_comment(actor=actor, card_id=pk, text="Yes")


def _with_history(owner: Any, card_id: str, board: Data) -> str:
    """Change the card often enough; the changes are of several kinds and of several minutes. Return its id."""
    from datetime import date, timedelta

    from django.utils import timezone

    from boards.actions.cards.card import complete_card, reopen_card, update_card
    from boards.actions.cards.moves import move_card
    from boards.actor import Actor
    from boards.models import Activity

    actor = Actor(owner)
    pk = _uuid(card_id)
    kinds: list[Callable[[int], object]] = [
        lambda number: update_card(actor=actor, card_id=pk, title=f"Title {number}"),
        lambda number: update_card(actor=actor, card_id=pk, due_day=date(2027, 1, 1) + timedelta(number)),
        lambda number: complete_card(actor=actor, card_id=pk),
        lambda number: reopen_card(actor=actor, card_id=pk),
        lambda number: move_card(actor=actor, card_id=pk, list_id=_uuid(board["lists"][number % LISTS])),
    ]
    for number in range(LINES - 1):
        kinds[number % len(kinds)](number)
    now = timezone.now()
    for ago, line in enumerate(Activity.objects.filter(card_id=pk)):
        Activity.objects.filter(pk=line.pk).update(created_at=now - timedelta(minutes=20 * ago))
    return card_id


def _many_boards(owner: Any, other: Any) -> None:
    from boards.actions.boards.board import create_board
    from boards.actions.cards.card import create_cards, draft_card
    from boards.actor import Actor
    from boards.models import List, Membership, Role

    actor = Actor(owner)
    for number in range(BOARDS):
        board = create_board(actor=actor, title=f"Board {number}", template="kanban")
        Membership.objects.create(board=board, user=other, role=Role.EDITOR)
        drafts = (draft_card(title=f"Card {place}") for place in range(10))
        create_cards(actor=actor, list_id=List.objects.filter(board=board)[0].pk, drafts=drafts)


def _uuid(text: str) -> Any:
    from uuid import UUID

    return UUID(text)


class Browser:
    """Sends what the pages of one account send."""

    def __init__(self, send: Callable[..., bytes], cookie: str) -> None:
        self._send, self._cookie = send, cookie

    def get(self, path: str, **headers: str) -> bytes:
        return self._send("GET", path, None, Cookie=self._cookie, **{"Accept-Encoding": "gzip"}, **headers)

    def post(self, path: str, **values: str) -> bytes:
        headers = {
            "Cookie": f"{self._cookie}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "HX-Request": "true",
            "X-Open-Card": "",
            "Accept-Encoding": "gzip",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return self._send("POST", path, urllib.parse.urlencode(values).encode(), **headers)


def calls_of(data: Data, cookies: Mapping[str, str], send: Callable[..., bytes]) -> dict[str, Call]:
    mover, owner = (Browser(send, cookies[name]) for name in ("mover", "owner"))
    here, there = data["first"], data["second"]
    bearer = {"Authorization": f"Bearer {data['token']}"}

    def drag(card: str, board: Data, into: str, after: str = "", before: str = "") -> object:
        beside = {"after": after, "before": before} if after else {"where": "bottom"}
        return mover.post(f"/board/{board['board']}/cards", card=card, list=into, quiet="1", **beside)

    def move(board: Data, into: int, after: int) -> Call:
        """Return a drop between two cards of a list."""
        return partial(drag, moved, board, board["lists"][into], *board["cards"][into][after : after + 2])

    moved, travels, over_rest = here["cards"][0][0], here["cards"][1][0], here["cards"][2][0]
    boards = ((here, there["lists"][0]), (there, here["lists"][0]))
    places = [json.dumps({"listId": here["lists"][2], "place": place}).encode() for place in ("top", "bottom")]
    rest = [partial(send, "POST", f"/api/v1/cards/{over_rest}/move", body, **bearer, **JSON) for body in places]
    opened = [partial(mover.get, f"/card/{card}", **{"HX-Request": "true"}) for card in data["histories"]]
    return {
        "a card dragged in its list": in_turns(move(here, 0, 10), move(here, 0, 50)),
        "a card dragged to another list": in_turns(move(here, 1, 20), move(here, 0, 20)),
        "a card moved to another board": in_turns(*(partial(drag, travels, board, into) for board, into in boards)),
        "a card moved over REST": in_turns(*rest),
        f"a card opened, {LINES} lines of history": in_turns(*opened),
        f"the start page, {BOARDS} boards": lambda: owner.get("/"),
        "the page of the profile": lambda: mover.get("/settings/profile"),
    }


JSON = {"Content-Type": "application/json"}


def in_turns(*calls: Call) -> Call:
    turns = itertools.cycle(calls)
    return lambda: next(turns)()


@contextlib.contextmanager
def served(
    checkout: Path, database: str, folder: str, people: Mapping[str, str]
) -> Iterator[tuple[Service, dict[str, str]]]:
    """Run the checkout on this database and folder of data; yield cookies of sessions too, as this checkout makes them."""
    environment = {"DATABASE_URL": database, "TASKBOARD_DATA": folder}
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
    subprocess.run(command, cwd=checkout, env=os.environ | environment, check=True)
    cookies = {name: session_of(pk, checkout, environment) for name, pk in people.items()}
    with servers.gunicorn_process(cwd=checkout, **environment) as (port, pid):
        yield Service(port, pid, database.rpartition("/")[2]), cookies


def session_of(pk: str, checkout: Path, environment: dict[str, str]) -> str:
    made = f"import django; django.setup(); from benchmarks.live import session_cookie; print(session_cookie('{pk}'))"
    command = [sys.executable, "-c", made]
    found = subprocess.run(command, cwd=checkout, env=os.environ | environment, check=True, stdout=subprocess.PIPE)
    return found.stdout.decode().strip()


@contextlib.contextmanager
def copy_of(database: str) -> Iterator[str]:
    """Copy a PostgreSQL database to which nothing is connected."""
    name = database.rpartition("/")[2]
    with psycopg.connect(servers.POSTGRESQL, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}_before TEMPLATE {name}")
        try:
            yield f"{database}_before"
        finally:
            admin.execute(f"DROP DATABASE {name}_before WITH (FORCE)")


def main(checkout: Path, rounds: int, only: str) -> None:
    with contextlib.ExitStack() as stack:
        now = stack.enter_context(servers.database())
        data = make_data()
        folder = os.environ["TASKBOARD_DATA"]
        former = stack.enter_context(copy_of(now))
        copied = shutil.copytree(folder, tempfile.mkdtemp(prefix="taskboard-benchmark-"), dirs_exist_ok=True)
        sides = ((checkout, former, str(copied)), (servers.ROOT, now, folder))
        both = [stack.enter_context(served(*side, data["people"])) for side in sides]
        calls = [(service, calls_of(data, cookies, service.send)) for service, cookies in both]
        for name in calls[0][1]:
            if only in name:
                report(name, [[cost(service, named[name]) for service, named in calls] for _ in range(rounds)])
        compare_sizes(*(size_of_page(service, data, cookies["large"]) for service, cookies in both))


def cost(service: Service, call: Call) -> tuple[float, float]:
    return service.cost(call, REQUESTS)


def report(name: str, rounds: list[list[tuple[float, float]]]) -> None:
    ratios = sorted(sum(after) / sum(before) for before, after in rounds)
    middles = [[statistics.median(part) for part in zip(*side, strict=True)] for side in zip(*rounds, strict=True)]
    before, after = (f"{server:.2f} + {database:.2f} ms" for server, database in middles)
    ratio = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    print(f"{name:40} before {before}   now {after}   ratio {ratio}", flush=True)
    record("against", name, {"Before": before, "Now": after, "Ratio (rounds)": ratio})


def compare_sizes(before: int, after: int) -> None:
    name = f"{LARGE:,} cards in {LARGE_LISTS} lists, on the wire"
    print(f"{name:40} before {before / 1000:.0f} kB   now {after / 1000:.0f} kB   ratio {after / before:.2f}")
    figures = {"Before": f"{before / 1000:.0f} kB", "Now": f"{after / 1000:.0f} kB"}
    record("against", name, {**figures, "Ratio (rounds)": f"{after / before:.2f}"})


def size_of_page(service: Service, data: Data, cookie: str) -> int:
    service.connection.close()
    return len(Browser(service.send, cookie).get(f"/board/{data['large']}"))


if __name__ == "__main__":
    main(
        Path(sys.argv[1]).resolve(),
        int(sys.argv[2]) if len(sys.argv) > 2 else 3,
        sys.argv[3] if len(sys.argv) > 3 else "",
    )
