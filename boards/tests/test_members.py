import pytest

from boards.actions.boards.board import create_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card, update_card
from boards.actions.people.members import change_role, remove_member
from boards.actions.sharing.invitations import invite_member
from boards.errors import Invalid, NotAllowed, NotFound
from boards.models import Assignment, Card, Membership, Role
from boards.tests.world import last
from conftest import join, web
from core.bus.access_check import user_group


def roles(board):
    return {row.user.name: row.role for row in Membership.objects.filter(board=board).select_related("user")}


@pytest.mark.parametrize("role", ["owner", "admin", "", None, "Viewer"])
def test_nobody_becomes_owner_by_an_invitation_or_a_role(board, olga, stan, vera, role):
    with pytest.raises(Invalid):
        invite_member(actor=web(olga), board_id=board.pk, email=stan.email, role=role)
    with pytest.raises(Invalid):
        change_role(actor=web(olga), board_id=board.pk, user_id=vera.pk, role=role)
    assert roles(board) == {"Olga": "owner", "Ed": "editor", "Vera": "viewer"}


def test_a_changed_role_is_recorded_with_the_old_one(board, olga, vera):
    change_role(actor=web(olga), board_id=board.pk, user_id=vera.pk, role="editor")
    assert roles(board)["Vera"] == Role.EDITOR
    assert (last(board).verb, last(board).data) == (
        "member.changed",
        {"member_id": [str(vera.pk)] * 2, "member": ["Vera"] * 2, "role": ["viewer", "editor"]},
    )


def test_the_owners_role_is_not_changed(board, olga):
    with pytest.raises(NotAllowed):
        change_role(actor=web(olga), board_id=board.pk, user_id=olga.pk, role="editor")
    assert roles(board)["Olga"] == Role.OWNER


@pytest.mark.parametrize("action, extra", [(remove_member, {}), (change_role, {"role": "editor"})])
def test_the_sockets_of_a_user_whose_access_changes_check_it_again(
    board, olga, vera, action, extra, pushed, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        action(actor=web(olga), board_id=board.pk, user_id=vera.pk, **extra)
    assert (user_group(vera.pk), {"type": "access.check"}) in pushed


def test_the_sockets_of_a_user_check_access_again_when_they_join_or_make_a_board(
    board, stan, pushed, django_capture_on_commit_callbacks
):
    for let_in in (lambda: join(stan, board), lambda: create_board(actor=web(stan), title="Mine")):
        pushed.clear()
        with django_capture_on_commit_callbacks(execute=True):
            let_in()
        assert (user_group(stan.pk), {"type": "access.check"}) in pushed


def test_a_removed_person_is_a_stranger(board, olga, ed, card):
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    with pytest.raises(NotFound):
        update_card(actor=web(ed), card_id=card.pk, title="Still here")
    assert (last(board).verb, last(board).data) == (
        "member.removed",
        {"member_id": [str(ed.pk), None], "member": ["Ed", None], "role": ["editor", None]},
    )


def test_a_removed_person_is_unassigned_on_this_board_only(board, olga, ed, card):
    other = create_board(actor=web(ed), title="Other", template="kanban")
    mine = create_card(actor=web(ed), board_id=other.pk, title="Mine")
    assign(actor=web(ed), card_id=mine.pk, user_id=ed.pk)
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert [row.card for row in Assignment.objects.filter(user=ed)] == [mine]
    assert Card.objects.get(pk=card.pk).version == last(board).version


@pytest.mark.parametrize("who", ["ed", "vera"])
def test_anyone_but_the_owner_may_leave(board, request, who):
    user = request.getfixturevalue(who)
    remove_member(actor=web(user), board_id=board.pk, user_id=user.pk)
    assert who.capitalize() not in roles(board)
    assert last(board).verb == "member.left"


def test_the_owner_may_not_leave(board, olga):
    with pytest.raises(NotAllowed, match="Transfer the board"):
        remove_member(actor=web(olga), board_id=board.pk, user_id=olga.pk)
    assert roles(board)["Olga"] == Role.OWNER


def test_an_editor_may_not_remove_others(board, ed, vera):
    with pytest.raises(NotAllowed):
        remove_member(actor=web(ed), board_id=board.pk, user_id=vera.pk)
    assert "Vera" in roles(board)
