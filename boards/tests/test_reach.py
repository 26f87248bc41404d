"""Rows found by their own id: members of an open board get them, and for other users they do not exist."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from boards.actions.boards.board import archive_board
from boards.errors import NotFound
from boards.models import Checklist, ChecklistItem, Comment, Role
from boards.reader import Reader
from boards.reading.reach import card_of, visible_label, visible_list
from boards.tests.world import World

# The function for each kind of row, and what it returns to members
WAYS: dict[str, tuple[Callable[[World, User], Any], Callable[[World], Any]]] = {
    "list": (lambda w, user: visible_list(w.todo.pk, Reader(user)), lambda w: (w.todo, Role.VIEWER)),
    "label": (lambda w, user: visible_label(w.bug.pk, Reader(user)), lambda w: (w.bug, Role.VIEWER)),
    "checklist": (lambda w, user: card_of(Checklist, w.steps.pk, Reader(user)), lambda w: w.card),
    "item": (lambda w, user: card_of(ChecklistItem, w.item.pk, Reader(user)), lambda w: w.card),
    "comment": (lambda w, user: card_of(Comment, w.comments[w.ed].pk, Reader(user)), lambda w: w.card),
}


@pytest.mark.parametrize("reach, found", WAYS.values(), ids=WAYS)
def test_a_member_of_any_role_gets_the_row(world, reach, found):
    assert reach(world, world.vera) == found(world)


@pytest.mark.parametrize("reach, found", WAYS.values(), ids=WAYS)
def test_a_stranger_does_not_get_the_row(world, reach, found):
    with pytest.raises(NotFound):
        reach(world, world.stan)


@pytest.mark.parametrize("reach, found", WAYS.values(), ids=WAYS)
def test_nobody_gets_a_row_of_an_archived_board(world, reach, found):
    archive_board(actor=world.by_olga, board_id=world.board.pk)
    with pytest.raises(NotFound):
        reach(world, world.olga)
