"""Reminders of due dates by the clock, in the time zone of each person."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, delete_card, update_card
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list
from boards.actions.people.members import remove_member
from boards.reader import Reader
from conftest import join, run_jobs, web
from notifications.following import choose
from notifications.inbox.entries import Later, put_off, unread_count
from notifications.inbox.lines import told
from notifications.inbox.piles import Pile, in_pile
from notifications.kinds import Kind
from notifications.models import Follow, Habits, Level, Notification, Way
from notifications.reminders.reminders import is_anything_due, remind
from notifications.tests.conftest import texts

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)  # a Monday


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        remind.func()
        yield traveller


@pytest.fixture
def all_times(ed):
    return Habits.objects.create(user=ed, remind_hour=True, remind_minutes=True)


def due(card, olga, ed, at: datetime | date) -> None:
    field = "due_at" if isinstance(at, datetime) else "due_day"
    update_card(actor=web(olga), card_id=card.pk, **{field: at})
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    Notification.objects.all().delete()


def told_at(clock, user, *moments: datetime) -> list[list[str]]:
    """What the person is told at each of these moments."""
    found = []
    for moment in moments:
        clock.move_to(moment)
        before = set(Notification.objects.values_list("pk", flat=True))
        if is_anything_due():
            remind.func()
        run_jobs()
        new = Notification.objects.filter(user=user, kind=Kind.DUE).exclude(pk__in=before)
        found.append([line.text.partition(" is ")[2] for line in told(new)])
    return found


def test_a_time_is_told_a_day_an_hour_and_ten_minutes_before_and_when_it_comes(clock, card, olga, ed, all_times):
    at = NOW + timedelta(days=2)
    due(card, olga, ed, at)
    before = [timedelta(days=1), timedelta(hours=1), timedelta(minutes=10), timedelta(0)]
    said = told_at(clock, ed, *[moment for one in before for moment in (at - one - timedelta(seconds=1), at - one)])
    assert said == [[], ["due tomorrow"], [], ["due in 1 hour"], [], ["due in 10 minutes"], [], ["overdue"]]


def test_by_default_it_is_a_day_before_and_when_it_comes(clock, card, olga, ed):
    at = NOW + timedelta(days=2)
    due(card, olga, ed, at)
    said = told_at(clock, ed, at - timedelta(days=1), at - timedelta(hours=1), at - timedelta(minutes=10), at)
    assert said == [["due tomorrow"], [], [], ["overdue"]]


def test_each_reminder_comes_once_for_a_due_date_even_if_the_date_comes_back(clock, card, olga, ed):
    at = NOW + timedelta(days=1, minutes=1)
    due(card, olga, ed, at)
    assert told_at(clock, ed, NOW + timedelta(minutes=1)) == [["due tomorrow"]]
    clock.move_to(NOW + timedelta(minutes=2))
    remind.func()
    for other in (at + timedelta(days=5), at):
        update_card(actor=web(olga), card_id=card.pk, due_at=other)
    from notifications.models import ReminderClock

    ReminderClock.objects.update(at=NOW)
    remind.func()
    assert Notification.objects.filter(user=ed, kind=Kind.DUE).count() == 1


def test_a_new_due_date_is_told_anew(clock, card, olga, ed):
    due(card, olga, ed, NOW + timedelta(minutes=1))
    assert told_at(clock, ed, NOW + timedelta(minutes=1)) == [["overdue"]]
    update_card(actor=web(olga), card_id=card.pk, due_at=NOW + timedelta(minutes=5))
    assert told_at(clock, ed, NOW + timedelta(minutes=5)) == [["overdue"]]


@pytest.mark.parametrize("how", ["done", "archived", "list archived", "muted", "removed", "off", "no reminders"])
def test_nothing_is_told_of_what_is_done_or_gone_or_not_wanted(clock, card, todo, olga, ed, how, board):
    due(card, olga, ed, NOW + timedelta(minutes=1))
    match how:
        case "done":
            complete_card(actor=web(olga), card_id=card.pk)
        case "archived":
            archive_card(actor=web(olga), card_id=card.pk)
        case "list archived":
            archive_list(actor=web(olga), list_id=todo.pk)
        case "muted":
            choose(ed, todo, Level.LIST, "mute")
        case "removed":
            remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
        case "off":
            Way.objects.create(user=ed, kind=Kind.DUE, in_app=False)
        case "no reminders":
            Habits.objects.create(user=ed, remind_due=False)
    clock.move_to(NOW + timedelta(minutes=1))
    remind.func()
    assert not Notification.objects.filter(user=ed, kind=Kind.DUE).exists()


def test_followers_are_told_too_and_others_are_not(clock, card, olga, ed, vera):
    due(card, olga, ed, NOW + timedelta(minutes=1))
    Follow.objects.all().delete()
    choose(vera, card, Level.CARD, "follow")
    clock.move_to(NOW + timedelta(minutes=1))
    remind.func()
    assert set(Notification.objects.filter(kind=Kind.DUE).values_list("user__name", flat=True)) == {"Ed", "Vera"}


def test_a_whole_day_is_told_in_the_morning_of_each_persons_zone(clock, card, olga, ed, vera):
    for user, zone in ((ed, "Asia/Tokyo"), (vera, "America/New_York")):
        user.time_zone = zone
        user.save()
    day = date(2026, 11, 26)
    due(card, olga, ed, day)
    choose(vera, card, Level.CARD, "follow")
    Habits.objects.create(user=vera, remind_hour=True)
    in_tokyo = datetime(2026, 11, 25, 0, 0, tzinfo=UTC)  # 9:00 there, on the day before
    in_new_york = datetime(2026, 11, 25, 14, 0, tzinfo=UTC)
    assert told_at(clock, ed, in_tokyo - timedelta(seconds=1), in_tokyo) == [[], ["due tomorrow"]]
    assert told_at(clock, vera, in_new_york - timedelta(seconds=1), in_new_york) == [[], ["due tomorrow"]]
    assert told_at(clock, vera, in_new_york + timedelta(days=1)) == [["due today"]]
    assert told_at(clock, ed, datetime(2026, 11, 26, 15, 0, tzinfo=UTC)) == [["overdue"]]
    assert told_at(clock, vera, datetime(2026, 11, 27, 5, 0, tzinfo=UTC)) == [["overdue"]]


def test_a_zone_that_the_machine_does_not_know_stops_nobodys_reminders(clock, card, olga, ed, vera):
    vera.time_zone = "Nowhere/Land"
    vera.save()
    due(card, olga, ed, date(2026, 11, 26))
    choose(vera, card, Level.CARD, "follow")
    morning = datetime(2026, 11, 25, 9, 0, tzinfo=UTC)
    assert told_at(clock, ed, morning) == [["due tomorrow"]]
    assert Notification.objects.filter(user=vera, kind=Kind.DUE).count() == 1  # told in the morning of UTC


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "day, morning",
    [  # in Berlin the clocks go forward on 28 March 2027 and back on 31 October 2027
        (date(2027, 3, 28), datetime(2027, 3, 27, 8, 0, tzinfo=UTC)),
        (date(2027, 3, 29), datetime(2027, 3, 28, 7, 0, tzinfo=UTC)),
        (date(2027, 10, 31), datetime(2027, 10, 30, 7, 0, tzinfo=UTC)),
        (date(2027, 11, 1), datetime(2027, 10, 31, 8, 0, tzinfo=UTC)),
    ],
)
def test_the_morning_is_at_nine_before_and_after_the_change_of_the_clocks(clock, card, olga, ed, day, morning):
    ed.time_zone = "Europe/Berlin"
    ed.save()
    clock.move_to(morning - timedelta(hours=3))
    remind.func()
    due(card, olga, ed, day)
    moments = [morning - timedelta(hours=1), morning - timedelta(seconds=1), morning, morning + timedelta(hours=1)]
    assert told_at(clock, ed, *moments) == [[], [], ["due tomorrow"], []]


def test_the_next_occurrence_of_a_recurring_card_reminds_assignees_and_followers(clock, card, olga, ed, vera):
    due(card, olga, ed, NOW + timedelta(hours=2))
    choose(vera, card, Level.CARD, "follow")
    update_card(actor=web(olga), card_id=card.pk, recurrence="daily")
    archive_card(actor=web(olga), card_id=card.pk)
    run_jobs()
    Notification.objects.all().delete()
    clock.move_to(NOW + timedelta(days=1, hours=2))
    remind.func()
    names = Notification.objects.filter(kind=Kind.DUE).values_list("user__name", flat=True)
    assert {"Ed", "Vera"} <= set(names)


def test_after_a_pause_what_came_within_a_day_is_told_late(clock, todo, olga, ed):
    for title, hours in (("Early", 1), ("Late", 30)):
        at = NOW + timedelta(hours=hours)
        create_card(actor=web(olga), list_id=todo.pk, title=title, due_at=at, assignee_ids=[ed.pk])
    Habits.objects.create(user=ed, remind_day=False)
    run_jobs()
    clock.move_to(NOW + timedelta(hours=31))
    remind.func()
    assert [row for row in texts(ed) if "overdue" in row] == ["Late #2 is overdue"]


def test_a_turn_while_the_clock_was_ahead_costs_no_reminder(clock, card, olga, ed):
    clock.move_to(NOW + timedelta(days=400))
    remind.func()
    clock.move_to(NOW)
    due(card, olga, ed, NOW + timedelta(hours=1))
    assert told_at(clock, ed, NOW + timedelta(minutes=1), NOW + timedelta(hours=1)) == [[], ["overdue"]]


def test_where_nothing_was_due_for_a_day_a_new_card_is_told_of_as_it_is(clock, todo, olga, ed, all_times):
    clock.move_to(NOW + timedelta(days=3))
    at = NOW + timedelta(days=3, minutes=30)
    create_card(actor=web(olga), list_id=todo.pk, title="Soon", due_at=at, assignee_ids=[ed.pk])
    run_jobs()
    moments = [NOW + timedelta(days=3), at - timedelta(minutes=10), at]
    assert told_at(clock, ed, *moments) == [["due in 1 hour"], ["due in 10 minutes"], ["overdue"]]


def test_a_day_is_tomorrow_only_until_it_comes(clock, todo, olga, ed):
    clock.move_to(datetime(2026, 11, 26, 8, 0, tzinfo=UTC))
    at = datetime(2026, 11, 26, 18, 0, tzinfo=UTC)
    for title, due in (("At a time", {"due_at": at}), ("Some time", {"due_day": at.date()})):
        create_card(actor=web(olga), list_id=todo.pk, title=title, assignee_ids=[ed.pk], **due)
    run_jobs()
    assert told_at(clock, ed, datetime(2026, 11, 26, 8, 1, tzinfo=UTC)) == [["due today"]]
    assert texts(ed)[0] == "At a time #1 is due today"


def test_a_service_without_due_dates_writes_nothing(clock, card):
    clock.move_to(NOW + timedelta(hours=5))
    assert not is_anything_due()


def test_what_is_put_off_comes_back_unread_in_the_morning(clock, card, olga, ed):
    due(card, olga, ed, NOW + timedelta(days=90))
    complete_card(actor=web(olga), card_id=card.pk)
    run_jobs()
    ed.time_zone = "Europe/Berlin"
    ed.save()
    [row] = in_pile(Reader(ed), Pile.UNREAD)
    until = put_off(Reader(ed), row.pk, Later.NEXT_WEEK)
    assert until == datetime(2026, 11, 30, 7, 0, tzinfo=UTC)
    assert [*in_pile(Reader(ed), Pile.UNREAD), *in_pile(Reader(ed), Pile.LATER)] == [row]
    until = put_off(Reader(ed), row.pk, Later.TOMORROW)
    assert until == datetime(2026, 11, 24, 7, 0, tzinfo=UTC)
    clock.move_to(until - timedelta(seconds=1))
    assert not is_anything_due()
    clock.move_to(until)
    assert is_anything_due()
    remind.func()
    assert [*in_pile(Reader(ed), Pile.UNREAD)] == [row]


def test_a_reminder_of_a_card_that_was_deleted_is_not_counted_as_unread(clock, card, olga, ed):
    due(card, olga, ed, NOW + timedelta(minutes=1))
    assert told_at(clock, ed, NOW + timedelta(minutes=1)) == [["overdue"]]
    archive_card(actor=web(olga), card_id=card.pk)
    delete_card(actor=web(olga), card_id=card.pk)
    run_jobs()
    assert len(texts(ed, Pile.UNREAD)) == unread_count(Reader(ed))


def test_a_reminder_goes_with_its_card_to_another_board(clock, card, olga, ed, vera):
    due(card, olga, ed, NOW + timedelta(minutes=1))
    choose(vera, card, Level.CARD, "follow")
    assert told_at(clock, ed, NOW + timedelta(minutes=1)) == [["overdue"]]
    other = create_board(actor=web(olga), title="Other")
    join(ed, other)
    there = create_list(actor=web(olga), board_id=other.pk, title="There")
    move_card(actor=web(olga), card_id=card.pk, list_id=there.pk)
    assert "overdue" in "".join(texts(ed, Pile.UNREAD))
    assert "overdue" not in "".join(texts(vera, Pile.UNREAD))


def test_a_reminder_that_comes_back_the_next_morning_says_what_is_right_then(clock, card, olga, ed, all_times):
    due(card, olga, ed, NOW + timedelta(hours=1, minutes=1))
    ed.time_zone = "Europe/Berlin"
    ed.save()
    assert told_at(clock, ed, NOW + timedelta(minutes=1)) == [["due in 1 hour"]]
    row = Notification.objects.get(user=ed, kind=Kind.DUE)
    put_off(Reader(ed), row.pk, Later.TOMORROW)
    Habits.objects.update(remind_due=False)
    told_at(clock, ed, NOW + timedelta(hours=19))
    row.refresh_from_db()
    assert row.later_until is None
    assert [line.text for line in told([row])] == ["Write the announcement #1 is overdue"]
