"""A call that is wrong in several ways at once gets the answer of the first check that it fails."""

import pytest

from apiv1.tests.calls import is_refused, without_length
from boards.actions.boards.board import create_board
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.lists.list import archive_list
from boards.models import Card
from conftest import web

BOARDS, CARDS = "/api/v1/boards", "/api/v1/cards"
TEXT = {"Content-Type": "text/plain"}
JSON = {"Content-Type": "application/json"}
ZIPPED = JSON | {"Content-Encoding": "gzip"}
LARGE = b"x" * (1024 * 1024 + 1)


@pytest.fixture
def exhausted(as_stan, settings):
    settings.LIMITS = dict.fromkeys(settings.LIMITS, "1/d")
    as_stan.get(BOARDS)
    as_stan.post(BOARDS)
    as_stan.post(CARDS)


def keyed(key="once"):
    return JSON | {"Idempotency-Key": key}


def test_the_path_is_checked_first(anyone):
    assert is_refused(anyone.request("PUT", "/api/v1/nothing", content=LARGE, headers=TEXT), 404)


def test_the_token_is_checked_after_the_path(anyone):
    assert is_refused(anyone.request("PUT", BOARDS, content=LARGE, headers=TEXT), 401)
    assert is_refused(without_length(anyone, CARDS, headers=TEXT), 401)


def test_the_limit_is_checked_after_the_token(as_stan, exhausted):
    assert is_refused(as_stan.request("PUT", BOARDS, content=LARGE, headers=TEXT), 429)
    assert is_refused(as_stan.request("PUT", CARDS, content=LARGE, headers=TEXT), 429)
    assert is_refused(without_length(as_stan, CARDS, headers=TEXT), 429)


def test_the_method_is_checked_after_the_limit(as_stan):
    assert is_refused(as_stan.request("PUT", BOARDS, content=LARGE, headers=TEXT), 405)
    assert is_refused(as_stan.request("PATCH", CARDS, content=b"[", headers=TEXT), 405)


def test_the_length_is_checked_after_the_method(as_stan):
    assert is_refused(without_length(as_stan, CARDS, headers=TEXT), 411)
    assert is_refused(as_stan.post(CARDS, content=LARGE, headers=TEXT), 413)


def test_the_type_of_the_body_is_checked_after_its_length(as_stan):
    assert is_refused(as_stan.post(CARDS, content=b"[", headers=TEXT), 415)
    assert is_refused(as_stan.post(CARDS, content=b"", headers=TEXT | {"Idempotency-Key": "é".encode()}), 415)
    assert is_refused(as_stan.post(CARDS, content=LARGE, headers=ZIPPED), 413)
    assert is_refused(as_stan.post(CARDS, content=b"[", headers=ZIPPED), 415)


@pytest.fixture
def used_key(as_stan, stan):
    """Stan has used the key `once` for both calls already."""
    mine = create_board(actor=web(stan), title="Mine", template="kanban")
    as_stan.post(CARDS, json={"boardId": str(mine.pk), "title": "First"}, headers=keyed())
    as_stan.post(BOARDS, json={"title": "First"}, headers=keyed())


def test_the_contents_of_the_body_are_checked_after_its_type(as_stan, todo, used_key):
    for body in ("[", "{}", f'{{"listId": "{todo.pk}", "title": ""}}', '{"listId": "x", "title": "A", "dueDate": ""}'):
        assert is_refused(as_stan.post(CARDS, content=body, headers=keyed()), 400)


@pytest.mark.parametrize(
    "method, path, sent, wrong",
    [
        ("PATCH", "/api/v1/cards/{card}", {"labelIds": ["x"]}, {"title": 5}),
        ("PATCH", "/api/v1/cards/{card}", {"coverAttachmentId": "x"}, {"title": 5}),
        ("POST", "/api/v1/cards/{card}/move", {"listId": "x"}, {"place": "x"}),
        ("POST", "/api/v1/cards/{card}/copy", {"listId": "x"}, {"title": 5}),
        ("PATCH", "/api/v1/items/{item}", {"checklistId": "x"}, {"text": 5}),
    ],
)
def test_what_cannot_be_an_id_is_looked_for_after_the_other_fields_are_checked(
    as_olga, olga, card, method, path, sent, wrong
):
    steps = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    item = add_item(actor=web(olga), checklist_id=steps.pk, text="Measure")
    path = path.format(card=card.pk, item=item.pk)
    assert is_refused(as_olga.request(method, path, json=sent | wrong), 400, *wrong)
    assert is_refused(as_olga.request(method, path, json=sent), 404, "does not exist")


def test_what_cannot_be_an_id_is_looked_for_after_the_other_cards_of_a_batch_are_checked(as_olga, todo):
    cards = [{"listId": str(todo.pk), "title": title} for title in ("A", "")]
    cards[0]["labelIds"] = ["x"]
    assert is_refused(as_olga.post(f"{CARDS}/batch", json={"cards": cards}), 400, "cards[1]", "title")


def test_what_cannot_be_an_id_is_looked_for_after_the_key_is_checked(as_olga, card):
    copy = f"{CARDS}/{card.pk}/copy"
    assert as_olga.post(copy, json={}, headers=keyed()).status_code == 201
    assert is_refused(as_olga.post(copy, json={"listId": "x"}, headers=keyed()), 422)


def test_the_key_is_checked_after_the_contents_of_the_body(as_stan, stan, todo, used_key):
    for target in (str(todo.pk), "nothing"):
        answer = as_stan.post(CARDS, json={"listId": target, "title": "Other"}, headers=keyed())
        assert is_refused(answer, 422)
    for number in range(8):
        create_board(actor=web(stan), title=f"Board {number}")
    assert is_refused(as_stan.post(BOARDS, json={"title": "Other"}, headers=keyed("new")), 403)
    assert is_refused(as_stan.post(BOARDS, json={"title": "Other"}, headers=keyed()), 422)


def test_existence_is_checked_after_the_key_and_permission_last(as_stan, todo, doing, olga):
    archive_list(actor=web(olga), list_id=todo.pk)
    assert is_refused(as_stan.post(CARDS, json={"listId": str(todo.pk), "title": "A"}), 404)
    assert is_refused(as_stan.post(CARDS, json={"listId": str(doing.pk), "title": "A"}), 403)
    assert not Card.objects.exists()
