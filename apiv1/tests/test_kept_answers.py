"""A kept answer is given again only to those who still see the boards that it is about."""

import json

import pytest
from django.test import Client

from accounts.models import ApiToken
from accounts.tokens import create_token
from apiv1.idempotency import packed, unpacked
from apiv1.models import KeptAnswer
from apiv1.openapi import description, takes
from apiv1.tests.every_call import CALLS
from apiv1.tests.test_every_call import send, world
from boards.actions.boards.board import archive_board, create_board, delete_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import delete_card
from boards.actions.people.members import change_role, remove_member
from boards.models import Board, Card
from boards.tests.world import taken_back
from conftest import web

__all__ = ["world"]

CARDS = "/api/v1/cards"
NOT_SEEN = "The answer for this Idempotency-Key is about a board that does not exist, or that you don't have access to."


@pytest.fixture
def script(ed):
    """A client with a token of Ed's, which sends a key."""
    return Client(headers={"Authorization": f"Bearer {create_token(ed, 'Script')[1]}", "Idempotency-Key": "once"})


@pytest.fixture
def post_card(script, todo):
    def post_card():
        body = {"listId": str(todo.pk), "title": "Secret plan"}
        return script.post(CARDS, body, content_type="application/json")

    return post_card


def is_not_seen(answer):
    return (answer.status_code, answer.json()["error"].startswith(NOT_SEEN)) == (404, True)


def keyed_calls():
    """Return the calls of the table that take a key."""
    paths = json.loads(description())["paths"]
    taking = {
        f"{method.upper()} {path}"
        for path, methods in paths.items()
        for method, operation in methods.items()
        if takes(operation, "Idempotency-Key")
    }
    return [call for call in CALLS if call.name in taking]


def test_no_call_gives_an_answer_about_a_board_that_the_token_has_lost(world, subtests):
    token, value = create_token(world.olga, "Script")
    client = Client(headers={"Authorization": f"Bearer {value}", "Idempotency-Key": "once"})
    calls = keyed_calls()
    assert len(calls) == 12
    for call in calls:
        with subtests.test(call=call.name), taken_back():
            first = send(call, world, client)
            assert first.status_code == 201
            assert send(call, world, client).content == first.content
            mine = Board.objects.latest("created_at").pk if call.all_boards else world.board.pk
            others = [str(pk) for pk in Board.objects.exclude(pk=mine).values_list("pk", flat=True)]
            ApiToken.objects.filter(pk=token.pk).update(board_ids=others)
            assert is_not_seen(send(call, world, client))
            ApiToken.objects.filter(pk=token.pk).update(board_ids=None)
            again = send(call, world, client)
            assert (again.content, again.headers["Idempotency-Replayed"]) == (first.content, "true")


def test_a_former_member_gets_no_kept_answer(post_card, olga, ed, board):
    first = post_card()
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    answer = post_card()
    assert is_not_seen(answer)
    assert b"Secret" not in answer.content
    assert "Idempotency-Replayed" not in answer.headers
    assert first.status_code == 201
    assert Card.objects.count() == 1


def test_a_viewer_still_gets_the_answer_to_what_they_did_as_an_editor(post_card, olga, ed, board):
    first = post_card()
    change_role(actor=web(olga), board_id=board.pk, user_id=ed.pk, role="viewer")
    assert post_card().content == first.content


def test_the_answer_outlives_the_card_and_the_archiving_of_its_board_but_not_that_board(post_card, olga, board):
    first = post_card()
    archive_card(actor=web(olga), card_id=first.json()["card"]["id"])
    delete_card(actor=web(olga), card_id=first.json()["card"]["id"])
    archive_board(actor=web(olga), board_id=board.pk)
    assert post_card().content == first.content
    delete_board(actor=web(olga), board_id=board.pk)
    assert is_not_seen(post_card())


def test_a_key_whose_answer_is_not_seen_takes_no_other_body(script, post_card, olga, ed, board):
    post_card()
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    mine = create_board(actor=web(ed), title="Mine", template="kanban")
    body = {"listId": str(mine.lists.first().pk), "title": "Print"}
    assert script.post(CARDS, body, content_type="application/json").status_code == 422
    assert KeptAnswer.objects.count() == 1


def test_an_answer_that_was_kept_before_boards_were_is_given_again(post_card):
    first = post_card()
    KeptAnswer.objects.update(answer=first.content)
    assert post_card().content == first.content


def test_what_is_kept_is_read_as_it_was_written(board, todo):
    answer = b'{"title":"One\\nTwo \xf0\x9f\x93\x90"}'
    for ids in ([], [board.pk], [board.pk, todo.pk]):
        assert unpacked(packed(answer, ids)) == (ids, answer)
    assert unpacked(answer) == ([], answer)
