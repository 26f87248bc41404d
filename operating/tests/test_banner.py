"""The operators' banner: who sees it and when, how it is closed, and what it costs."""

import io
import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.utils import OperationalError
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from conftest import person
from operating.banner.memory import MEMORY, READ_EVERY, Memory
from operating.models import Banner
from web.tests.browsing import browser, text_of

WORDS = "Maintenance on Sunday from 9 to 10."
ADMIN = "/admin/operating/banner/"
CLOSE = reverse("close_banner")


@pytest.fixture
def banner(db) -> Banner:
    return Banner.objects.create(text=WORDS)


def shows(client: Client, path: str = "/") -> bool:
    return WORDS in text_of(client.get(path))


def run(*words: str) -> str:
    out = io.StringIO()
    call_command("banner", *words, stdout=out)
    return out.getvalue()


# Who sees it


def test_signed_in_people_see_it_on_every_page(banner, olga, board, card):
    client = browser(olga)
    for path in ("/", f"/board/{board.pk}", "/settings/profile", "/notifications", "/nowhere"):
        assert shows(client, path), path


def test_signed_out_it_is_on_the_sign_in_page_alone(banner, client):
    assert shows(client, "/sign-in")
    for path in ("/", "/sign-up", "/help", "/nowhere"):
        assert not shows(client, path), path


@pytest.mark.parametrize(
    "starts, ends, is_shown",
    [(None, None, True), (-1, 1, True), (-1, None, True), (None, 1, True), (1, 2, False), (-2, -1, False)],
)
def test_it_keeps_to_its_time(olga, starts, ends, is_shown):
    now = timezone.now()
    at = {
        name: None if hours is None else now + timedelta(hours=hours)
        for name, hours in (("starts_at", starts), ("ends_at", ends))
    }
    Banner.objects.create(text=WORDS, **at)
    assert shows(browser(olga)) is is_shown


def test_its_text_is_text_and_a_warning_is_said_as_one(olga):
    Banner.objects.create(text="<b>Now</b>", level="warning")
    page = browser(olga).get("/").content.decode()
    assert "&lt;b&gt;Now&lt;/b&gt;" in page
    assert '<span class="visually-hidden">Warning:</span>' in page
    assert 'class="banner warn" aria-label="Announcement"' in page


# Closing it


def test_closing_hides_it_in_this_browser_until_the_text_changes(banner, olga):
    client, other = browser(olga), browser(olga)
    page = {"Referer": "http://testserver/settings/profile"}
    answer = client.post(CLOSE, {"mark": banner.mark, "back": "1"}, headers=page)
    assert answer["Location"] == "http://testserver/settings/profile"
    assert not shows(client)
    assert shows(other)
    banner.level = "warning"
    banner.save()
    assert not shows(client)
    banner.text = f"Moved. {WORDS}"
    banner.save()
    assert shows(client)


def test_the_cookie_ends_with_the_browser_and_no_script_reads_it(banner, client):
    cookie = client.post(CLOSE, {"mark": banner.mark}).cookies["banner"]
    assert (cookie["max-age"], cookie["expires"], cookie["httponly"], cookie["samesite"]) == ("", "", True, "Lax")


@pytest.mark.parametrize("mark", ["", "x" * 16, "0" * 15, "0" * 17, "0000;000000000000"])
def test_nothing_but_a_mark_becomes_a_cookie(db, client, mark):
    assert "banner" not in client.post(CLOSE, {"mark": mark}).cookies


@pytest.mark.parametrize("page", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""])
def test_closing_leads_to_no_other_site(db, client, page):
    assert client.post(CLOSE, {"back": "1"}, headers={"Referer": page})["Location"] == "/"


def test_closing_leads_back_to_no_page_that_answered_a_form(banner, olga, board):
    client, refused = browser(olga), f"/board/{board.pk}/title"
    answer = client.post(refused, {"board-title": ""}).content.decode()
    assert (WORDS in answer, 'name="back"' in answer) == (True, False)
    assert 'name="back"' in client.get("/").content.decode()
    assert (
        client.post(CLOSE, {"mark": banner.mark}, headers={"Referer": f"http://testserver{refused}"})["Location"] == "/"
    )


def test_it_is_closed_by_a_form_of_our_pages_alone(banner, olga):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(olga)
    assert strict.post(CLOSE, {"mark": banner.mark}).status_code == 403
    assert strict.get(CLOSE).status_code == 405


# What it costs


def test_pages_ask_the_database_for_it_once_in_some_seconds(olga, board, monkeypatch):
    client = browser(olga)
    client.get("/")

    def statements() -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            client.get("/")
        return [one["sql"] for one in captured if "operating_banner" in one["sql"]]

    MEMORY.forget()
    assert [len(statements()) for _time in range(4)] == [1, 0, 0, 0]
    Banner.objects.create(text=WORDS)
    assert [len(statements()) for _time in range(3)] == [1, 0, 0]


def test_another_process_sees_a_change_once_it_reads_again(db, monkeypatch):
    now = 1000.0
    monkeypatch.setattr("operating.banner.memory.time.monotonic", lambda: now)
    elsewhere = Memory()
    assert elsewhere.banner() is None
    Banner.objects.create(text=WORDS)
    now += READ_EVERY - 0.1
    assert elsewhere.banner() is None
    now += 0.2
    assert elsewhere.banner().text == WORDS
    Banner.objects.get().delete()
    now += READ_EVERY
    assert elsewhere.banner() is None


def test_while_the_database_is_away_the_last_one_is_shown(banner, monkeypatch):
    memory = Memory()
    assert memory.banner() == banner

    def away(*args):
        raise OperationalError

    monkeypatch.setattr(type(Banner.objects), "first", away)
    memory.forget()
    assert memory.banner() == banner


# In the admin


def fields(**given: str) -> dict[str, str]:
    return {"text": WORDS, "level": "information", **given}


def test_an_operator_sets_changes_and_deletes_it(client, otto, olga):
    client.force_login(otto)
    assert client.post(f"{ADMIN}add/", fields()).status_code == 302
    assert shows(browser(olga))
    assert client.get(f"{ADMIN}add/").status_code == 403  # there is one
    client.post(f"{ADMIN}1/change/", fields(text="  Over.\n Thanks. ", level="warning"))
    assert (Banner.objects.get().text, Banner.objects.get().level) == ("Over. Thanks.", "warning")
    client.post(f"{ADMIN}1/delete/", {"post": "yes"})
    assert not shows(browser(olga))


def test_an_end_before_the_beginning_and_a_long_text_are_refused(client, otto):
    client.force_login(otto)
    times = {"starts_at_0": "2026-12-02", "starts_at_1": "09:00", "ends_at_0": "2026-12-01", "ends_at_1": "09:00"}
    assert "Choose a time after the beginning." in client.post(f"{ADMIN}add/", fields(**times)).content.decode()
    assert "at most 200 characters" in client.post(f"{ADMIN}add/", fields(text="x" * 201)).content.decode()
    assert not Banner.objects.exists()


def test_it_takes_the_permission(client, olga):
    helper = person("helper", is_staff=True)
    client.force_login(helper)
    assert client.post(f"{ADMIN}add/", fields()).status_code == 403
    helper.user_permissions.add(*Permission.objects.filter(codename__in=["add_banner", "view_banner"]))
    assert client.post(f"{ADMIN}add/", fields()).status_code == 302
    assert client.post(f"{ADMIN}1/delete/", {"post": "yes"}).status_code == 403
    client.force_login(olga)
    assert client.get(ADMIN)["Location"].startswith("/admin/login/")


# By command


def test_it_is_set_shown_and_cleared_by_command(olga):
    assert run("show") == "There is no banner.\n"
    assert json.loads(run("show", "--json")) is None
    assert "within 5 seconds" in run("set", f" {WORDS}\n", "--level", "warning", "--until", "2999-01-01T09:00+01:00")
    assert shows(browser(olga))
    assert json.loads(run("show", "--json")) == {
        "text": WORDS,
        "level": "warning",
        "startsAt": None,
        "endsAt": "2999-01-01T08:00:00Z",
        "isShown": True,
    }
    assert "endsAt    2999-01-01 08:00" in run("show")
    run("set", "Another.")
    assert (Banner.objects.get().text, Banner.objects.get().ends_at) == ("Another.", None)
    assert run("clear") == "There is no banner.\n"
    assert not Banner.objects.exists()


@pytest.mark.parametrize(
    "words, refusal",
    [
        (["x" * 201], "TEXT: Ensure this value has at most 200 characters"),
        ([" "], "TEXT: This field cannot be blank."),
        (["Hello", "--until", "2020-01-01"], "--until: this time has passed."),
        (["Hello", "--until", "soon"], "--until: write a time as in"),
        (["Hello", "--from", "2999-02-01", "--until", "2999-01-01"], "--until: Choose a time after the beginning."),
    ],
)
def test_a_banner_that_cannot_be_is_refused_and_the_former_stays(banner, words, refusal):
    with pytest.raises(CommandError) as refused:
        run("set", *words)
    assert str(refused.value).startswith(refusal)
    assert Banner.objects.get().text == WORDS
