"""Dates in words."""

import re
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from clients.taskboard import day_in_words
from clients.tests.shell import Answers, Call, answering

TUESDAY = date(2026, 11, 24)


@pytest.mark.parametrize(
    "words, day",
    [
        ("today", "2026-11-24"),
        ("tomorrow", "2026-11-25"),
        ("wed", "2026-11-25"),
        ("monday", "2026-11-30"),
        ("tue", "2026-12-01"),
        ("tuesday", "2026-12-01"),
        ("thurs", "2026-11-26"),
        ("+0d", "2026-11-24"),
        ("+3d", "2026-11-27"),
        ("+ 2 w", "2026-12-08"),
        ("next week", "2026-11-30"),
        ("next-week", "2026-11-30"),
    ],
)
def test_words_mean_days(words, day):
    assert day_in_words(words, lambda: TUESDAY) == date.fromisoformat(day)


@pytest.mark.parametrize("words", ["", "t", "tu", "tuesdays", "next", "+d", "+3", "3d", "+3m", "soon", "12/1", "12"])
def test_other_words_are_no_days(words):
    assert day_in_words(words, lambda: TUESDAY) is None


BOARD = {"id": "b", "title": "Garden", "lists": [], "labels": [], "members": []}
CARD = {"id": "x", "number": 3, "title": "Sow", "url": "/board/b?card=x", "boardId": "b"}


def answers_with(**more: Any) -> Answers:
    return {
        "/api/v1/boards": [(200, {"boards": [BOARD]})],
        "/api/v1/boards/b/cards/3": [(200, {"card": CARD})],
        "POST /api/v1/cards": [(201, {"card": CARD})],
        **more,
    }


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])  # never on the same day
def test_today_is_the_day_where_the_account_is(shell, zone):
    calls: list[Call] = []
    account = {"/api/v1/account": [(200, {"account": {"timeZone": zone}})]}
    before = datetime.now(ZoneInfo(zone)).date()
    with answering(answers_with(**account), calls) as url:
        shell.sign_in(url, "tbk_x")
        assert shell.run("add", "--due", "TODAY", "--start", "today", "Sow", TZ="UTC")[0] == 0
    days = (before.isoformat(), datetime.now(ZoneInfo(zone)).date().isoformat())
    assert calls[-1].json["dueDate"] in days
    assert calls[-1].json["startDate"] == calls[-1].json["dueDate"]


@pytest.mark.parametrize("account", [{}, {"/api/v1/account": [(200, {"account": {"timeZone": "Nowhere/Land"}})]}])
def test_today_is_the_day_of_the_machine_if_the_zone_is_not_known(shell, account):
    calls: list[Call] = []
    with answering(answers_with(**account), calls) as url:
        shell.sign_in(url, "tbk_x")
        sent = []
        for zone in ("Etc/GMT+12", "Etc/GMT-14"):
            assert shell.run("add", "--due", "today", "Sow", TZ=zone)[0] == 0
            sent.append(calls[-1].json["dueDate"])
    assert sent[0] < sent[1]


def test_dates_that_are_none_are_not_sent_and_others_as_they_are(shell):
    calls: list[Call] = []
    with answering(answers_with(), calls) as url:
        shell.sign_in(url, "tbk_x")
        shell.run("add", "--due", "none", "Sow")
        shell.run("add", "--due", "2026-12-01T09:00", "Sow")
    sent = [call.json for call in calls if call.method == "POST"]
    assert sent == [{"boardId": "b", "title": "Sow"}, {"boardId": "b", "dueDate": "2026-12-01T09:00", "title": "Sow"}]
    assert "/api/v1/account" not in {call.path for call in calls}


@pytest.mark.parametrize(
    "arguments",
    [
        ["add", "--due", "soon", "x"],
        ["add", "--start", "soon", "x"],
        ["list", "--due-before", "soon"],
    ],
)
def test_words_that_are_no_date_are_answered_with_those_that_are(shell, arguments):
    with answering(answers_with()) as url:
        shell.sign_in(url, "tbk_x")
        code, out, err = shell.run(*arguments)
    assert (code, out) == (2, "")
    assert re.search(r"'soon' is not understood\. Write today, tomorrow, .*2026-12-01\.", err)
