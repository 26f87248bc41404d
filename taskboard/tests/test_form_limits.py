"""Limits of the pages' forms. accounts/tests/test_attempts.py has those of passwords."""

import re
from uuid import uuid4

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import get_resolver

from accounts.models import ApiToken
from boards.models import Board, Card, Comment
from cliauth.tests.conftest import CommandLine
from conftest import person
from security.limits import count
from security.models import SecurityEvent
from taskboard.form_limits import BY_ACCOUNT, BY_ADDRESS, BY_SESSION, COUNTS_ITSELF
from taskboard.tests.servers import ROOT
from web.tests.browsing import SCRIPTED, browser, text_of


@pytest.fixture(autouse=True)
def clock():
    """Stop the clock, so that no window ends during a test."""
    with time_machine.travel("2026-05-04 12:00Z", tick=False) as clock:
        yield clock


def statuses(send, times):
    return [send(number).status_code for number in range(times)]


def test_a_flood_of_cards_is_refused(olga, todo):
    client = browser(olga, **SCRIPTED)
    answers = statuses(lambda number: client.post(f"/list/{todo.pk}/cards", {f"new-{todo.pk}": f"Card {number}"}), 200)
    assert answers == [200] * 120 + [429] * 80
    assert Card.objects.count() == 120


def test_nobody_is_refused_who_changes_something_four_times_a_second(olga, card):
    client = browser(olga, **SCRIPTED)
    for _change in range(240):
        count(None, "forms", str(olga.pk))
    assert client.post(f"/card/{card.pk}/title", {"title": "Draft"}).status_code == 200


def test_after_three_hundred_forms_a_minute_every_page_refuses(olga, ed, card, settings):
    settings.LIMITS = {**settings.LIMITS, "forms": "3/d"}
    client = browser(olga)
    answers = statuses(lambda number: client.post(f"/card/{card.pk}/completion", {"done": "1"}), 4)
    assert answers == [302] * 3 + [429]
    assert client.post("/settings/profile", {}).status_code == 429
    assert client.get("/").status_code == 200, "only what changes something is counted"
    assert browser(ed).post(f"/card/{card.pk}/completion", {"done": "1"}).status_code == 302


@pytest.mark.parametrize("cards, uses", [(1, 1), (10, 1), (11, 2), (100, 10)])
def test_a_form_that_changes_many_cards_counts_as_a_form_for_each_ten(olga, board, card, settings, cards, uses):
    settings.LIMITS = {**settings.LIMITS, "forms": f"{uses}/d"}
    form = {"card": [str(uuid4()) for _card in range(cards)], "done": "1"}
    answers = statuses(lambda number: browser(olga).post(f"/board/{board.pk}/cards", form), 2)
    assert answers == [404, 429]


@pytest.mark.parametrize("path", ["cards-place", "cards-archival"])
def test_a_form_that_changes_all_cards_of_a_list_counts_as_twenty(olga, todo, settings, path):
    settings.LIMITS = {**settings.LIMITS, "forms": "20/d"}
    answers = statuses(lambda number: browser(olga).post(f"/list/{todo.pk}/{path}", {"list": str(todo.pk)}), 2)
    assert answers[0] != 429
    assert answers[1] == 429


@pytest.mark.parametrize(
    "change, uses", [("7", 1), ("1-10", 1), ("1-11", 2), ("1-999999999999", 20), ("9-1 x", 1), ("1-6 8-13", 2)]
)
def test_a_form_that_takes_back_many_changes_counts_as_a_form_for_each_ten(olga, board, settings, change, uses):
    settings.LIMITS = {**settings.LIMITS, "forms": f"{uses}/d"}
    answers = statuses(lambda number: browser(olga).post(f"/board/{board.pk}/undo", {"change": change}), 2)
    assert answers[0] != 429
    assert answers[1] == 429


def test_a_page_says_how_long_to_wait_and_keeps_what_was_typed(olga, card, settings):
    settings.LIMITS = {**settings.LIMITS, "comments": "1/10m"}
    client = browser(olga)
    client.post(f"/card/{card.pk}/comments", {"text": "One"})
    answer = client.post(f"/card/{card.pk}/comments", {"text": "A long thought"})
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 600
    assert "no-store" in answer["Cache-Control"]
    assert "Too many requests. Wait " in text_of(answer)
    assert "A long thought</textarea>" in answer.text
    assert Comment.objects.count() == 1


def test_a_script_of_the_page_gets_one_sentence(olga, card, settings):
    settings.LIMITS = {**settings.LIMITS, "forms": "1/d"}
    client = browser(olga, **SCRIPTED)
    answer = [client.post(f"/card/{card.pk}/title", {"title": "New"}) for _time in range(2)][-1]
    assert (answer.status_code, answer["X-Answer"]) == (429, "fragments")
    assert int(answer["Retry-After"]) >= 1
    assert text_of(answer).startswith("Too many requests. Wait ")
    assert answer.text.count("<p") == 1


def test_the_page_of_a_refusal_never_repeats_a_password(client, db, settings):
    settings.LIMITS = {**settings.LIMITS, "sign-up": "1/h"}
    sent = {"email": "new@example.com", "password1": "hunter2-hunter2"}
    answer = [client.post("/sign-up", {**sent, "email": "x"}), client.post("/sign-up", sent)][-1]
    assert answer.status_code == 429
    assert "hunter2" not in answer.text


@pytest.mark.parametrize(
    "name, path, sent",
    [
        ("pictures", "/settings/profile/picture", {"remove": "1"}),
        ("new-boards", "/boards/new", {"title": "Garden"}),
        ("new-boards", "/board/{board}/copy", {"title": "Garden", "cards": "on"}),
        ("comments", "/card/{card}/comments", {}),
        ("new-cards", "/list/{list}/cards", {"title": "Dig"}),
        ("new-cards", "/card/{card}/copy", {}),
        ("new-cards", "/item/{item}/card", {}),
        ("copies", "/list/{list}/copy", {}),
    ],
)
def test_forms_that_make_much_have_lower_limits(olga, card, settings, name, path, sent):
    settings.LIMITS = {**settings.LIMITS, name: "2/h"}
    client = browser(olga)
    path = path.format(card=card.pk, list=card.list_id, board=card.board_id, item=card.pk)
    answers = statuses(lambda number: client.post(path, {"text": "x", **sent}), 3)
    assert [answer == 429 for answer in answers] == [False, False, True]


def test_each_file_of_a_form_counts(olga, card, settings):
    settings.LIMITS = {**settings.LIMITS, "files": "4/h"}
    client = browser(olga)

    def attach(count: int) -> int:
        files = [SimpleUploadedFile(f"{number}.txt", b"words") for number in range(count)]
        return client.post(f"/card/{card.pk}/attachments", {"file": files}).status_code

    assert attach(3) == 302
    assert attach(2) == 429
    assert card.attachments.count() == 3


def test_invitations_have_a_limit(olga, board):
    client = browser(olga)
    path = f"/board/{board.pk}/invitations"
    answers = statuses(lambda number: client.post(path, {"email": f"p{number}@example.com", "role": "viewer"}), 31)
    assert (answers.count(429), answers[-1]) == (1, 429)


def test_making_tokens_has_a_limit_whichever_way(olga, settings):
    settings.LIMITS = {**settings.LIMITS, "new-tokens": "3/h"}
    client = browser(olga)

    def make(number):
        ApiToken.objects.all().delete()
        return client.post("/settings/tokens", {"name": f"Token {number}"})

    assert statuses(make, 2) == [200] * 2
    line = CommandLine()
    line.start()
    ApiToken.objects.all().delete()
    assert client.post("/cli", {"code": line.codes["userCode"], "answer": "approve"}).status_code == 200
    line.start()
    ApiToken.objects.all().delete()
    assert client.post("/cli", {"code": line.codes["userCode"], "answer": "approve"}).status_code == 429
    assert make(3).status_code == 429
    assert not ApiToken.objects.exists()


def test_making_tokens_has_a_limit_for_the_day(olga, settings):
    settings.LIMITS = {**settings.LIMITS, "new-tokens": "9/h", "new-tokens-day": "3/d"}
    client = browser(olga)
    answers = []
    for number in range(4):
        ApiToken.objects.all().delete()
        answers.append(client.post("/settings/tokens", {"name": f"Token {number}"}).status_code)
    assert answers == [200, 200, 200, 429]


@pytest.mark.parametrize(
    "path, sent, most",
    [("/sign-up", {}, 60), ("/language", {"language": "de"}, 60), ("/password/reset", {"email": "x"}, 20)],
)
def test_forms_of_signed_out_people_are_counted_by_network(db, settings, path, sent, most):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    post = lambda number: Client(REMOTE_ADDR=f"2001:db8::{number:x}").post(path, sent)  # noqa: E731
    answers = statuses(post, most + 1)
    assert [answer == 429 for answer in answers] == [False] * most + [True]
    assert Client(REMOTE_ADDR="2001:db8:0:1::1").post(path, sent).status_code != 429


def test_a_foreign_form_uses_up_nothing(olga, card, settings):
    settings.LIMITS = {**settings.LIMITS, "forms": "1/d"}
    client = Client(enforce_csrf_checks=True)
    client.force_login(olga)
    for _time in range(3):
        assert client.post(f"/card/{card.pk}/title", {"title": "Foreign"}).status_code == 403
    assert browser(olga).post(f"/card/{card.pk}/title", {"title": "Own"}).status_code == 302


def test_a_flood_is_logged_once(olga, card, settings):
    settings.LIMITS = {**settings.LIMITS, "forms": "1/d"}
    client = browser(olga, REMOTE_ADDR="203.0.113.7")
    for _time in range(20):
        client.post(f"/card/{card.pk}/title", {"title": "New"})
    event = SecurityEvent.objects.get()
    assert (event.kind, event.user, event.address, event.details["limit"]) == (
        "limit-reached",
        olga,
        "203.0.113.7",
        "forms",
    )


def test_the_refusal_is_in_the_language_of_the_account(card, settings):
    settings.LIMITS = {**settings.LIMITS, "forms": "1/d"}
    client = browser(person("greta", language="de"))
    answer = [client.post("/settings/profile", {}) for _time in range(2)][-1]
    assert answer.status_code == 429
    assert 'lang="de"' in answer.text


def test_limits_can_be_turned_off(olga, settings):
    settings.LIMITS = None
    client = browser(olga)
    assert set(statuses(lambda number: client.post("/boards/new", {"title": ""}), 40)) == {422}
    assert not Board.objects.exists()


def test_the_docs_list_every_limit_with_its_rate(settings):
    page = (ROOT / "docs" / "running" / "settings.md").read_text().partition("\n## Limits")[2].partition("\n## ")[0]
    listed = {}
    for line in page.splitlines():
        if line.startswith("| `"):
            names, rates = (re.findall(r"`([^`]+)`", cell) for cell in line.split("|")[1:3])
            listed |= dict(zip(names, rates * len(names) if len(rates) == 1 else rates, strict=True))
    assert listed == settings.LIMITS


def test_each_name_in_the_tables_is_an_address_and_each_limit_a_setting(settings):
    names = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    tables = (BY_ACCOUNT, BY_SESSION, BY_ADDRESS)
    assert {page for table in tables for page in table} | {COUNTS_ITSELF} <= names
    assert {limit for table in tables for limits in table.values() for limit in limits} <= set(settings.LIMITS)
