"""Presence: what sockets on real servers tell each other, and who is never told."""

import json
from contextlib import contextmanager, suppress

import pytest
from websockets.exceptions import ConnectionClosed

from taskboard.tests.served_people import people

__all__ = ["people"]


@pytest.fixture
def board(people) -> dict:
    board = people["olga"].new_board()
    people["olga"].invite(board, people["ed"])
    people["olga"].invite(board, people["vera"], "viewer")
    return board


class Open:
    """An open page that names itself."""

    def __init__(self, person, board, socket, name):
        self.person, self.board, self.socket, self.name = person, board, socket, name
        self.is_known = socket is None

    def says(self, card="", typing=""):
        while not self.is_known:  # as pages do, which say again what the server does not know of them
            self.is_known = any(user == self.person.id for user, *_place in self.socket.message().get("here", ()))
        self.person.post(f"/board/{self.board['id']}/presence", page=self.name, card=card, typing=typing)

    def sees(self, *places):
        """Wait until this page is told that exactly these are here."""
        wanted = sorted([person.id, card, typing] for person, card, typing in places)
        while True:
            message = self.socket.message()
            if sorted(message.get("here", ())) == wanted:
                return True

    def is_closed(self, code):
        """Wait until the server closes the socket. Return what it says before about who is here."""
        heard = []
        with suppress(ConnectionClosed):
            while True:
                heard.append(json.loads(self.socket.text()))
        assert self.socket.connection.close_code == code
        return [message["here"] for message in heard if "here" in message]


@contextmanager
def opened(person, board, name=None):
    name = name or f"{person.name}0".ljust(16, "0")
    with person.open_path(f"/ws/board/{board['id']}?since=999&page={name}") as socket:
        yield Open(person, board, socket, name)


def test_those_who_have_a_board_open_see_each_other(people, board):
    olga, vera = people["olga"], people["vera"]
    with opened(olga, board) as hers:
        assert hers.sees((olga, "", ""))
        with opened(vera, board) as other:
            assert other.sees((olga, "", ""), (vera, "", ""))
            assert hers.sees((olga, "", ""), (vera, "", ""))
        assert hers.sees((olga, "", ""))


def test_others_see_which_card_is_open_and_where_somebody_types(people, board):
    olga, ed = people["olga"], people["ed"]
    card = olga.new_card(board)["id"]
    with opened(olga, board) as hers, opened(ed, board) as his:
        his.says(card)
        assert hers.sees((olga, "", ""), (ed, card, ""))
        his.says(card, "description")
        assert hers.sees((olga, "", ""), (ed, card, "description"))
        his.says()
        assert hers.sees((olga, "", ""), (ed, "", ""))


def test_two_tabs_of_a_person_on_one_card_are_one(people, board):
    olga, ed = people["olga"], people["ed"]
    card = olga.new_card(board)["id"]
    with opened(olga, board) as hers, opened(ed, board) as one, opened(ed, board, "e" * 16) as two:
        one.says(card)
        two.says(card)
        assert hers.sees((olga, "", ""), (ed, card, ""))


def test_nobody_can_speak_for_another_page(people, board):
    olga, ed = people["olga"], people["ed"]
    card = olga.new_card(board)["id"]
    with opened(olga, board) as hers, opened(ed, board) as his:
        assert hers.sees((olga, "", ""), (ed, "", ""))
        Open(ed, board, None, hers.name).says(card)
        his.says(card)
        assert hers.sees((olga, "", ""), (ed, card, ""))


def test_a_stranger_is_told_nothing_and_can_say_nothing(people, board):
    olga, stan = people["olga"], people["stan"]
    with opened(olga, board) as hers:
        with opened(stan, board) as his:
            assert his.is_closed(4403) == []
        assert hers.sees((olga, "", ""))
    headers = {"X-CSRFToken": stan.browser.cookies["csrftoken"]}
    form = {"page": "s" * 16}
    assert stan.browser.post(f"/board/{board['id']}/presence", data=form, headers=headers).status_code == 404


def test_a_card_of_another_board_is_not_told(people, board):
    olga, ed = people["olga"], people["ed"]
    elsewhere = olga.new_card(olga.new_board("Elsewhere"))["id"]
    headers = {"X-CSRFToken": ed.browser.cookies["csrftoken"]}
    for card in (elsewhere, "x"):
        for person in (ed, olga):
            form = {"page": "e" * 16, "card": card}
            answer = person.browser.post(f"/board/{board['id']}/presence", data=form, headers=headers)
            assert answer.status_code == 404


@pytest.mark.parametrize("form", [{}, {"page": "short"}, {"page": "P" * 16}, {"page": "p" * 99}, {"typing": "x"}])
def test_a_form_that_names_no_page_is_refused(people, board, form):
    ed = people["ed"]
    headers = {"X-CSRFToken": ed.browser.cookies["csrftoken"]}
    given = {"page": "e" * 16, **form} if "typing" in form else form
    assert ed.browser.post(f"/board/{board['id']}/presence", data=given, headers=headers).status_code == 422


def test_who_is_removed_is_seen_no_more_and_told_no_more(people, board):
    olga, vera = people["olga"], people["vera"]
    with opened(olga, board) as hers, opened(vera, board) as other:
        assert hers.sees((olga, "", ""), (vera, "", ""))
        olga.post(f"/board/{board['id']}/members/{vera.id}/removal")
        other.is_closed(4403)
        assert hers.sees((olga, "", ""))


def test_a_page_without_a_name_is_neither_seen_nor_told(people, board):
    olga, ed = people["olga"], people["ed"]
    with opened(olga, board) as hers, ed.open(board, since=999) as plain:
        assert hers.sees((olga, "", ""))
        assert "reload" in plain.message()
        olga.new_card(board)
        assert "changed" in plain.message()
