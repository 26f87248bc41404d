"""Due dates that are a moment or a whole day, and start dates."""

from datetime import UTC, date, datetime

import pytest
from django.db import IntegrityError, transaction
from time_machine import travel

from accounts.models import User
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.card import create_card, create_cards, draft_card, update_card
from boards.actions.cards.occurrences import next_due_of
from boards.errors import Invalid
from boards.models import Activity, Card
from boards.reading.history import lines
from boards.tests.world import last
from conftest import web

DAY, NEXT = date(2026, 12, 1), date(2026, 12, 2)
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def living_in(user, zone):
    User.objects.filter(pk=user.pk).update(time_zone=zone)
    user.refresh_from_db()
    return web(user)


def dates(card):
    card.refresh_from_db()
    return card.start_day, card.due_day, card.due_at


@pytest.mark.parametrize(
    "zone, end",
    [
        ("Asia/Tokyo", datetime(2026, 12, 1, 14, 59, 59, tzinfo=UTC)),
        ("America/Los_Angeles", datetime(2026, 12, 2, 7, 59, 59, tzinfo=UTC)),
    ],
)
def test_a_whole_day_ends_with_its_last_second_where_it_was_set(todo, card, ed, zone, end):
    actor = living_in(ed, zone)
    made = [
        create_card(actor=actor, list_id=todo.pk, title="One", due_day=DAY),
        *create_cards(actor=actor, list_id=todo.pk, drafts=[draft_card(title="Two", due_day=DAY)]),
        update_card(actor=actor, card_id=card.pk, due_day=DAY),
    ]
    assert [dates(one) for one in made] == [(None, DAY, end)] * 3


def test_the_same_day_set_again_from_another_zone_changes_nothing(card, olga, ed):
    update_card(actor=living_in(olga, "Asia/Tokyo"), card_id=card.pk, due_day=DAY)
    before = dates(card), last(card.board).pk
    update_card(actor=living_in(ed, "America/New_York"), card_id=card.pk, due_day=DAY)
    assert (dates(card), last(card.board).pk) == before


def test_a_moment_replaces_a_whole_day_and_the_other_way_round(card, ed):
    update_card(actor=web(ed), card_id=card.pk, due_day=DAY)
    update_card(actor=web(ed), card_id=card.pk, due_at=NOON)
    assert dates(card) == (None, None, NOON)
    update_card(actor=web(ed), card_id=card.pk, due_day=NEXT)
    assert dates(card) == (None, NEXT, datetime(2026, 12, 2, 23, 59, 59, tzinfo=UTC))
    update_card(actor=web(ed), card_id=card.pk, due_at=None)
    assert dates(card) == (None, None, None)


def test_the_last_second_of_a_whole_day_sent_back_changes_nothing(card, ed):
    update_card(actor=web(ed), card_id=card.pk, due_day=DAY)
    before = last(card.board).pk
    update_card(actor=web(ed), card_id=card.pk, due_at=Card.objects.get(pk=card.pk).due_at)
    assert (last(card.board).pk, dates(card)[1]) == (before, DAY)


def test_both_together_are_taken_as_they_are_to_bring_back_what_was(card, ed):
    update_card(actor=web(ed), card_id=card.pk, due_day=DAY, due_at=NOON)
    assert dates(card) == (None, DAY, NOON)


@pytest.mark.parametrize("due", [{"due_day": DAY}, {"due_at": NOON}])
def test_a_card_does_not_start_after_the_day_it_is_due(todo, card, ed, due):
    with pytest.raises(Invalid, match="startDate must not be after the due date"):
        create_card(actor=web(ed), list_id=todo.pk, title="New", start_day=NEXT, **due)
    update_card(actor=web(ed), card_id=card.pk, start_day=NEXT)
    with pytest.raises(Invalid, match="startDate"):
        update_card(actor=web(ed), card_id=card.pk, **due)
    assert dates(card) == (NEXT, None, None)
    update_card(actor=web(ed), card_id=card.pk, start_day=DAY, **due)
    assert dates(card)[0] == DAY


def test_the_due_day_of_a_moment_is_that_of_who_sets_the_start(card, ed):
    update_card(actor=living_in(ed, "Asia/Tokyo"), card_id=card.pk, start_day=NEXT, due_at=NOON.replace(hour=16))
    assert dates(card)[0] == NEXT


@pytest.mark.parametrize("day", [date(1969, 12, 31), date(1, 1, 1)])
def test_a_day_outside_of_the_years_that_are_kept_is_refused(card, ed, day):
    with pytest.raises(Invalid, match="1970"):
        update_card(actor=web(ed), card_id=card.pk, due_day=day)


def test_the_last_day_of_all_can_be_a_start(todo, ed):
    made = create_card(
        actor=living_in(ed, "Asia/Tokyo"),
        list_id=todo.pk,
        title="End",
        start_day=date(9999, 12, 31),
        due_at=datetime(9999, 12, 31, 23, tzinfo=UTC),
    )
    assert made.start_day == date(9999, 12, 31)


def test_the_database_refuses_a_whole_day_without_its_last_second(card, ed):
    update_card(actor=web(ed), card_id=card.pk, due_day=DAY)
    with pytest.raises(IntegrityError), transaction.atomic():
        Card.objects.filter(pk=card.pk).update(due_at=None)


def test_the_history_shows_a_whole_day_without_an_hour(card, ed, time_machine):
    time_machine.move_to(datetime(2027, 1, 1, tzinfo=UTC))
    update_card(actor=web(ed), card_id=card.pk, due_day=DAY, start_day=DAY)
    update_card(actor=web(ed), card_id=card.pk, due_day=NEXT)
    update_card(actor=web(ed), card_id=card.pk, due_at=NOON)
    found = lines(Activity.objects.filter(card_id=card.pk))
    assert [set(line.details) for line in found[:3]] == [
        {"Due: Dec\xa02,\xa02026 → Dec\xa01,\xa02026, 12:00\xa0PM"},
        {"Due: Dec\xa01,\xa02026 → Dec\xa02,\xa02026"},
        {"Due: – → Dec\xa01,\xa02026", "Start: – → Dec\xa01,\xa02026"},
    ]


def test_a_moment_that_becomes_the_whole_day_it_ends_is_shown_too(card, ed, time_machine):
    time_machine.move_to(datetime(2027, 1, 1, tzinfo=UTC))
    end = datetime(2026, 12, 1, 23, 59, 59, tzinfo=UTC)
    update_card(actor=web(ed), card_id=card.pk, due_at=end)
    update_card(actor=web(ed), card_id=card.pk, due_day=DAY)
    assert lines(Activity.objects.filter(card_id=card.pk))[0].details == [
        "Due: Dec\xa01,\xa02026, 11:59\xa0PM → Dec\xa01,\xa02026"
    ]


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati"])
def test_the_next_occurrence_of_a_whole_day_is_a_whole_day_whatever_the_zone(todo, olga, ed, zone):
    with travel("2026-01-31T12:00:00Z", tick=False) as clock:
        card = create_card(
            actor=living_in(ed, "America/New_York"),
            list_id=todo.pk,
            title="Rent",
            due_day=date(2026, 1, 31),
            start_day=date(2026, 1, 28),
            recurrence="monthly",
        )
        living_in(olga, zone)
        found = []
        for _month in range(3):
            card = archive_card(actor=web(ed), card_id=card.pk).next
            found.append((card.start_day.isoformat(), card.due_day.isoformat()))
            clock.move_to(card.due_at)
    assert found == [("2026-02-25", "2026-02-28"), ("2026-03-28", "2026-03-31"), ("2026-04-27", "2026-04-30")]


def test_a_whole_day_that_is_today_for_the_owner_can_be_the_next(todo, olga, ed):
    living_in(olga, "Asia/Tokyo")
    with travel("2026-03-10T20:00:00Z", tick=False):  # in Tokyo it is the 11th
        card = create_card(actor=web(ed), list_id=todo.pk, title="Water", due_day=date(2026, 3, 8), recurrence="daily")
        assert archive_card(actor=web(ed), card_id=card.pk).next.due_day == date(2026, 3, 11)


def test_the_start_of_a_moment_moves_by_as_many_days(todo, ed):
    with travel("2026-12-01T13:00:00Z", tick=False):
        card = create_card(
            actor=web(ed),
            list_id=todo.pk,
            title="Water",
            due_at=NOON,
            start_day=date(2026, 11, 29),
            recurrence="weekly",
        )
        following = archive_card(actor=web(ed), card_id=card.pk).next
    assert dates(following) == (date(2026, 12, 6), None, NOON.replace(day=8))


def test_a_restored_card_takes_its_series_of_days_back(todo, ed):
    with travel("2026-12-01T13:00:00Z", tick=False):
        card = create_card(actor=web(ed), list_id=todo.pk, title="Water", due_day=DAY, recurrence="daily")
        before = card.recurrence_anchor
        archive_card(actor=web(ed), card_id=card.pk)
        restore_card(actor=web(ed), card_id=card.pk)
        card.refresh_from_db()
        assert (card.recurrence, card.recurrence_anchor) == ("daily", before)
        assert archive_card(actor=web(ed), card_id=card.pk).next.due_day == NEXT


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Kiritimati"])
@pytest.mark.parametrize("rule", ["daily", "weekly", "biweekly", "monthly", "yearly"])
@pytest.mark.parametrize(
    "due", [{"due_day": date(9999, 12, 30)}, {"due_at": datetime(9999, 12, 30, 23, 59, tzinfo=UTC)}]
)
def test_a_card_that_repeats_at_the_end_of_the_calendar_is_archived(board, todo, olga, zone, rule, due):
    """Dates in the year 9999 of UTC can be in the next one where the owner lives."""
    actor = living_in(olga, zone)
    card = create_card(actor=actor, list_id=todo.pk, title="Last", recurrence=rule, start_day=date(9999, 12, 30), **due)
    for _time in range(3):
        found = next_due_of(Card.objects.get(pk=card.pk))
        archived = archive_card(actor=actor, card_id=card.pk)
        assert (archived.next is None) == (found is None)
        if archived.next is None:
            break
        card = archived.next
    assert archived.next is None
