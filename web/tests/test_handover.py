"""Handing over a board in the browser: the owner offers, the receiver answers."""

import pytest

from accounts.models import Plan
from boards.actions.boards.board import create_board
from boards.actions.people.handover import offer_board
from boards.models import Membership, Offer
from conftest import web
from security.models import SecurityEvent
from web.tests.browsing import browser, text_of

WORDS = "Olga wants to transfer the board Launch to you."


@pytest.fixture
def offer(board, olga, ed):
    """Launch is offered to Ed."""
    offer_board(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    return Offer.objects.get()


def words(response):
    return text_of(response).replace(" .", ".")


def role_of(user, board):
    return Membership.objects.get(user=user, board=board).role


def test_offering_asks_first_and_changes_no_role(olga, ed, board):
    client, address = browser(olga), f"/board/{board.pk}/ownership"
    assert "Transfer this board to Ed?" in text_of(client.get(f"{address}?to={ed.pk}"))
    assert not Offer.objects.exists()
    answer = client.post(address, {"to": ed.pk}, follow=True)
    assert "You offered this board to Ed." in text_of(answer)
    assert (role_of(ed, board), role_of(olga, board)) == ("editor", "owner")
    event = SecurityEvent.objects.get(kind="board-offered")
    assert (event.user, event.by, event.details) == (ed, olga, {"board": str(board.pk)})


def test_the_receiver_sees_the_offer_on_the_start_page_and_on_the_board(ed, board, offer):
    for address in ("/", f"/board/{board.pk}", f"/board/{board.pk}/members", f"/board/{board.pk}/offer"):
        assert WORDS in words(browser(ed).get(address))


def test_nobody_else_sees_the_offer_but_the_owner_who_may_withdraw_it(olga, vera, board, offer):
    for user in (olga, vera):
        for address in ("/", f"/board/{board.pk}", f"/board/{board.pk}/members"):
            assert "wants to transfer" not in text_of(browser(user).get(address))
        assert browser(user).get(f"/board/{board.pk}/offer").status_code == 404
    assert "You offered this board to Ed" in text_of(browser(olga).get(f"/board/{board.pk}/members"))
    assert "You offered" not in text_of(browser(vera).get(f"/board/{board.pk}/members"))


def test_accepting_makes_the_receiver_the_owner(olga, ed, board, offer):
    answer = browser(ed).post(f"/board/{board.pk}/offer", {"answer": "accept"}, follow=True)
    assert answer.redirect_chain == [(f"/board/{board.pk}/members", 302)]
    assert (role_of(ed, board), role_of(olga, board)) == ("owner", "editor")
    event = SecurityEvent.objects.get(kind="board-handed-over")
    assert (event.user, event.by, event.details) == (ed, olga, {"board": str(board.pk)})


def test_declining_leaves_the_roles_and_ends_the_offer(olga, ed, board, offer):
    client = browser(ed)
    client.post(f"/board/{board.pk}/offer", {"answer": "decline"})
    assert (role_of(ed, board), role_of(olga, board)) == ("editor", "owner")
    assert client.get(f"/board/{board.pk}/offer").status_code == 404


def test_at_the_limit_of_the_plan_the_receiver_is_told_and_the_offer_stays(olga, ed, board, offer):
    Plan.objects.filter(key="free").update(max_boards=1)
    create_board(actor=web(ed), title="Ed's own")
    answer = browser(ed).post(f"/board/{board.pk}/offer", {"answer": "accept"})
    assert answer.status_code == 403
    assert "You have reached your plan's limit of 1 owned board." in text_of(answer)
    assert role_of(olga, board) == "owner"
    assert Offer.objects.exists()
    assert not SecurityEvent.objects.exists()


def test_the_owner_withdraws_the_offer(olga, ed, board, offer):
    answer = browser(olga).post(f"/offer/{offer.pk}/withdrawal", follow=True)
    assert "The offer was withdrawn." in text_of(answer)
    assert "wants to transfer" not in text_of(browser(ed).get(f"/board/{board.pk}"))
