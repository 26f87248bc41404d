"""Whose account an agent acts for, and what day it is there."""

from datetime import UTC, datetime

import pytest

from accounts.models import User
from mcpserver import caller

EVENING = datetime(2026, 11, 20, 18, 30, 0, 123456, tzinfo=UTC)  # in Tokyo the morning after


@pytest.fixture
def tokyo(agent_of, olga, monkeypatch):
    monkeypatch.setattr(caller.timezone, "now", lambda: EVENING)
    olga.time_zone = "Asia/Tokyo"
    olga.save()
    return agent_of(olga)


def test_list_boards_tells_account_zone_and_present_time(tokyo, olga):
    assert tokyo.call("list_boards")["account"] == {
        "id": str(olga.pk),
        "name": "Olga",
        "timeZone": "Asia/Tokyo",
        "now": "2026-11-20T18:30:00Z",
        "today": "2026-11-21",
        "weekday": "Saturday",
    }


@pytest.mark.parametrize("tool, name", [("create_task", "dueDate"), ("search_tasks", "dueBefore")])
def test_tomorrow_is_refused_with_todays_date_and_the_form_that_is_wanted(tokyo, todo, tool, name):
    given = {"title": "Print"} if tool == "create_task" else {}
    refusal = tokyo.refused(tool, listId=todo.pk, **given, **{name: "tomorrow"})
    assert f"{name} must be an ISO 8601 date or date-time, for example 2026-12-01" in refusal
    assert "Today is Saturday, 2026-11-21 in Asia/Tokyo." in refusal


def test_a_day_is_that_day_in_the_zone_of_the_account_and_is_told_as_one(tokyo, todo):
    task = tokyo.call("create_task", listId=todo.pk, title="Print", dueDate="2026-11-27")["task"]
    assert (task["dueDate"], task["dueDay"], task["dueLocal"]) == ("2026-11-27T14:59:59Z", "2026-11-27", "2026-11-27")


def test_a_whole_day_is_told_as_that_day_in_every_zone(tokyo, olga, todo):
    task = tokyo.call("create_task", listId=todo.pk, title="Print", dueDate="2026-11-27")["task"]
    User.objects.filter(pk=olga.pk).update(time_zone="America/New_York")
    assert tokyo.call("get_task", taskId=task["id"])["task"] == task


@pytest.mark.parametrize("name", ["dueDate", "dueDay"])
def test_what_was_read_of_a_whole_day_can_be_sent_back(tokyo, todo, name):
    task = tokyo.call("create_task", listId=todo.pk, title="Print", dueDate="2026-11-27")["task"]
    assert tokyo.call("update_task", taskId=task["id"], dueDate=task[name])["task"] == task


def test_a_start_date_is_set_told_and_cleared(tokyo, card):
    for sent in ("2026-11-25", None):
        task = tokyo.call("update_task", taskId=card.pk, startDate=sent)["task"]
        assert (task["startDate"], task["dueDate"]) == (sent, None)


def test_a_start_date_with_a_time_or_after_the_due_date_is_refused(tokyo, card):
    tokyo.call("update_task", taskId=card.pk, dueDate="2026-11-27")
    refusal = tokyo.refused("update_task", taskId=card.pk, startDate="2026-11-26T09:00")
    assert "startDate must be a date without a time" in refusal
    assert "Today is Saturday" in refusal
    refusal = tokyo.refused("update_task", taskId=card.pk, startDate="2026-11-28")
    assert refusal.startswith("startDate must not be after the due date.")


def test_the_day_of_an_answer_is_no_argument_and_the_refusal_names_the_one_that_takes_it(tokyo, card):
    assert "dueDate takes a whole day too" in tokyo.refused("update_task", taskId=card.pk, dueDay="2026-11-27")


def test_a_time_is_told_in_the_zone_of_the_account(tokyo, todo):
    task = tokyo.call("create_task", listId=todo.pk, title="Print", dueDate="2026-11-27T20:00Z")["task"]
    assert (task["dueDate"], task["dueLocal"]) == ("2026-11-27T20:00:00Z", "2026-11-28T05:00:00+09:00")


def test_a_local_due_date_can_be_sent_back(tokyo, todo):
    for sent in ("2026-11-27", "2026-11-27T20:00Z", "2026-11-27T23:59:59"):
        task = tokyo.call("create_task", listId=todo.pk, title="Print", dueDate=sent)["task"]
        assert tokyo.call("update_task", taskId=task["id"], dueDate=task["dueLocal"])["task"] == task


def test_without_a_due_date_there_is_no_local_one(agent, card):
    assert agent.call("get_task", taskId=card.pk)["task"]["dueLocal"] is None
