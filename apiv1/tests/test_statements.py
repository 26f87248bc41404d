"""Calls take a bounded number of SQL statements. The token was never used before, so its use is recorded as well."""

import pytest

from apiv1.tests.calls import token_of
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.lists.list import archive_list, create_list
from conftest import join, web


def boards_with_everything(owner, guest, number):
    for count in range(number):
        board = create_board(actor=web(owner), title=f"Board {count}", template="content")
        join(guest, board, "editor")
        archived = create_list(actor=web(owner), board_id=board.pk, title="Old")
        archive_list(actor=web(owner), list_id=archived.pk)


def test_get_me_takes_two_statements(connect, olga, statements):
    client = connect(token_of(olga))
    statements.clear()
    assert client.get("/api/v1/me").status_code == 200
    assert len(statements) == 2, statements


@pytest.mark.parametrize("number", [0, 1, 12])
def test_get_boards_takes_three_statements_however_many_boards_there_are(connect, paula, ed, statements, number):
    boards_with_everything(paula, ed, number)
    client = connect(token_of(ed))
    statements.clear()
    assert len(client.get("/api/v1/boards").json()["boards"]) == number
    assert len(statements) == 3, statements


@pytest.mark.parametrize("field", ["listId", "boardId"])
@pytest.mark.parametrize("headers, most", [({}, 10), ({"Idempotency-Key": "once"}, 12)])
def test_post_cards_takes_at_most_ten_and_twelve_with_a_key(connect, ed, todo, card, statements, field, headers, most):
    client = connect(token_of(ed))
    place = {"listId": str(todo.pk)} if field == "listId" else {"boardId": str(todo.board_id)}
    body = {"title": "Print", "description": "**now**", "dueDate": "2026-12-01", **place}
    statements.clear()
    assert client.post("/api/v1/cards", json=body, headers=headers).status_code == 201
    assert len(statements) <= most, statements


def test_post_cards_takes_as_many_statements_however_full_the_list_is(connect, ed, olga, todo, statements):
    client = connect(token_of(ed))
    counts = []
    for _time in range(2):
        statements.clear()
        assert client.post("/api/v1/cards", json={"title": "Print", "listId": str(todo.pk)}).status_code == 201
        counts.append(len(statements))
        for number in range(30):
            create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}")
    assert counts[1] <= counts[0]


def test_a_replay_takes_fewer_statements_than_the_first_call(connect, ed, todo, statements):
    client = connect(token_of(ed))
    counts = []
    for _time in range(2):
        statements.clear()
        body = {"title": "Print", "listId": str(todo.pk)}
        assert client.post("/api/v1/cards", json=body, headers={"Idempotency-Key": "once"}).status_code == 201
        counts.append(len(statements))
    assert counts[1] <= 4 < counts[0]  # the token, the key twice, who sees the board


def test_refusing_a_token_takes_one_statement_and_a_call_without_one_takes_none(anyone, statements):
    anyone.get("/api/v1/me")
    anyone.get("/api/v1/me", headers={"Authorization": "Bearer nonsense"})
    assert statements == []
    anyone.get("/api/v1/me", headers={"Authorization": f"Bearer tbk_{'x' * 43}"})
    assert len(statements) == 1
