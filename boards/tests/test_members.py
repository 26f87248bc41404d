import pytest

from boards.actions.assignments import assign
from boards.actions.boards import archive_board, create_board
from boards.actions.cards import create_card, update_card
from boards.actions.members import change_role, hand_over, invite_member, remove_member
from boards.errors import Invalid, LimitReached, NotAllowed, NotFound
from boards.models import Assignment, Board, Card, Membership, Role
from boards.tests.world import last
from conftest import person, web
from core.groups import user_group


def roles(board):
    return {row.user.name: row.role for row in Membership.objects.filter(board=board).select_related("user")}


def test_an_invited_person_is_a_member_with_the_role(board, olga, stan):
    invite_member(actor=web(olga), board_id=board.pk, email=" STAN@Example.com ", role="viewer")
    assert roles(board)["Stan"] == Role.VIEWER
    assert (last(board).verb, last(board).data) == (
        "member.added",
        {"member_id": [None, str(stan.pk)], "member": [None, "Stan"], "role": [None, "viewer"]},
    )


@pytest.mark.parametrize("address", ["stan@example.com", "vera@example.com", "nobody@example.com", "gone@example.com"])
def test_inviting_returns_the_same_for_every_address(board, olga, stan, address):
    person("gone", is_active=False)
    assert invite_member(actor=web(olga), board_id=board.pk, email=address, role="editor") is None


@pytest.mark.parametrize("address", ["vera@example.com", "olga@example.com", "nobody@example.com", "gone@example.com"])
def test_inviting_members_unknown_addresses_and_deactivated_people_changes_nothing(board, olga, address):
    person("gone", is_active=False)
    before = roles(board)
    invite_member(actor=web(olga), board_id=board.pk, email=address, role="editor")
    assert roles(board) == before
    assert Board.objects.get(pk=board.pk).version == board.version


@pytest.mark.parametrize("address", ["", "stan", "stan@", "@example.com", None, 7, "a@example.com, b@example.com"])
def test_an_invalid_address_is_refused(board, olga, address):
    with pytest.raises(Invalid) as refusal:
        invite_member(actor=web(olga), board_id=board.pk, email=address)
    assert refusal.value.field == "email"


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


def test_a_transfer_makes_the_old_owner_an_editor(board, olga, vera):
    hand_over(actor=web(olga), board_id=board.pk, user_id=vera.pk)
    assert roles(board) == {"Olga": "editor", "Ed": "editor", "Vera": "owner"}
    assert last(board).verb == "owner.changed"
    assert last(board).data == {
        "member_id": [str(olga.pk), str(vera.pk)],
        "member": ["Olga", "Vera"],
        "role": ["viewer", "owner"],
    }


def test_after_a_transfer_the_old_owner_may_edit_but_not_own(board, olga, ed, card):
    hand_over(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    update_card(actor=web(olga), card_id=card.pk, title="May")
    with pytest.raises(NotAllowed):
        archive_board(actor=web(olga), board_id=board.pk)


def test_a_transfer_to_the_owner_changes_nothing(board, olga):
    hand_over(actor=web(olga), board_id=board.pk, user_id=olga.pk)
    assert Board.objects.get(pk=board.pk).version == board.version


def test_the_cap_of_the_new_owner_applies(board, olga, ed):
    for place in range(10):
        create_board(actor=web(ed), title=f"Board {place}")
    with pytest.raises(LimitReached):
        hand_over(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert roles(board)["Olga"] == Role.OWNER


def test_a_transfer_makes_room_for_the_old_owner(board, olga, ed):
    for place in range(9):
        create_board(actor=web(olga), title=f"Board {place}")
    hand_over(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert create_board(actor=web(olga), title="Fits")


def test_a_board_is_not_transferred_to_a_deactivated_account(board, olga, ed):
    ed.is_active = False
    ed.save()
    with pytest.raises(NotAllowed, match="deactivated"):
        hand_over(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert roles(board)["Olga"] == Role.OWNER
