"""A card with 2,000 comments of 500 characters and 20 checklists of 100 items, on a board of 200 lists: what answers hold.

    .venv/bin/python -m benchmarks.faults.flood_card

In one process, on a new SQLite file; processor time, the best of three.
"""

import os
import tempfile
import time
from collections.abc import Callable
from typing import Any

from benchmarks.results import record


def make_card() -> tuple[Any, Any]:
    from accounts.models import User
    from boards.actions.boards.board import create_board
    from boards.actions.cards.card import create_card
    from boards.actor import Actor
    from boards.models import Checklist, ChecklistItem, Comment, List

    user = User.objects.create_user("card@example.com", None, name="Card", plan_id="pro")
    board = create_board(actor=Actor(user), title="Big", template="kanban")
    List.objects.bulk_create(
        List(board=board, title=f"List {n}", position=(n + 9) << 32, version=1) for n in range(200)
    )
    card = create_card(actor=Actor(user), board_id=board.pk, title="Big card")
    mine: dict[str, Any] = {"board": board, "card": card, "version": card.version}
    body = "Some **words** about it, and [a link](https://example.com). " * 9
    Comment.objects.bulk_create(Comment(author=user, body=f"{n}: {body}"[:500], **mine) for n in range(2000))
    lists = Checklist.objects.bulk_create(Checklist(title=f"Steps {n}", position=n, **mine) for n in range(20))
    ChecklistItem.objects.bulk_create(
        ChecklistItem(checklist=row, text=f"Item {n}", position=n, **mine) for row in lists for n in range(100)
    )
    return user, card


def main() -> None:
    os.environ |= {
        "TASKBOARD_DATA": tempfile.mkdtemp(prefix="taskboard-card-"),
        "DJANGO_SETTINGS_MODULE": "taskboard.settings",
    }
    os.environ.pop("DATABASE_URL", None)
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client

    from boards.actions.cards.comments import add_comment
    from boards.actor import Actor
    from boards.models import Card
    from taskboard.serving.static_files import prepare_static_files

    call_command("migrate", verbosity=0)
    prepare_static_files()
    user, card = make_card()
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(user)

    def at() -> str:
        return str(Card.objects.get(pk=card.pk).version)

    def form() -> Any:
        return client.post(
            f"/card/{card.pk}/title",
            {"title": f"Title {at()}"},
            HTTP_HX_REQUEST="true",
            HTTP_X_OPEN_CARD=f"{card.pk} {at()}",
        )

    def comment() -> Any:
        before = at()
        add_comment(actor=Actor(user), card_id=card.pk, text="One more")
        return client.get(f"/card/{card.pk}?since={before}", HTTP_HX_REQUEST="true")

    told("open the card", lambda: client.get(f"/card/{card.pk}", HTTP_HX_REQUEST="true"))
    told("its page", lambda: client.get(card.get_absolute_url()))
    told("edit its title", form)
    told("a comment by somebody else (with writing it)", comment)


def told(name: str, ask: Callable[[], Any]) -> None:
    times, size = [], 0
    for _number in range(3):
        start = time.process_time()
        size = len(ask().content)
        times.append(time.process_time() - start)
    print(f"{name}: {min(times) * 1000:.0f} ms, {size / 1000:.1f} kB")
    record("card", name, {"Processor time": f"{min(times) * 1000:.0f} ms", "Size": f"{size / 1000:.1f} kB"})


if __name__ == "__main__":
    main()
