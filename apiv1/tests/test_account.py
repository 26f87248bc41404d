"""The account of a token's owner over REST."""

import pytest

from accounts.models import User
from apiv1.tests.calls import is_refused, token_of
from boards.actions.boards.board import archive_board, create_board
from conftest import web

PATH = "/api/v1/account"


def kept(user):
    return User.objects.values_list("name", "language", "time_zone").get(pk=user.pk)


def test_the_account_is_shown_with_what_is_used_of_the_plan(as_olga, olga, board):
    archived = create_board(actor=web(olga), title="Old")
    archive_board(actor=web(olga), board_id=archived.pk)
    assert as_olga.get(PATH).json() == {
        "account": {
            "name": "Olga",
            "email": "olga@example.com",
            "language": "en",
            "timeZone": "UTC",
            "plan": {"name": "Free", "boards": {"used": 1, "cap": 10}, "tokens": {"used": 1, "cap": 1}},
        }
    }


def test_boards_of_others_do_not_count(as_ed, board):
    assert as_ed.get(PATH).json()["account"]["plan"]["boards"]["used"] == 0


def test_a_plan_without_a_limit_says_null(as_paula):
    assert as_paula.get(PATH).json()["account"]["plan"]["boards"] == {"used": 0, "cap": None}


def test_name_language_and_time_zone_are_changed(as_ed, ed):
    sent = {"name": " Eduardo ", "language": "pt-BR", "timeZone": "America/Sao_Paulo"}
    changed = as_ed.patch(PATH, json=sent)
    assert changed.status_code == 200
    shown = changed.json()["account"]
    assert {name: shown[name] for name in sent} == {**sent, "name": "Eduardo"}
    assert kept(ed) == ("Eduardo", "pt-br", "America/Sao_Paulo")
    assert as_ed.get(PATH).json() == changed.json()


def test_what_is_missing_stays(as_ed, ed):
    assert as_ed.patch(PATH, json={"language": "ja"}).json()["account"]["name"] == "Ed"
    assert kept(ed) == ("Ed", "ja", "UTC")


def test_null_clears_the_name_and_nothing_else(as_ed, ed):
    assert as_ed.patch(PATH, json={"name": None}).json()["account"]["name"] is None
    assert as_ed.get("/api/v1/me").json()["user"]["name"] == "ed"
    for name in ("language", "timeZone"):
        assert is_refused(as_ed.patch(PATH, json={name: None}), 400, name, "null")


@pytest.mark.parametrize(
    "sent, word",
    [
        ({"name": 7}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"language": "pt-br"}, "pt-BR"),
        ({"language": "xx"}, "language"),
        ({"language": ["de"]}, "language"),
        ({"timeZone": "Berlin"}, "timeZone"),
        ({"timeZone": 2}, "timeZone"),
        ({"email": "me@example.com"}, "'email'"),
        ({"plan": "pro"}, "'plan'"),
    ],
)
def test_a_wrong_value_is_refused_and_nothing_is_changed(as_ed, ed, sent, word):
    assert is_refused(as_ed.patch(PATH, json={"timeZone": "Europe/Berlin", **sent}), 400, word)
    assert kept(ed) == ("Ed", "en", "UTC")


def test_a_change_of_nothing_writes_nothing(as_ed, statements):
    as_ed.get(PATH)
    for sent in ({}, {"name": "Ed", "language": "en", "timeZone": "UTC"}):
        statements.clear()
        assert as_ed.patch(PATH, json=sent).status_code == 200
        assert not any(sql.startswith("UPDATE") for sql in statements), statements


def test_an_account_has_no_version_and_no_parameters(as_ed):
    assert is_refused(as_ed.patch(PATH, json={}, headers={"If-Match": '"1"'}), 400, "If-Match")
    assert is_refused(as_ed.get(f"{PATH}?plan=1"), 400, "'plan'")


def test_reading_the_account_takes_as_many_statements_however_many_boards_there_are(connect, paula, statements):
    client = connect(token_of(paula))
    counts = []
    for _time in range(2):
        statements.clear()
        assert client.get(PATH).status_code == 200
        counts.append(len(statements))
        for number in range(12):
            create_board(actor=web(paula), title=str(number))
    assert counts[1] <= counts[0] <= 5
