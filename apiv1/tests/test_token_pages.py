"""Settings, API tokens: what a token may do is chosen when it is made, shown with it, and narrowed later."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Access, ApiToken, Bounds, Plan, User
from accounts.tokens import create_token, narrow_token, revoke_token
from boards.actions.boards.board import archive_board, create_board, delete_board
from conftest import web
from security.models import EventKind, SecurityEvent
from web.tests.browsing import browser, text_of

TOKENS = "/settings/tokens"
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def hers(olga):
    Plan.objects.filter(pk="free").update(max_tokens=None)
    return browser(olga)


@pytest.fixture
def other(olga):
    return create_board(actor=web(olga), title="Other")


def make(client, **fields):
    return client.post(TOKENS, {"name": "laptop", **fields})


def bounds_of(token):
    return Bounds(token.access, token.board_ids, token.deletes)


def test_a_form_without_choices_makes_a_token_for_everything(hers):
    make(hers)
    assert bounds_of(ApiToken.objects.get()) == Bounds()
    assert ApiToken.objects.get().expires_at is None


@pytest.mark.parametrize(
    "rights, access, deletes",
    [("read", Access.READ, False), ("write", Access.READ_WRITE, False), ("delete", Access.READ_WRITE, True)],
)
def test_access_is_chosen_when_it_is_made(hers, rights, access, deletes):
    make(hers, rights=rights)
    assert bounds_of(ApiToken.objects.get()) == Bounds(access, None, deletes)


def test_boards_are_chosen_when_it_is_made(hers, board, other):
    make(hers, scope="chosen", boards=[str(board.pk)])
    assert ApiToken.objects.get().board_ids == [str(board.pk)]


def test_for_all_boards_ticks_are_ignored(hers, board):
    make(hers, scope="all", boards=[str(board.pk)])
    assert ApiToken.objects.get().board_ids is None


def test_chosen_boards_are_at_least_one(hers, board):
    assert "Choose at least one board." in text_of(make(hers, scope="chosen"))
    assert not ApiToken.objects.exists()


def test_a_board_of_somebody_else_cannot_be_chosen(hers, stan):
    foreign = create_board(actor=web(stan), title="Foreign")
    assert "Foreign" not in text_of(hers.get(TOKENS))
    assert make(hers, scope="chosen", boards=[str(foreign.pk)]).context["form"].errors.keys() == {"boards"}
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("days", [7, 30, 90])
def test_it_expires_after_a_choice_of_days(hers, days):
    with time_machine.travel(NOW, tick=False):
        make(hers, expires=str(days))
    assert ApiToken.objects.get().expires_at == NOW + timedelta(days=days)


def test_a_date_counts_only_where_one_is_chosen(hers):
    make(hers, expires="", until="2020-01-01")
    assert ApiToken.objects.get().expires_at is None


@pytest.mark.parametrize(
    "wrong, field",
    [
        ({"expires": "date"}, "until"),
        ({"expires": "5"}, "expires"),
        ({"rights": "none"}, "rights"),
        ({"scope": "x"}, "scope"),
    ],
)
def test_a_wrong_choice_makes_no_token(hers, wrong, field):
    assert make(hers, **wrong).context["form"].errors.keys() == {field}
    assert not ApiToken.objects.exists()


def facts(client):
    """Return what the page says of the only token, by name."""
    html = client.get(TOKENS).content.decode()
    found = re.findall(r"<dt>(.*?)</dt>\s*<dd>\s*(.*?)\s*</dd>", html, re.DOTALL)
    return dict(found)


def test_what_a_token_may_do_is_shown_with_it(hers, olga, board, other):
    create_token(olga, "Nightly", bounds=Bounds(Access.READ, [str(board.pk)], deletes=False))
    assert (facts(hers)["Access"], facts(hers)["Boards"]) == ("Read only", "Launch")


def test_a_token_for_everything_is_shown_as_such(hers, olga):
    create_token(olga, "Nightly")
    assert (facts(hers)["Access"], facts(hers)["Boards"]) == ("Read, write and delete", "all")


def test_a_token_whose_boards_are_gone_is_never_shown_as_one_for_all(hers, olga, board):
    create_token(olga, "Nightly", bounds=Bounds(board_ids=[str(board.pk)]))
    delete_board(actor=web(olga), board_id=archive_board(actor=web(olga), board_id=board.pk).pk)
    assert facts(hers)["Boards"] == "none that still exists"


def narrow(client, token, **fields):
    return client.post(f"{TOKENS}/{token.pk}/narrow", fields)


def test_a_token_is_narrowed_later(hers, olga, board, other):
    token, _value = create_token(olga, "laptop")
    answer = narrow(hers, token, rights="read", scope="chosen", boards=[str(board.pk)], expires="30")
    assert answer["Location"] == TOKENS
    token.refresh_from_db()
    assert bounds_of(token) == Bounds(Access.READ, [str(board.pk)], deletes=False)
    assert token.expires_at < timezone.now() + timedelta(days=31)
    event = SecurityEvent.objects.get(kind=EventKind.TOKEN_NARROWED)
    assert (event.user, event.details) == (olga, {"name": "laptop"})
    assert "“laptop” was restricted." in text_of(hers.get(TOKENS))


def test_sending_the_form_as_it_is_changes_nothing(hers, olga, board, other):
    ids = sorted(str(one.pk) for one in (board, other))
    token, _value = create_token(olga, "laptop", bounds=Bounds(board_ids=ids), expires_at=NOW + timedelta(days=9999))
    narrow(hers, token, rights="delete", scope="chosen", boards=ids, expires="keep")
    before = bounds_of(token), token.expires_at
    token.refresh_from_db()
    assert (bounds_of(token), token.expires_at) == before
    assert not SecurityEvent.objects.filter(kind=EventKind.TOKEN_NARROWED).exists()


def choices(client, token, name):
    form = client.get(f"{TOKENS}/{token.pk}/narrow").context["form"]
    return [value for value, _words in form.fields[name].choices]


def test_only_what_the_token_may_do_is_offered(hers, olga, board, other):
    bounds = Bounds(Access.READ_WRITE, [str(board.pk)], deletes=False)
    token, _value = create_token(olga, "laptop", bounds=bounds, expires_at=timezone.now() + timedelta(days=10))
    assert choices(hers, token, "rights") == ["read", "write"]
    assert choices(hers, token, "boards") == [str(board.pk)]
    assert choices(hers, token, "scope") == ["chosen"]
    assert choices(hers, token, "expires") == ["keep", "7", "date"]


@pytest.mark.parametrize(
    "wider", [{"rights": "delete"}, {"scope": "all"}, {"scope": "chosen", "boards": "other"}, {"expires": "90"}]
)
def test_what_is_not_offered_is_refused(hers, olga, board, other, wider):
    bounds = Bounds(Access.READ, [str(board.pk)], deletes=False)
    token, _value = create_token(olga, "laptop", bounds=bounds, expires_at=timezone.now() + timedelta(days=10))
    before = bounds_of(token), token.expires_at
    assert narrow(hers, token, **wider | {"boards": str(other.pk)}).status_code == 200
    token.refresh_from_db()
    assert (bounds_of(token), token.expires_at) == before


def test_a_later_date_is_not_taken(hers, olga):
    token, _value = create_token(olga, "laptop", expires_at=NOW + timedelta(days=9999))
    narrow(hers, token, expires="date", until="2999-01-01")
    before = token.expires_at
    token.refresh_from_db()
    assert token.expires_at == before


def test_rights_are_narrowed_where_all_chosen_boards_are_gone(hers, olga, board):
    token, _value = create_token(olga, "laptop", bounds=Bounds(board_ids=[str(board.pk)]))
    delete_board(actor=web(olga), board_id=archive_board(actor=web(olga), board_id=board.pk).pk)
    narrow(hers, token, rights="read", scope="chosen", expires="keep")
    token.refresh_from_db()
    assert (token.access, token.board_ids) == (Access.READ, [str(board.pk)])


def test_a_page_that_was_overtaken_says_so(hers, olga, monkeypatch):
    token, _value = create_token(olga, "laptop")

    def overtaken(row, **wanted):
        ApiToken.objects.filter(pk=row.pk).update(access=Access.READ)
        return narrow_token(row, **wanted)

    monkeypatch.setattr("apiv1.tokens.pages.narrow_token", overtaken)
    assert "This token may only read." in text_of(narrow(hers, token, rights="write"))
    token.refresh_from_db()
    assert token.access == Access.READ


def test_the_token_of_somebody_else_is_not_found(hers, ed):
    token, _value = create_token(ed, "Eds own")
    assert hers.get(f"{TOKENS}/{token.pk}/narrow").status_code == 404
    assert narrow(hers, token, rights="read").status_code == 404
    token.refresh_from_db()
    assert token.access == Access.READ_WRITE


def test_a_revoked_token_is_not_found(hers, olga):
    token, _value = create_token(olga, "laptop")
    revoke_token(token)
    assert hers.get(f"{TOKENS}/{token.pk}/narrow").status_code == 404


@pytest.mark.parametrize("number, is_long", [(8, False), (9, True)])
def test_many_boards_can_be_filtered(hers, olga, number, is_long):
    User.objects.filter(pk=olga.pk).update(plan="pro")
    for count in range(number):
        create_board(actor=web(olga), title=f"Board {count}")
    assert ("filter-choices" in hers.get(TOKENS).content.decode()) is is_long
