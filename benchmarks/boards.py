"""Makes large boards at once, without their history: what is measured is how they are shown."""

import os
import random
from datetime import timedelta
from typing import Any

from benchmarks.live import session_cookie

WORDS = (
    "plan",
    "write",
    "invoice",
    "review",
    "the",
    "garden",
    "order",
    "ship",
    "call",
    "fix",
    "roof",
    "draft",
    "for",
    "page",
)


def prepare(folder: str) -> None:
    """Point this process at an embedded database in `folder` and migrate it."""
    os.environ |= {"TASKBOARD_DATA": folder, "DJANGO_SETTINGS_MODULE": "taskboard.settings"}
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def make_user(email: str = "scale@example.com") -> Any:
    from accounts.models import User

    return User.objects.filter(email=email).first() or User.objects.create_user(email, None, name="Sam", plan_id="pro")


def make_board(user: Any, cards: int, lists: int) -> Any:
    """Make a board whose cards look like those of people: labels, due dates, comments, checklists, descriptions."""
    from django.utils import timezone

    from boards.actions.boards.board import create_board
    from boards.actor import Actor
    from boards.models import Assignment, Board, Card, CardLabel, Checklist, ChecklistItem, Comment, List
    from core.text.folding import fold

    chance = random.Random(cards)
    board = create_board(actor=Actor(user), title=f"{cards} cards in {lists} lists", template="kanban")
    labels = list(board.labels.all())
    List.objects.filter(board=board).delete()
    rows = List.objects.bulk_create(
        List(board=board, title=f"List {number + 1}", position=(number + 1) * 2**32) for number in range(lists)
    )
    text = {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "word " * 200}]}]}
    now, made = timezone.now(), []
    for number in range(cards):
        title = " ".join(chance.choice(WORDS) for _ in range(chance.randint(2, 9)))
        card = Card(
            board=board,
            list=rows[number % lists],
            number=number + 1,
            position=(number // lists + 1) * 2**32,
            title=title,
            description=text if number % 3 == 0 else None,
            search_text=fold(title),
            due_at=now + timedelta(hours=chance.randint(-500, 1500)) if number % 4 == 0 else None,
            completed_at=now if number % 7 == 0 else None,
            created_by=user,
        )
        made.append(card)
    Card.objects.bulk_create(made, 500)
    CardLabel.objects.bulk_create(
        [CardLabel(board=board, card=card, label=chance.choice(labels)) for card in made[::2]], 500
    )
    Assignment.objects.bulk_create([Assignment(board=board, card=card, user=user) for card in made[::3]], 500)
    steps = Checklist.objects.bulk_create(
        [Checklist(board=board, card=card, title="Steps", position=1) for card in made[::10]], 500
    )
    ChecklistItem.objects.bulk_create(
        [ChecklistItem(board=board, card=one.card, checklist=one, text="One", position=1) for one in steps], 500
    )
    Comment.objects.bulk_create([Comment(board=board, card=card, author=user, body="Yes") for card in made[::8]], 500)
    Board.objects.filter(pk=board.pk).update(last_card_number=cards)
    return board


def sign_in(user: Any) -> str:
    return session_cookie(user.pk)
