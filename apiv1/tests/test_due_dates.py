from datetime import UTC, date, datetime

import pytest

from accounts.models import User
from apiv1.tests.calls import is_refused
from boards.models import Card

CARDS = "/api/v1/cards"


@pytest.fixture
def due(as_olga, olga, todo):
    """Create a card with this due date in this time zone; return the answer."""

    def due(date, zone="UTC"):
        User.objects.filter(pk=olga.pk).update(time_zone=zone)
        return as_olga.post(CARDS, json={"listId": str(todo.pk), "title": "Print", "dueDate": date})

    return due


def moment(*parts):
    return datetime(*parts, tzinfo=UTC)


WRITTEN = [
    ("2026-12-01T09:00:00Z", moment(2026, 12, 1, 9)),
    ("2026-12-01t09:00:00z", moment(2026, 12, 1, 9)),
    ("2026-12-01T09:00Z", moment(2026, 12, 1, 9)),
    ("2026-12-01T09:00:00+02:00", moment(2026, 12, 1, 7)),
    ("2026-12-01T09:00:00-09:30", moment(2026, 12, 1, 18, 30)),
    ("20261201T090000Z", moment(2026, 12, 1, 9)),
    ("20261201T0900+0200", moment(2026, 12, 1, 7)),
    ("2026-12-01T09:00:00.25Z", moment(2026, 12, 1, 9, 0, 0, 250_000)),
    ("2026-12-01T09:00:00,25Z", moment(2026, 12, 1, 9, 0, 0, 250_000)),
    ("2026-12-01", moment(2026, 12, 1, 23, 59, 59)),
    ("20261201", moment(2026, 12, 1, 23, 59, 59)),
    ("2028-02-29T00:00:00Z", moment(2028, 2, 29)),
    ("1970-01-01T00:00:00Z", moment(1970, 1, 1)),
    ("9999-12-31T23:59:59Z", moment(9999, 12, 31, 23, 59, 59)),
]


@pytest.mark.parametrize("written, meant", WRITTEN)
def test_a_due_date_is_stored_as_its_moment_and_answered_as_written(due, written, meant):
    answer = due(written)
    assert answer.status_code == 201
    assert answer.json()["card"]["dueDate"] == written
    assert Card.objects.get().due_at == meant


ZONED = [
    ("2026-07-01T09:00", "Europe/Berlin", moment(2026, 7, 1, 7)),
    ("2026-12-01T09:00", "Europe/Berlin", moment(2026, 12, 1, 8)),
    ("2026-12-01", "Europe/Berlin", moment(2026, 12, 1, 22, 59, 59)),
    ("2026-12-01", "America/Los_Angeles", moment(2026, 12, 2, 7, 59, 59)),
    ("2026-03-29T02:30", "Europe/Berlin", moment(2026, 3, 29, 1, 30)),  # skipped that night: read as 03:30
    ("2026-10-25T02:30", "Europe/Berlin", moment(2026, 10, 25, 0, 30)),  # comes twice that night: the first is taken
    ("2026-12-01T09:00Z", "Europe/Berlin", moment(2026, 12, 1, 9)),
]


@pytest.mark.parametrize("written, zone, meant", ZONED)
def test_a_due_date_without_an_offset_is_read_in_the_time_zone_of_the_token_owner(due, written, zone, meant):
    answer = due(written, zone)
    assert answer.json()["card"]["dueDate"] == written
    assert Card.objects.get().due_at == meant


@pytest.mark.parametrize("nothing", [None, ...])
def test_a_due_date_is_optional(as_olga, todo, nothing):
    body = {"listId": str(todo.pk), "title": "Print"} | ({} if nothing is ... else {"dueDate": nothing})
    answer = as_olga.post(CARDS, json=body)
    assert answer.json()["card"]["dueDate"] is None
    assert Card.objects.get().due_at is None


@pytest.mark.parametrize("written, day", [("2026-12-01", "2026-12-01"), ("20261201", "2026-12-01")])
def test_a_bare_date_is_a_whole_day(due, written, day):
    answer = due(written, "America/Los_Angeles")
    assert answer.json()["card"]["dueDate"] == written
    assert Card.objects.get().due_day == date.fromisoformat(day)


def test_the_last_second_of_a_day_is_no_whole_day(due):
    assert due("2026-12-01T23:59:59Z").status_code == 201
    assert Card.objects.get().due_day is None


def test_a_start_date_is_stored(as_olga, todo):
    body = {"listId": str(todo.pk), "title": "Print", "startDate": "2026-11-28", "dueDate": "2026-11-28"}
    assert as_olga.post(CARDS, json=body).status_code == 201
    assert Card.objects.get().start_day == date(2026, 11, 28)


@pytest.mark.parametrize(
    "start", ["", "tomorrow", "2026-11-28T09:00", "2026-02-30", "1969-12-31", 20261128, ["2026-11-28"], "2026-12-02"]
)
def test_any_other_start_date_and_one_after_the_due_date_is_refused(as_olga, todo, start):
    body = {"listId": str(todo.pk), "title": "Print", "startDate": start, "dueDate": "2026-12-01"}
    assert is_refused(as_olga.post(CARDS, json=body), 400, "startDate")
    assert not Card.objects.exists()


REFUSED = [
    "",
    " ",
    "tomorrow",
    "2026-12",
    "2026-W49-2",
    "2026-335",
    "01.12.2026",
    "12/01/2026",
    "2026-12-01 09:00:00",
    "2026-13-01",
    "2026-02-30",
    "2027-02-29T00:00:00Z",
    "2026-12-01T25:00:00Z",
    "2026-12-01T09:60:00Z",
    "2026-12-01T09:00:60Z",
    "2026-12-01T09:00:00+25:00",
    "2026-12-01T09:00:00 Z",
    " 2026-12-01T09:00:00Z",
    "2026-12-01T09:00:00Z\n",
    "2026-12-01T0900Z",
    "20261201T09:00Z",
    "1969-12-31T23:59:59Z",
    "1970-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "10000-01-01T00:00:00Z",
    "-2026-12-01T00:00:00Z",
    "٢٠٢٦-12-01",
    "1796202000",
    "P1D",
    "x" * 10_000,
    1796202000,
    0,
    False,
    ["2026-12-01"],
    {"date": "2026-12-01"},
]


def test_any_other_due_date_is_refused(due, unlimited):
    for written in REFUSED:
        assert is_refused(due(written), 400, "dueDate"), written
    assert not Card.objects.exists()
