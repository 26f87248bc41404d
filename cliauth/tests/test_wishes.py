"""A command line asks for limits of its token, and the person chooses on the page."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts.models import Access, ApiToken, Bounds
from accounts.tokens import create_token
from boards.actions.boards.board import create_board
from cliauth.tests.conftest import START, CommandLine, is_refused
from conftest import web
from web.tests.browsing import browser, text_of

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def foreign(stan):
    return create_board(actor=web(stan), title="Foreign")


@pytest.fixture
def other(olga):
    return create_board(actor=web(olga), title="Other")


def a_line(**wishes):
    line = CommandLine()
    line.start(clientName="my-laptop", **wishes)
    return line


def approve(user, line, **chosen):
    return browser(user).post("/cli", {"code": line.codes["userCode"], "answer": "approve", **chosen})


def bounds_of_the_token():
    token = ApiToken.objects.get()
    return Bounds(token.access, token.board_ids, token.deletes)


def test_without_wishes_and_choices_the_token_may_do_everything(olga, db):
    approve(olga, a_line())
    assert bounds_of_the_token() == Bounds()


def test_wishes_hold_where_nothing_is_chosen(olga, board):
    approve(olga, a_line(access="read", boards=[str(board.pk)], deletes=False))
    assert bounds_of_the_token() == Bounds(Access.READ, [str(board.pk)], deletes=False)


def test_the_page_begins_with_the_wishes(olga, board, other):
    line = a_line(boards=[str(board.pk)], deletes=False)
    page = browser(olga).get("/cli", {"code": line.codes["userCode"]})
    form = page.context["form"]
    assert (form["rights"].value(), form["scope"].value()) == ("write", "chosen")
    assert form["boards"].value() == [str(board.pk)]
    assert "Other" in text_of(page)


def test_the_person_chooses(olga, board, other):
    line = a_line(access="read", boards=[str(board.pk)], deletes=False)
    approve(olga, line, rights="delete", scope="chosen", boards=[str(other.pk)], expires="7")
    assert bounds_of_the_token() == Bounds(Access.READ_WRITE, [str(other.pk)], deletes=True)


def test_the_delivered_token_expires_as_chosen(olga, board):
    line = a_line()
    with time_machine.travel(NOW, tick=False):
        line.start()
        approve(olga, line, rights="read", expires="7")
        assert line.poll().status_code == 200
    token = ApiToken.objects.get()
    assert (token.is_live or token.digest is not None, token.expires_at) == (True, NOW + timedelta(days=7))
    assert token.access == Access.READ


def test_boards_that_the_person_cannot_see_do_not_exist(olga, board, foreign):
    line = a_line(boards=[str(board.pk), str(foreign.pk), "nonsense"])
    assert "Foreign" not in text_of(browser(olga).get("/cli", {"code": line.codes["userCode"]}))
    approve(olga, line)
    assert bounds_of_the_token().board_ids == [str(board.pk)]


@pytest.mark.parametrize("boards", [[], ["nonsense"], ["01890000-0000-7000-8000-000000000000"]])
def test_a_wish_for_boards_that_are_none_is_never_one_for_all(olga, board, boards):
    line = a_line(boards=boards)
    assert "Choose at least one board." in text_of(approve(olga, line))
    assert not ApiToken.objects.exists()
    approve(olga, line, scope="all")
    assert bounds_of_the_token().board_ids is None


def test_a_board_of_somebody_else_cannot_be_chosen(olga, board, foreign):
    approve(olga, a_line(), scope="chosen", boards=[str(foreign.pk)])
    assert not ApiToken.objects.exists()


def test_what_was_chosen_stays_where_another_token_is_revoked_for_it(olga, board):
    old, _value = create_token(olga, "old")
    line = a_line()
    page = approve(olga, line, rights="read", scope="chosen", boards=[str(board.pk)]).content.decode()
    assert 'name="rights" value="read"' in page
    assert f'<input type="hidden" name="boards" value="{board.pk}">' in page
    approve(olga, line, rights="read", scope="chosen", boards=[str(board.pk)], revoke=str(old.pk))
    token = ApiToken.objects.exclude(pk=old.pk).get()
    assert (token.access, token.board_ids) == (Access.READ, [str(board.pk)])


@pytest.mark.parametrize(
    "wish",
    [
        {"access": "write"},
        {"access": True},
        {"boards": "all"},
        {"boards": [7]},
        {"boards": ["x"] * 201},
        {"deletes": "no"},
    ],
)
def test_a_wish_that_cannot_be_read_is_refused(db, wish):
    answer = CommandLine().client.post(START, wish, content_type="application/json")
    assert is_refused(answer, 400, *wish)
