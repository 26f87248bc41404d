"""A board is handed over when the receiver accepts; before that nothing changes for anybody."""

import pytest

from boards.actions.boards.board import archive_board, create_board, restore_board
from boards.actions.cards.card import update_card
from boards.actions.people.handover import accept_offer, decline_offer, offer_board, withdraw_offer
from boards.actions.people.members import change_role, remove_member
from boards.actions.sharing.invitations import invite_member
from boards.errors import LimitReached, NotAllowed, NotFound
from boards.models import Board, Invitation, Membership, Offer
from boards.tests.world import history, last
from conftest import hand_over, web


def roles(board):
    return {row.user.name: row.role for row in Membership.objects.filter(board=board).select_related("user")}


def offer(board, olga, heir):
    offer_board(actor=web(olga), board_id=board.pk, user_id=heir.pk)
    return Offer.objects.get(board=board)


def test_an_offer_changes_nobodys_role_and_is_in_the_history(board, olga, vera):
    offer(board, olga, vera)
    assert roles(board) == {"Olga": "owner", "Ed": "editor", "Vera": "viewer"}
    assert (last(board).verb, last(board).user) == ("offer.created", olga)
    assert last(board).data == {"member_id": [None, str(vera.pk)], "member": [None, "Vera"]}


def test_who_accepts_is_the_owner_and_the_old_owner_an_editor(board, olga, vera):
    offer(board, olga, vera)
    accept_offer(actor=web(vera), board_id=board.pk)
    assert roles(board) == {"Olga": "editor", "Ed": "editor", "Vera": "owner"}
    assert (last(board).verb, last(board).user) == ("owner.changed", vera)
    assert last(board).data == {
        "member_id": [str(olga.pk), str(vera.pk)],
        "member": ["Olga", "Vera"],
        "role": ["viewer", "owner"],
    }
    assert not Offer.objects.exists()


def test_the_old_owner_may_edit_but_not_own(board, olga, ed, card):
    hand_over(board, ed)
    update_card(actor=web(olga), card_id=card.pk, title="May")
    with pytest.raises(NotAllowed):
        archive_board(actor=web(olga), board_id=board.pk)


def test_who_declines_leaves_all_as_it_was(board, olga, ed):
    offer(board, olga, ed)
    decline_offer(actor=web(ed), board_id=board.pk)
    assert roles(board)["Olga"] == "owner"
    assert (last(board).verb, last(board).data["member"]) == ("offer.declined", ["Ed", None])
    with pytest.raises(NotFound):
        accept_offer(actor=web(ed), board_id=board.pk)


def test_a_withdrawn_offer_is_not_accepted(board, olga, ed):
    withdraw_offer(actor=web(olga), offer_id=offer(board, olga, ed).pk)
    assert last(board).verb == "offer.withdrawn"
    with pytest.raises(NotFound):
        accept_offer(actor=web(ed), board_id=board.pk)


def test_a_new_offer_takes_the_place_of_the_one_before(board, olga, ed, vera):
    offer(board, olga, ed)
    offer(board, olga, vera)
    assert Offer.objects.get().to == vera
    assert last(board).data["member"] == ["Ed", "Vera"]
    with pytest.raises(NotFound):
        accept_offer(actor=web(ed), board_id=board.pk)


def test_an_offer_to_the_owner_changes_nothing(board, olga):
    offer_board(actor=web(olga), board_id=board.pk, user_id=olga.pk)
    assert not Offer.objects.exists()
    assert Board.objects.get(pk=board.pk).version == board.version


def test_before_the_answer_nothing_counts_against_the_receivers_plan(board, olga, ed):
    offer(board, olga, ed)
    for place in range(10):
        assert create_board(actor=web(ed), title=f"Board {place}")


def test_the_cap_of_the_receiver_counts_when_they_accept(board, olga, ed):
    offer(board, olga, ed)
    others = [create_board(actor=web(ed), title=f"Board {place}") for place in range(10)]
    before = len(history(board))
    with pytest.raises(LimitReached, match="10"):
        accept_offer(actor=web(ed), board_id=board.pk)
    assert (roles(board)["Olga"], Offer.objects.count(), len(history(board))) == ("owner", 1, before)
    archive_board(actor=web(ed), board_id=others[0].pk)
    accept_offer(actor=web(ed), board_id=board.pk)
    assert roles(board)["Ed"] == "owner"


def test_a_transfer_makes_room_for_the_old_owner(board, olga, ed):
    for place in range(9):
        create_board(actor=web(olga), title=f"Board {place}")
    hand_over(board, ed)
    assert create_board(actor=web(olga), title="Fits")


def test_a_board_is_not_offered_to_a_deactivated_account(board, olga, ed):
    ed.is_active = False
    ed.save()
    with pytest.raises(NotAllowed, match="deactivated"):
        offer_board(actor=web(olga), board_id=board.pk, user_id=ed.pk)


def test_the_offer_ends_when_the_receiver_leaves_and_is_not_there_when_they_return(board, olga, ed):
    offer(board, olga, ed)
    remove_member(actor=web(ed), board_id=board.pk, user_id=ed.pk)
    assert not Offer.objects.exists()


def test_the_offer_stays_when_somebody_else_leaves_or_a_role_changes(board, olga, ed, vera):
    offer(board, olga, ed)
    remove_member(actor=web(olga), board_id=board.pk, user_id=vera.pk)
    change_role(actor=web(olga), board_id=board.pk, user_id=ed.pk, role="viewer")
    accept_offer(actor=web(ed), board_id=board.pk)
    assert last(board).data["role"] == ["viewer", "owner"]


def test_archiving_ends_the_offer(board, olga, ed):
    offer(board, olga, ed)
    archive_board(actor=web(olga), board_id=board.pk)
    restore_board(actor=web(olga), board_id=board.pk)
    with pytest.raises(NotFound):
        accept_offer(actor=web(ed), board_id=board.pk)


def test_the_invitations_of_the_old_owner_end_with_the_transfer(board, olga, ed):
    invite_member(actor=web(olga), board_id=board.pk, email="new@example.com")
    hand_over(board, ed)
    assert not Invitation.objects.exists()
