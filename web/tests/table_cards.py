"""Cards of a board and the address of its table, which tests of tables share."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from boards.actions.cards.card import complete_card, create_card
from boards.actions.cards.checklists import create_checklist
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import create_list
from boards.models import Board, Card
from conftest import web
from web.tests.browsing import browser


def html_of(user: User, path: str, **headers: str) -> str:
    return browser(user).get(path, **headers).content.decode()


def table_of(board: Board, query: str = "") -> str:
    return f"/board/{board.pk}/table{query}"


def add_items(card: Card, *, done: int, of: int) -> None:
    items = [(f"{place}", place < done) for place in range(of)]
    create_checklist(actor=web(card.created_by), card_id=card.pk, title="Steps", items=items)


@pytest.fixture
def cards(olga, ed, board, todo) -> dict[str, Card]:
    """Three cards in two lists: with all that a column shows, with a part of it, and with nothing."""
    doing = create_list(actor=web(olga), board_id=board.pk, title="Doing")
    far, near = timezone.now() + timedelta(days=9), timezone.now() + timedelta(days=3)
    made = {
        "beta": create_card(actor=web(olga), list_id=todo.pk, title="beta", due_at=far, assignee_ids=[olga.pk]),
        "Alpha": create_card(actor=web(olga), list_id=todo.pk, title="Alpha", due_at=near, assignee_ids=[ed.pk]),
        "Čilek": create_card(actor=web(olga), list_id=doing.pk, title="Čilek"),
    }
    for name, title in (("Writing", "beta"), ("Bug", "Alpha")):
        label = create_label(actor=web(olga), board_id=board.pk, name=name)
        add_label(actor=web(olga), card_id=made[title].pk, label_id=label.pk)
    complete_card(actor=web(olga), card_id=made["beta"].pk)
    return made
