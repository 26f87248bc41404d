"""Fifty callers at once, on real threads and connections of their own."""

from collections import Counter
from datetime import UTC, datetime

import pytest
import time_machine

from apiv1.tests.calls import at_once, is_refused
from boards.models import Activity, Board, Card
from boards.richtext import to_plain

BOARDS, CARDS = "/api/v1/boards", "/api/v1/cards"


@pytest.fixture
def fifty(connect, as_olga):
    """Open fifty connections with one token in advance: the tests' server accepts only few new ones at once."""
    clients = [connect(as_olga.headers["Authorization"].removeprefix("Bearer ")) for _number in range(50)]
    for client in clients:
        client.get("/api/v1/nothing")
    return clients


def test_fifty_boards_at_once_never_pass_the_cap(fifty, unlimited):
    answers = at_once(50, lambda number: fifty[number].post(BOARDS, json={"title": f"Board {number}"}))
    made = [answer for answer in answers if answer.status_code == 201]
    assert len(made) == len({answer.json()["board"]["id"] for answer in made}) == Board.objects.count() == 10
    assert all(is_refused(answer, 403, "10") for answer in answers if answer not in made)


def test_fifty_cards_at_once_all_get_a_position(fifty, unlimited, board, todo):
    board.refresh_from_db()
    before = board.version
    body = {"listId": str(todo.pk), "title": "Card"}
    answers = at_once(50, lambda number: fifty[number].post(CARDS, json=body))
    assert Counter(answer.status_code for answer in answers) == {201: 50}
    cards = Card.objects.filter(pk__in=[answer.json()["card"]["id"] for answer in answers])
    assert sorted(card.number for card in cards) == list(range(1, 51))
    assert len({card.position for card in cards}) == 50
    board.refresh_from_db()
    versions = list(range(before + 1, before + 51))
    assert sorted(card.version for card in cards) == versions
    assert sorted(Activity.objects.filter(version__gt=before).values_list("version", flat=True)) == versions
    assert board.version == versions[-1]


def test_fifty_bodies_at_once_are_checked_each_for_itself(fifty, unlimited, todo):
    """Every third has no title; one serializer checks all bodies of a shape (apiv1/base.py)."""

    def send(number):
        title = {} if number % 3 == 0 else {"title": f"Card {number}", "description": f"Of {number}"}
        return fifty[number].post(
            CARDS, json={"listId": str(todo.pk), "startDate": f"2026-12-{number % 28 + 1:02}", **title}
        )

    answers = at_once(50, send)
    assert all(is_refused(answers[number], 400, "title is missing") for number in range(0, 50, 3))
    made = {card.title: card for card in Card.objects.all()}
    assert set(made) == {f"Card {number}" for number in range(50) if number % 3}
    for number in filter(lambda number: number % 3, range(50)):
        card = made[f"Card {number}"]
        assert answers[number].json()["card"]["id"] == str(card.pk)
        assert (to_plain(card.description), card.start_day.day) == (f"Of {number}", number % 28 + 1)


def test_a_body_has_nothing_of_the_one_before(as_olga, todo):
    full = {"title": "First", "description": "Text", "dueDate": "2026-12-01", "startDate": "2026-11-28"}
    for body in (full, {"title": 5, "dueDate": "never"}, {"title": "Second"}):
        as_olga.post(CARDS, json={"listId": str(todo.pk), **body})
    second = Card.objects.get(title="Second")
    assert (second.description, second.due_at, second.start_day) == (None, None, None)


def test_fifty_calls_at_once_never_pass_the_limit(fifty):
    with time_machine.travel(datetime(2026, 5, 4, 12, 0, tzinfo=UTC), tick=False):
        answers = at_once(50, lambda number: fifty[number].post(BOARDS, json={}))
    assert Counter(answer.status_code for answer in answers) == {400: 30, 429: 20}
