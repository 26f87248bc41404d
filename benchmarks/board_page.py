"""The first HTML of a board with 5,000 cards in 10 lists, from the embedded default (one process, SQLite).

.venv/bin/python -m benchmarks.board_page
"""

import gzip
import os
import sys
import tempfile
import time
import urllib.request

from benchmarks import servers

CARDS, LISTS, TIMES = 5000, 10, 7


def make_board() -> tuple[object, str]:
    """Make a board whose cards have labels, due dates and checklists; return its id and the cookie of a session."""
    import django

    django.setup()
    from datetime import timedelta

    from django.core.management import call_command
    from django.utils import timezone

    call_command("migrate", verbosity=0)
    from accounts.models import User
    from benchmarks.live import session_cookie
    from boards.actions.boards.board import create_board
    from boards.actions.cards.card import create_cards, draft_card
    from boards.actions.cards.checklists import add_item, create_checklist
    from boards.actions.cards.labels import add_label
    from boards.actions.lists.list import create_list
    from boards.actor import Actor

    user = User.objects.create_user("page@example.com", None, name="Page", plan_id="pro")
    actor = Actor(user)
    board = create_board(actor=actor, title="Five thousand", template="kanban")
    label = board.labels.first()
    lists = [create_list(actor=actor, board_id=board.pk, title=f"List {number}") for number in range(LISTS)]
    cards = []
    for place, row in enumerate(lists):
        drafts = (
            draft_card(
                title=f"Card number {number}",
                due_at=timezone.now() + timedelta(days=number % 30) if number % 3 == 0 else None,
            )
            for number in range(place, CARDS, LISTS)
        )
        cards += create_cards(actor=actor, list_id=row.pk, drafts=drafts)
    for number, card in enumerate(cards):
        if number % 4 == 0:
            add_label(actor=actor, card_id=card.pk, label_id=label.pk)
        if number % 10 == 0:
            steps = create_checklist(actor=actor, card_id=card.pk, title="Steps")
            add_item(actor=actor, checklist_id=steps.pk, text="One")
    return board.pk, session_cookie(user.pk)


def main() -> None:
    os.environ |= {
        "TASKBOARD_DATA": tempfile.mkdtemp(prefix="taskboard-benchmark-"),
        "DJANGO_SETTINGS_MODULE": "taskboard.settings",
    }
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("REDIS_URL", None)
    board_id, cookie = make_board()
    with servers.started([sys.executable, "manage.py", "serve", "--port"]) as (port, _process):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/board/{board_id}", headers={"Cookie": cookie})
        urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz").close()  # waits until the first start is complete
        for number in range(TIMES):
            start = time.perf_counter()
            with urllib.request.urlopen(request) as answer:
                first = answer.read(1)
                begun = time.perf_counter() - start
                html = first + answer.read()
            whole = time.perf_counter() - start
            print(f"{number + 1}: first byte {begun * 1000:5.0f} ms, all of it {whole * 1000:5.0f} ms")
        print(
            f"{html.count(b'<li class=')} tiles, {len(html) / 1000:.0f} kB, {len(gzip.compress(html)) / 1000:.0f} kB gzipped"
        )


if __name__ == "__main__":
    main()
