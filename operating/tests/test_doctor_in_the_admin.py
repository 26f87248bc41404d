"""Findings of doctor are on the admin's first page and on a page of their own."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from conftest import person
from operating.doctor import examination
from operating.doctor.finding import note, ok, wrong
from web.tests.browsing import text_of

FIRST_PAGE, DOCTOR = reverse("admin:index"), reverse("admin:doctor")


@pytest.fixture
def operator(client: Client, otto) -> Client:
    client.force_login(otto)
    return client


def checks(monkeypatch, *found) -> None:
    def check_nothing():
        yield from found

    monkeypatch.setattr(examination, "QUICK", [check_nothing])


def test_the_first_page_tells_what_is_wrong_and_what_to_do(operator, settings):
    settings.DEBUG, settings.BACKUPS = True, None
    text = text_of(operator.get(FIRST_PAGE))
    assert (
        "Problem TASKBOARD_DEBUG is on: errors show settings and code to everybody. Set it to 0, or leave it out."
        in text
    )
    assert "Note No copies are kept by the service. Set TASKBOARD_BACKUPS" in text
    assert text.index("Problem") < text.index("Note ")


def test_what_is_sound_is_not_listed_there(operator, monkeypatch):
    checks(monkeypatch, ok("All is well."))
    text = text_of(operator.get(FIRST_PAGE))
    assert "Doctor Nothing to do. Run all checks" in text
    assert "All is well." not in text


def test_problems_come_before_notes_whatever_the_order(operator, monkeypatch):
    checks(monkeypatch, note("First.", "Do one."), wrong("Second.", "Do two."))
    assert "Problem Second. Do two. Note First. Do one." in text_of(operator.get(FIRST_PAGE))


def test_a_check_that_fails_is_a_problem_and_the_page_is_shown(operator, monkeypatch, caplog):
    def check_stars():
        yield ok("The sun shines.")
        raise ZeroDivisionError("no stars")

    monkeypatch.setattr(examination, "QUICK", [check_stars, *examination.QUICK])
    text = text_of(operator.get(FIRST_PAGE))
    assert "Problem The check of stars failed:" in text
    assert "Health All good" in text
    assert "check_stars failed" in caplog.text


def test_the_first_page_runs_no_check_that_reads_everything(operator, monkeypatch):
    def check_all():
        raise AssertionError

    monkeypatch.setattr(examination, "CHECKS", [check_all])
    monkeypatch.setattr(examination, "check_database", check_all)
    monkeypatch.setattr(examination, "WITH_DATABASE", [check_all])
    with CaptureQueriesContext(connection) as statements:
        assert "The check of" not in text_of(operator.get(FIRST_PAGE))
    assert not [one for one in statements if "integrity_check" in one["sql"]]


def test_its_own_page_has_all_checks_and_what_is_sound(operator):
    text = text_of(operator.get(DOCTOR))
    assert "OK No Redis is set" in text or "OK Redis answers." in text
    assert "OK Files can be kept in" in text
    assert "SQLite" in text or "PostgreSQL" in text
    assert operator.post(DOCTOR).status_code == 405


def test_only_superusers_see_it(client, olga):
    helper = person("helper", is_staff=True)
    client.force_login(helper)
    assert client.get(DOCTOR).status_code == 403
    assert "Run all checks" not in text_of(client.get(FIRST_PAGE))
    client.force_login(olga)
    assert client.get(DOCTOR).status_code == 302
