from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import Access, ApiToken, Bounds
from apiv1.tests.calls import is_refused, token_of
from boards.actions.boards.board import archive_board, create_board, delete_board
from boards.actions.people.members import remove_member
from boards.dates import timestamp
from conftest import web
from core.ids import parse_id
from security.models import EventKind, SecurityEvent

CURRENT, CARDS = "/api/v1/tokens/current", "/api/v1/cards"
FUTURE = datetime(2999, 6, 30, 12, tzinfo=UTC)


def bounded(user, *, access=Access.READ_WRITE, boards=None, deletes=True, **fields):
    ids = None if boards is None else sorted(str(board.pk) for board in boards)
    return token_of(user, bounds=Bounds(access, ids, deletes), **fields)


@pytest.fixture
def other(olga):
    return create_board(actor=web(olga), title="Other")


def shown(client):
    answer = client.get(CURRENT)
    assert answer.status_code == 200, answer.text
    return answer.json()["token"]


def test_a_token_without_bounds_is_shown_whole(connect, ed):
    client = connect(token_of(ed, "laptop"))
    token, row = shown(client), ApiToken.objects.get()
    row.refresh_from_db()
    assert token == {
        "id": str(row.pk),
        "name": "laptop",
        "access": "readWrite",
        "boards": None,
        "deletes": True,
        "expiresAt": None,
        "createdAt": timestamp(row.created_at),
        "lastUsedAt": timestamp(row.last_used_at),
    }


def test_the_bounds_of_a_token_are_shown(connect, olga, board):
    value = bounded(olga, access=Access.READ, boards=[board], deletes=False, expires_at=FUTURE)
    token = shown(connect(value))
    assert (token["access"], token["boards"], token["deletes"]) == ("read", [str(board.pk)], False)
    assert token["expiresAt"] == "2999-06-30T12:00:00Z"


def test_a_chosen_board_that_is_gone_leaves_a_smaller_set(connect, olga, board, other):
    client = connect(bounded(olga, boards=[board, other]))
    archive_board(actor=web(olga), board_id=other.pk)
    assert shown(client)["boards"] == [str(board.pk), str(other.pk)]
    delete_board(actor=web(olga), board_id=other.pk)
    assert shown(client)["boards"] == [str(board.pk)]
    delete_board(actor=web(olga), board_id=board.pk)
    assert shown(client)["boards"] == []
    create_board(actor=web(olga), title="New")
    assert client.get("/api/v1/boards").json() == {"boards": []}


def test_a_chosen_board_that_its_owner_has_left_is_not_shown(connect, olga, ed, board):
    client = connect(bounded(ed, boards=[board]))
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert shown(client)["boards"] == []


@pytest.mark.parametrize("chosen, number", [(False, 2), (True, 3)])
def test_reading_takes_two_statements_and_one_more_for_chosen_boards(
    connect, olga, board, other, statements, chosen, number
):
    client = connect(bounded(olga, boards=[board, other] if chosen else None))
    statements.clear()
    shown(client)
    assert len(statements) == number, statements


def test_a_token_can_be_narrowed_in_one_call(connect, olga, board, other):
    client = connect(token_of(olga))
    wanted = {
        "access": "read",
        "boards": [str(board.pk)],
        "deletes": False,
        "expiresAt": "2999-06-30T14:00:00+02:00",
    }
    answer = client.patch(CURRENT, json=wanted)
    assert answer.status_code == 200
    assert answer.json()["token"] == shown(client)
    assert {name: answer.json()["token"][name] for name in wanted} == wanted | {"expiresAt": "2999-06-30T12:00:00Z"}
    assert [board["id"] for board in client.get("/api/v1/boards").json()["boards"]] == [str(board.pk)]


def test_narrowing_takes_a_merge_patch_too(as_olga):
    headers = {"Content-Type": "application/merge-patch+json"}
    assert as_olga.patch(CURRENT, content=b'{"deletes": false}', headers=headers).json()["token"]["deletes"] is False


def test_no_other_call_takes_a_merge_patch(as_olga):
    headers = {"Content-Type": "application/merge-patch+json"}
    assert is_refused(as_olga.post("/api/v1/boards", content=b'{"title": "New"}', headers=headers), 415)


def test_what_is_missing_stays(connect, olga, board):
    client = connect(bounded(olga, boards=[board], deletes=False))
    token = client.patch(CURRENT, json={"access": "read"}).json()["token"]
    assert (token["access"], token["boards"], token["deletes"]) == ("read", [str(board.pk)], False)


@pytest.mark.parametrize("same", [{}, {"access": "readWrite", "boards": None, "deletes": True, "expiresAt": None}])
def test_what_differs_in_nothing_is_no_event(as_olga, same):
    assert as_olga.patch(CURRENT, json=same).status_code == 200
    assert not SecurityEvent.objects.filter(kind=EventKind.TOKEN_NARROWED).exists()


def test_narrowing_is_written_into_the_security_log(connect, olga):
    connect(token_of(olga, "laptop")).patch(CURRENT, json={"deletes": False})
    event = SecurityEvent.objects.get(kind=EventKind.TOKEN_NARROWED)
    assert (event.user, event.details) == (olga, {"name": "laptop"})


WIDER = {
    "access": ({"access": "readWrite"}, "may only read"),
    "all boards": ({"boards": None}, "limited to fewer boards"),
    "another board": (lambda board, other: {"boards": [str(board.pk), str(other.pk)]}, "limited to fewer boards"),
    "no board": ({"boards": ["nonsense"]}, "limited to fewer boards"),
    "deletes": ({"deletes": True}, "may not delete"),
    "later": ({"expiresAt": "2999-06-30T12:00:01Z"}, "expires earlier"),
    "never": ({"expiresAt": None}, "expires earlier"),
}


@pytest.mark.parametrize("wanted, words", WIDER.values(), ids=WIDER)
def test_a_token_cannot_be_given_a_right_that_it_lacks(connect, olga, board, other, wanted, words):
    client = connect(bounded(olga, access=Access.READ, boards=[board], deletes=False, expires_at=FUTURE))
    before = shown(client)
    sent = wanted(board, other) if callable(wanted) else wanted
    assert is_refused(client.patch(CURRENT, json=sent | {"name": "x"}), 400, "name")
    assert is_refused(client.patch(CURRENT, json=sent), 403, words)
    assert shown(client) | {"lastUsedAt": None} == before | {"lastUsedAt": None}


def test_nothing_is_narrowed_where_one_field_would_be_wider(connect, olga):
    client = connect(bounded(olga, access=Access.READ))
    assert is_refused(client.patch(CURRENT, json={"deletes": False, "access": "readWrite"}), 403)
    assert shown(client)["deletes"] is True


def test_a_token_that_may_only_read_can_narrow_and_revoke_itself(connect, olga):
    client = connect(bounded(olga, access=Access.READ))
    assert client.patch(CURRENT, json={"deletes": False}).status_code == 200
    assert client.delete(CURRENT).status_code == 204
    assert is_refused(client.get(CURRENT), 401)


def test_a_token_that_may_not_delete_can_revoke_itself(connect, olga):
    assert connect(bounded(olga, deletes=False)).delete(CURRENT).status_code == 204


@pytest.mark.parametrize("pick", ["stranger", "random"])
def test_a_token_of_all_boards_gets_no_board_that_its_owner_cannot_see(as_stan, board, pick):
    pk = str(board.pk) if pick == "stranger" else "01890000-0000-7000-8000-000000000000"
    assert is_refused(as_stan.patch(CURRENT, json={"boards": [pk]}), 404)
    assert shown(as_stan)["boards"] is None


@pytest.mark.parametrize(
    "body, word",
    [
        ({"access": "write"}, "access"),
        ({"access": None}, "access"),
        ({"boards": "all"}, "boards"),
        ({"boards": [1]}, "boards"),
        ({"deletes": "no"}, "deletes"),
        ({"deletes": None}, "deletes"),
        ({"expiresAt": "soon"}, "expiresAt"),
        ({"expiresAt": 7}, "expiresAt"),
        ({"expiresAt": "2020-01-01"}, "expiresAt"),
        ({"name": "New"}, "name"),
        ({"acess": "read"}, "access"),
    ],
)
def test_a_wrong_field_is_named_and_changes_nothing(as_olga, body, word):
    before = shown(as_olga)
    assert is_refused(as_olga.patch(CURRENT, json=body), 400, word)
    assert shown(as_olga) | {"lastUsedAt": None} == before | {"lastUsedAt": None}


def test_a_bare_date_is_the_end_of_that_day_for_the_owner(connect, ed):
    type(ed).objects.filter(pk=ed.pk).update(time_zone="Asia/Tokyo")
    answer = connect(token_of(ed)).patch(CURRENT, json={"expiresAt": "2999-06-30"})
    assert answer.json()["token"]["expiresAt"] == "2999-06-30T14:59:59Z"


def test_a_token_that_was_given_less_time_ends_then(connect, olga):
    client = connect(token_of(olga))
    soon = timestamp(timezone.now() + timedelta(hours=1))
    assert client.patch(CURRENT, json={"expiresAt": soon}).status_code == 200
    ApiToken.objects.update(expires_at=timezone.now())
    assert is_refused(client.get(CURRENT), 401)


def test_cards_are_not_found_on_boards_outside_of_the_chosen_ones(connect, olga, todo, other):
    client = connect(bounded(olga, boards=[other]))
    for place in ({"listId": str(todo.pk)}, {"boardId": str(todo.board_id)}):
        assert is_refused(client.post(CARDS, json={"title": "New", **place}), 404)


def test_foreign_boards_are_not_found_for_a_token_of_chosen_boards(connect, stan, todo):
    mine = create_board(actor=web(stan), title="Mine")
    assert is_refused(connect(token_of(stan)).post(CARDS, json={"title": "New", "listId": str(todo.pk)}), 403, "editor")
    ApiToken.objects.update(revoked_at=timezone.now())
    client = connect(bounded(stan, boards=[mine]))
    assert is_refused(client.post(CARDS, json={"title": "New", "listId": str(todo.pk)}), 404)


def test_a_token_that_may_only_read_is_told_so_when_it_creates_a_card(connect, olga, todo):
    client = connect(bounded(olga, access=Access.READ))
    for place in ({"listId": str(todo.pk)}, {"boardId": str(todo.board_id)}):
        assert is_refused(client.post(CARDS, json={"title": "New", **place}), 403, "This token may only read.")


def test_a_viewer_without_bounds_is_told_of_their_role(as_vera, todo):
    assert is_refused(as_vera.post(CARDS, json={"title": "New", "listId": str(todo.pk)}), 403, "editor")


def test_cards_are_created_on_chosen_boards(connect, olga, todo):
    client = connect(bounded(olga, boards=[todo.board], deletes=False))
    answer = client.post(CARDS, json={"title": "New", "listId": str(todo.pk)})
    assert parse_id(answer.json()["card"]["id"])


def test_boards_are_created_neither_by_a_token_of_chosen_boards_nor_by_one_that_may_only_read(connect, olga, board):
    client = connect(bounded(olga, boards=[board]))
    assert is_refused(client.post("/api/v1/boards", json={"title": "New"}), 403, "limited to some boards")
    ApiToken.objects.update(access=Access.READ)
    assert is_refused(client.post("/api/v1/boards", json={"title": "New"}), 403, "may only read")


def test_the_calls_of_before_know_nothing_of_bounds(as_olga, todo):
    assert as_olga.get("/api/v1/me").status_code == 200
    assert as_olga.post("/api/v1/boards", json={"title": "New"}).status_code == 201
    assert as_olga.post(CARDS, json={"title": "New", "listId": str(todo.pk)}).status_code == 201


def test_another_method_is_refused_and_the_allowed_ones_are_named(as_olga):
    answer = as_olga.post(CURRENT, json={})
    assert is_refused(answer, 405)
    assert answer.headers["Allow"] == "GET, HEAD, PATCH, DELETE"
