import pytest

from boards.actions.cards.assignments import assign, unassign
from boards.actions.people.members import remove_member
from boards.errors import NotFound
from boards.models import Assignment
from boards.tests.world import last
from conftest import web


@pytest.mark.parametrize("who", ["olga", "ed", "vera"])
def test_every_member_can_be_assigned(card, ed, request, who):
    user = request.getfixturevalue(who)
    changed = assign(actor=web(ed), card_id=card.pk, user_id=user.pk)
    assert list(changed.assignees.all()) == [user]
    assert last(card.board).data == {"assignee": [None, user.name], "assignee_id": [None, str(user.pk)]}
    assert changed.version == last(card.board).version == Assignment.objects.get().version


def test_nobody_but_a_member_can_be_assigned(card, ed, stan):
    with pytest.raises(NotFound):
        assign(actor=web(ed), card_id=card.pk, user_id=stan.pk)
    assert not Assignment.objects.exists()


def test_a_member_is_assigned_only_once(card, ed, vera):
    first = assign(actor=web(ed), card_id=card.pk, user_id=vera.pk)
    assert assign(actor=web(ed), card_id=card.pk, user_id=vera.pk).version == first.version
    assert Assignment.objects.count() == 1


def test_a_member_is_unassigned(card, ed, vera, olga):
    assign(actor=web(ed), card_id=card.pk, user_id=vera.pk)
    assign(actor=web(ed), card_id=card.pk, user_id=olga.pk)
    changed = unassign(actor=web(ed), card_id=card.pk, user_id=vera.pk)
    assert list(changed.assignees.all()) == [olga]
    assert last(card.board).data == {"assignee": ["Vera", None], "assignee_id": [str(vera.pk), None]}


def test_unassigning_a_member_who_was_removed_meanwhile_changes_nothing(board, card, olga, vera):
    assign(actor=web(olga), card_id=card.pk, user_id=vera.pk)
    remove_member(actor=web(olga), board_id=board.pk, user_id=vera.pk)
    version = last(board).version
    assert unassign(actor=web(olga), card_id=card.pk, user_id=vera.pk).version == version
