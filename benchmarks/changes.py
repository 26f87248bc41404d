"""Time list_changes and overview, which agents ask first, over two million changes and 100,000 cards of twenty boards.

.venv/bin/python -m benchmarks.changes [changes] [cards] [rounds]
"""

import os
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

from benchmarks import servers
from benchmarks.export import embedded_database
from benchmarks.results import record

BOARDS = 20
A_DAY = 2000  # changes of a board
NUMBERS = {
    "postgresql": "SELECT generate_series(1, %s) AS n",
    "sqlite": "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %s) SELECT n FROM s",
}
OWN = {  # a new id, and the moment n changes ago
    "postgresql": ("gen_random_uuid()", "now() - make_interval(secs => ({last} - n) * {each})"),
    "sqlite": ("lower(hex(randomblob(16)))", "datetime('now', '-' || (({last} - n) * {each}) || ' seconds')"),
}


def make_data(changes: int, cards: int) -> object:
    import django  # here and below: Django reads the environment, which was set just before

    django.setup()
    from django.db import connection
    from django.utils import timezone

    from accounts.models import User
    from accounts.tokens import create_token
    from boards.actions.boards.board import create_board
    from boards.actor import Actor
    from boards.models import Activity, Board, Card

    user = User.objects.create_user("much@example.com", None, name="Much", plan_id="pro")
    made_id, made_at = OWN[connection.vendor]
    last, now = changes // BOARDS, timezone.now()
    for number in range(BOARDS):
        board = create_board(actor=Actor(user), title=f"Board {number}", template="kanban")
        lists = list(board.lists.all())
        rows = [
            Card(
                board=board,
                list=lists[place % 3],
                number=place + 1,
                position=place,
                title=f"Card {place}",
                created_by=user,
                due_at=now + timedelta(hours=place % 200 - 100) if place % 2 else None,
                version=place + 1,
            )
            for place in range(cards // BOARDS)
        ]
        Card.objects.bulk_create(rows, 1000)
        Activity.objects.filter(board=board).delete()
        at = made_at.format(last=last, each=86400 // A_DAY)
        key = board.pk if connection.vendor == "postgresql" else board.pk.hex
        changed = rows[0].pk if connection.vendor == "postgresql" else rows[0].pk.hex
        query = (
            "INSERT INTO boards_activity (id, verb, user_id, door, token_name, subject, data, created_at, board_id, version, card_id)"
            f" SELECT {made_id}, 'card.moved', (SELECT id FROM accounts_user), 'web', '',"
            " '{}', '{}',"
            f" {at}, %s, n, CASE WHEN n > 0 THEN %s END FROM ({NUMBERS[connection.vendor]}) numbers"
        )
        with connection.cursor() as cursor:
            cursor.execute(query, [key, changed, last])
        Board.objects.filter(pk=board.pk).update(version=last)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return create_token(user, "Robot")[0]


def measure(token: object, rounds: int, kind: str) -> None:
    from mcpserver.caller import Caller
    from mcpserver.core import encode
    from mcpserver.tools import TOOLS

    caller = Caller(token)
    calls = {
        "list_changes, the last week": ("list_changes", {}),
        "list_changes, from the beginning": ("list_changes", {"since": datetime(1970, 1, 2, tzinfo=UTC)}),
        "overview": ("overview", {}),
    }
    for name, (tool, arguments) in calls.items():
        times, answer = [], b""
        for _round in range(rounds):
            start = time.perf_counter()
            answer = encode(TOOLS[tool].function(caller, dict(arguments)))
            times.append((time.perf_counter() - start) * 1000)
        print(f"{name:34} p50 {statistics.median(times):7.1f} ms  {len(answer)} bytes", flush=True)
        record("changes", name, {kind: f"{statistics.median(times):.1f} ms"})
    show_plans()


def show_plans() -> None:
    """Print how the database reads changes, and finds the number of the last one at a moment."""
    from django.db import connection
    from django.utils import timezone

    from boards.models import Board
    from boards.reading.changes import Span, change_query, query_at

    boards = list(Board.objects.all())
    print(change_query([Span(board.pk, board.version - 50, board.version) for board in boards]).explain())
    query, params = query_at([board.pk for board in boards], timezone.now() - timedelta(days=7))
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {'QUERY PLAN' if connection.vendor == 'sqlite' else ''} {query}", params)
        print("\n".join(str(row[-1]) for row in cursor.fetchall()))


def main(changes: int, cards: int, rounds: int) -> None:
    for kind in ("PostgreSQL", "SQLite"):  # in a process each, because settings are read once a process
        print(f"{kind}, {changes} changes, {cards} cards", flush=True)
        command = [sys.executable, "-m", "benchmarks.changes", *map(str, (changes, cards, rounds)), kind]
        subprocess.run(command, cwd=servers.ROOT, check=True, env=os.environ)


if __name__ == "__main__":
    amounts = [int(number) for number in sys.argv[1:4]] + [2_000_000, 100_000, 20][len(sys.argv[1:4]) :]
    if len(sys.argv) > 4:
        with servers.database() if sys.argv[4] == "PostgreSQL" else embedded_database():
            measure(make_data(amounts[0], amounts[1]), amounts[2], sys.argv[4])
    else:
        main(*amounts)
