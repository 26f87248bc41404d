import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
import time_machine
from django.db import OperationalError
from django.utils import timezone
from psycopg.errors import LockNotAvailable

from accounts.models import ApiToken
from accounts.tokens import revoke_token
from apiv1.base import ApiView
from apiv1.models import KeptAnswer
from apiv1.tests.calls import at_once, is_refused, token_of
from boards.actions.boards.board import create_board, delete_board
from boards.actions.cards.card import create_card
from boards.models import Activity, Board, Card
from conftest import web
from taskboard.tests.servers import address_of_the_test_database

BOARDS, CARDS = "/api/v1/boards", "/api/v1/cards"
ONCE = {"Idempotency-Key": "once"}


@pytest.fixture
def post_card(as_olga, todo):
    """Create the same card under the same key each time, unless told otherwise."""

    def post_card(headers=ONCE, client=as_olga, **fields):
        return client.post(CARDS, json={"listId": str(todo.pk), "title": "Größe 📐", **fields}, headers=headers)

    return post_card


def test_a_repeat_gets_the_same_bytes_and_writes_nothing(post_card):
    first = post_card(dueDate="2026-12-01")
    changes = Activity.objects.count()
    second = post_card(dueDate="2026-12-01")
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.content == first.content
    assert second.headers["Content-Type"] == first.headers["Content-Type"]
    assert (Card.objects.count(), Activity.objects.count()) == (1, changes)


def test_a_repeat_alone_is_marked_as_one(post_card):
    first, second, other = post_card(), post_card(), post_card(headers={})
    assert second.headers["Idempotency-Replayed"] == "true"
    for answer in (first, other, post_card(title="")):
        assert "Idempotency-Replayed" not in answer.headers


def test_answers_about_boards_are_kept_as_well(as_olga):
    body = {"title": "Garden", "template": "kanban"}
    first, second = (as_olga.post(BOARDS, json=body, headers=ONCE) for _time in range(2))
    assert (second.status_code, second.content) == (201, first.content)
    assert Board.objects.count() == 1


def test_a_repeat_works_at_the_cap_too(as_olga, olga):
    first = as_olga.post(BOARDS, json={"title": "Garden"}, headers=ONCE)
    for number in range(9):
        create_board(actor=web(olga), title=f"Board {number}")
    assert as_olga.post(BOARDS, json={"title": "Garden"}, headers=ONCE).content == first.content


def test_without_a_key_every_call_counts(post_card):
    first, second = post_card(headers={}), post_card(headers={})
    assert first.json()["card"]["id"] != second.json()["card"]["id"]
    assert Card.objects.count() == 2
    assert not KeptAnswer.objects.exists()


def test_another_key_is_another_call(post_card):
    post_card()
    post_card(headers={"Idempotency-Key": "Once"})
    assert Card.objects.count() == 2


@pytest.mark.parametrize("other", ['{"listId":"LIST","title":"Other"}', '{"listId": "LIST","title":"Print"}'])
def test_another_body_under_the_same_key_is_refused(as_olga, todo, other):
    def post(content):
        headers = ONCE | {"Content-Type": "application/json"}
        return as_olga.post(CARDS, content=content.replace("LIST", str(todo.pk)), headers=headers)

    assert post('{"listId":"LIST","title":"Print"}').status_code == 201
    assert is_refused(post(other), 422, "Idempotency-Key")
    assert Card.objects.count() == 1


def test_each_path_has_keys_of_its_own(post_card, as_olga):
    post_card()
    assert as_olga.post(BOARDS, json={"title": "Garden"}, headers=ONCE).status_code == 201


def test_each_token_has_keys_of_its_own_even_for_one_person(connect, paula):
    for name in ("One", "Other"):
        client = connect(token_of(paula, name))
        assert client.post(BOARDS, json={"title": "Garden"}, headers=ONCE).status_code == 201
    assert Board.objects.count() == 2


def test_a_repeat_counts_against_the_limit(post_card, settings):
    settings.LIMITS = settings.LIMITS | {"cards": "2/d"}
    assert [post_card().headers["RateLimit-Remaining"] for _time in range(2)] == ["1", "0"]
    assert is_refused(post_card(), 429)


def test_a_repeat_with_a_revoked_token_is_refused(post_card):
    post_card()
    revoke_token(ApiToken.objects.get())
    assert is_refused(post_card(), 401)


def test_an_answer_is_kept_for_24_hours(post_card):
    first, start = post_card(), timezone.now()
    with time_machine.travel(start + timedelta(hours=23, minutes=59), tick=True):
        assert post_card().content == first.content
    with time_machine.travel(start + timedelta(hours=24), tick=True):
        later = post_card()
        assert later.status_code == 201
        assert later.content != first.content
        assert post_card().content == later.content
    assert Card.objects.count() == 2


def test_after_24_hours_the_key_takes_another_body(post_card):
    post_card()
    with time_machine.travel(timezone.now() + timedelta(hours=24), tick=True):
        assert post_card(title="Other").status_code == 201


REFUSED = {400: {"title": ""}, 404: {"listId": "nothing"}}


@pytest.mark.parametrize("status", REFUSED)
def test_a_refused_first_call_leaves_the_key_free(post_card, status):
    assert is_refused(post_card(**REFUSED[status]), status)
    assert not KeptAnswer.objects.exists()
    assert post_card().status_code == 201


def test_a_first_call_without_permission_leaves_the_key_free(post_card, as_vera):
    assert is_refused(post_card(client=as_vera), 403)
    assert not KeptAnswer.objects.exists()


def test_a_first_call_at_the_cap_leaves_the_key_free(as_olga, olga):
    boards = [create_board(actor=web(olga), title=f"Board {number}") for number in range(10)]
    assert is_refused(as_olga.post(BOARDS, json={"title": "Garden"}, headers=ONCE), 403)
    delete_board(actor=web(olga), board_id=boards[0].pk)
    assert as_olga.post(BOARDS, json={"title": "Garden"}, headers=ONCE).status_code == 201


@pytest.mark.parametrize(
    "step", ["apiv1.cards.collections.create_card", "apiv1.cards.collections.shapes.new_card_out", "apiv1.base.encode"]
)
def test_a_first_call_that_crashed_leaves_the_key_free_and_nothing_behind(post_card, monkeypatch, step):
    with monkeypatch.context() as broken:
        broken.setattr(step, lambda *args, **kwargs: 1 / 0)
        assert is_refused(post_card(), 500)
    assert not Card.objects.exists()
    assert post_card().status_code == 201
    assert Card.objects.count() == 1


KILLED = """
import os, signal, django
django.setup()
from django.db import transaction
from accounts.models import ApiToken
from apiv1.models import KeptAnswer
from boards.models import List
with transaction.atomic():
    KeptAnswer.objects.create(token=ApiToken.objects.get(), path="/api/v1/cards", key="once", body_digest="0" * 64)
    List.objects.update(title="Half done")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_first_call_that_was_killed_leaves_the_key_free(processes, post_card, todo):
    surroundings = {"DJANGO_SETTINGS_MODULE": "taskboard.settings", "DATABASE_URL": address_of_the_test_database()}
    first = subprocess.run([sys.executable, "-c", KILLED], env=os.environ | surroundings, timeout=60, check=False)
    assert first.returncode == -9
    assert post_card().status_code == 201
    todo.refresh_from_db()
    assert todo.title == "To do"


@pytest.fixture
def two_at_once(post_card, monkeypatch):
    """Send the same call twice, the second once the first is running. `work` is called with the number of its run."""

    def two_at_once(work):
        at_work, both_in, runs, arrivals = Event(), Event(), [], []

        def arrive(view, make):
            arrivals.append(view)
            if len(arrivals) == 2:
                both_in.set()
            return created(view, make)

        def create(**fields):
            runs.append(fields)
            at_work.set()
            both_in.wait(30)
            return work(len(runs), fields)

        created = ApiView.created
        monkeypatch.setattr(ApiView, "created", arrive)
        monkeypatch.setattr("apiv1.cards.collections.create_card", create)
        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(post_card)
            at_work.wait(30)
            second = pool.submit(post_card)
        return first.result(), second.result(), len(runs)

    return two_at_once


def test_a_second_call_waits_for_the_first_or_is_told_to_come_back(two_at_once):
    first, second, runs = two_at_once(lambda _run, fields: create_card(**fields))
    assert first.status_code == 201
    assert second.status_code == 409 or (second.status_code, second.content) == (201, first.content)
    assert runs == Card.objects.count() == 1


def test_when_the_first_of_two_calls_fails_the_second_takes_its_place(two_at_once):
    first, second, _runs = two_at_once(lambda run, fields: create_card(**fields) if run == 2 else 1 / 0)
    assert (first.status_code, second.status_code) == (500, 201)
    assert Card.objects.count() == 1


def test_a_second_call_that_has_waited_for_long_is_told_to_come_back(post_card, monkeypatch):
    def wait_in_vain(**fields):
        raise OperationalError from LockNotAvailable()

    monkeypatch.setattr(KeptAnswer.objects, "create", wait_in_vain)
    assert is_refused(post_card(), 409, "Try again")


def test_a_database_error_is_not_mistaken_for_a_running_first_call(post_card, monkeypatch):
    def fail(**fields):
        raise OperationalError

    monkeypatch.setattr(KeptAnswer.objects, "create", fail)
    assert is_refused(post_card(), 503)


def test_twenty_calls_at_once_write_once(post_card, unlimited):
    answers = at_once(20, lambda _number: post_card())
    written = [answer for answer in answers if answer.status_code == 201]
    assert len({answer.content for answer in written}) == 1
    for answer in answers:
        if answer.status_code == 503:  # on a machine too busy for SQLite's lock; it says so, and writes nothing
            assert is_refused(answer, 503, "Try again")
        elif answer not in written:
            assert is_refused(answer, 409, "still running")
    assert Card.objects.count() == 1


GOOD_KEYS = ["a", "x" * 255, "550e8400-e29b-41d4-a716-446655440000", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]
BAD_KEYS = ["", "x" * 256, "two words", "tab\there", "é".encode(), "日本".encode(), b"\x80"]


@pytest.mark.parametrize("key", GOOD_KEYS)
def test_a_key_may_be_any_visible_ascii(post_card, key):
    first, second = (post_card(headers={"Idempotency-Key": key}) for _time in range(2))
    assert (second.status_code, second.content) == (201, first.content)


@pytest.mark.parametrize("key", BAD_KEYS)
def test_any_other_key_is_refused(post_card, key):
    assert is_refused(post_card(headers={"Idempotency-Key": key}), 400, "Idempotency-Key", "255")
    assert not Card.objects.exists()


@pytest.mark.parametrize("board_id", ["x" * 300, "%00"])
def test_a_path_that_no_database_keeps_finds_nothing(as_olga, board_id):
    answer = as_olga.post(f"{BOARDS}/{board_id}/lists", json={"title": "To do"}, headers=ONCE)
    assert is_refused(answer, 404)


def test_reads_ignore_a_key(as_olga):
    assert as_olga.get(BOARDS, headers={"Idempotency-Key": "not a key"}).status_code == 200
    assert not KeptAnswer.objects.exists()
