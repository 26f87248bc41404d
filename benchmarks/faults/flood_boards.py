"""The start page and others of an account with 2,000 boards, while nearly all cards of the database are on one board.

    .venv/bin/python -m benchmarks.faults.flood_boards [boards] [cards]

With DATABASE_URL on a new database of that PostgreSQL, else on a new SQLite file. The statistics are brought up to date first,
so that the planner believes what misleads it. Times are processor time of this process; that of PostgreSQL is in `slowest`.
"""

import contextlib
import os
import sys
import tempfile
import time

from benchmarks import servers
from benchmarks.results import record

PARTS = ("/jump?q=board+19", "/destinations")  # which a page asks for
OTHERS = ("/boards/new", "/boards/archived", *PARTS, "/notifications", "/settings/profile", "/settings/data")


def fill(boards: int, cards: int) -> object:
    from django.db import connection

    from accounts.models import User
    from boards.actions.boards.board import create_board
    from boards.actions.cards.card import create_cards, draft_card
    from boards.actions.lists.list import create_list
    from boards.actor import Actor
    from boards.models import Board, List, Membership

    user = User.objects.create_user("many@example.com", None, name="Many", plan_id="pro")
    other = User.objects.create_user("big@example.com", None, name="Big", plan_id="pro")
    big = create_board(actor=Actor(other), title="Big", template="blank")
    row = create_list(actor=Actor(other), board_id=big.pk, title="All")
    create_cards(actor=Actor(other), list_id=row.pk, drafts=(draft_card(title=f"Card {n}") for n in range(cards)))
    made = Board.objects.bulk_create(Board(title=f"Board {number}", version=1) for number in range(boards))
    Membership.objects.bulk_create(Membership(board=board, user=user, role="owner", version=1) for board in made)
    List.objects.bulk_create(List(board=board, title="To do", position=1, version=1) for board in made)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return user.pk


def main(boards: int, cards: int) -> None:
    with contextlib.ExitStack() as stack:
        if "DATABASE_URL" in os.environ:
            stack.enter_context(servers.database())
            os.environ.pop("REDIS_URL", None)
        else:
            data = tempfile.mkdtemp(prefix="taskboard-boards-")
            os.environ |= {"TASKBOARD_DATA": data, "DJANGO_SETTINGS_MODULE": "taskboard.settings"}
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection
        from django.test import Client
        from django.test.utils import CaptureQueriesContext

        from taskboard.serving.static_files import prepare_static_files

        call_command("migrate", verbosity=0)
        prepare_static_files()
        from accounts.models import User
        from boards.reader import Reader
        from boards.reading.boards import boards_with_counts

        user = User.objects.get(pk=fill(boards, cards))
        client = Client(SERVER_NAME="127.0.0.1")
        client.force_login(user)
        for number in range(3):
            start = time.process_time()
            boards_with_counts(Reader(user))
            read = time.process_time() - start
            with CaptureQueriesContext(connection) as statements:
                start = time.process_time()
                answer = client.get("/")
                whole = time.process_time() - start
            size = len(answer.content) / 1000
            print(f"{number + 1}: read {read * 1000:5.0f} ms, page {whole * 1000:5.0f} ms, {size:.0f} kB,"
                  f" {len(statements)} statements, slowest {max(float(one['time']) for one in statements):.3f} s")  # fmt: skip
        kind = "PostgreSQL" if "DATABASE_URL" in os.environ else "SQLite"
        record("boards", f"the start page of {boards:,} boards", {kind: f"{whole * 1000:.0f} ms"})
        for path in OTHERS:
            times = []
            for _number in range(3):
                start = time.process_time()
                answer = client.get(path, headers={"HX-Request": "true"} if path in PARTS else {})
                times.append(time.process_time() - start)
            size = len(answer.content) / 1000
            print(f"{path}: {answer.status_code}, {min(times) * 1000:.0f} ms, {size:.0f} kB")
        connection.close()


if __name__ == "__main__":
    main(*(int(value) for value in [*sys.argv[1:], "2000", "20000"][:2]))
