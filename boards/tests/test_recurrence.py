from datetime import UTC, datetime, timedelta
from itertools import count
from unittest.mock import Mock
from zoneinfo import ZoneInfo

import pytest
from dateutil.relativedelta import relativedelta
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from boards import recurrence
from boards.recurrence import Recurrence, next_due

DAILY, WEEKLY, BIWEEKLY, MONTHLY, YEARLY = Recurrence
BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")
APIA = ZoneInfo("Pacific/Apia")
GREENWICH = ZoneInfo("UTC")


def at(text, zone=GREENWICH):
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def series(rule, anchor, zone, length):
    """Return the first `length` times after the anchor, each computed with the previous one as the due date."""
    moments = [anchor]
    for _ in range(length):
        moments.append(next_due(rule, anchor, due=moments[-1], after=anchor, zone=zone))
    return [moment.astimezone(zone).isoformat(timespec="minutes") for moment in moments[1:]]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (DAILY, "2026-05-12T09:00"),
        (WEEKLY, "2026-05-18T09:00"),
        (BIWEEKLY, "2026-05-25T09:00"),
        (MONTHLY, "2026-06-11T09:00"),
        (YEARLY, "2027-05-11T09:00"),
    ],
)
def test_the_next_date_is_one_step_on(rule, expected):
    anchor = at("2026-05-11T09:00")
    assert next_due(rule, anchor, due=anchor, after=anchor, zone=GREENWICH) == at(expected)


def test_dates_in_the_past_are_skipped():
    anchor = at("2026-05-11T09:00")
    assert next_due(WEEKLY, anchor, due=anchor, after=at("2026-08-01T12:00"), zone=GREENWICH) == at("2026-08-03T09:00")


def test_a_card_archived_early_is_due_after_its_own_date():
    anchor = at("2026-05-11T09:00")
    assert next_due(DAILY, anchor, due=anchor, after=at("2026-05-01T00:00"), zone=GREENWICH) == at("2026-05-12T09:00")


def test_a_date_moved_off_the_series_is_followed_by_the_series():
    anchor = at("2026-05-11T09:00")
    assert next_due(WEEKLY, anchor, due=at("2026-05-20T17:00"), after=anchor, zone=GREENWICH) == at("2026-05-25T09:00")


def test_a_time_equal_to_the_limit_is_not_later():
    anchor = at("2026-05-11T09:00")
    after = at("2026-05-13T09:00")
    assert next_due(DAILY, anchor, due=anchor, after=after, zone=GREENWICH) == at("2026-05-14T09:00")


def test_a_time_just_after_the_limit_is_taken():
    anchor = at("2026-05-11T09:00")
    after = at("2026-05-13T08:59:59.999999")
    assert next_due(DAILY, anchor, due=anchor, after=after, zone=GREENWICH) == at("2026-05-13T09:00")


def test_before_the_series_began_its_first_date_is_next():
    anchor = at("2026-05-11T09:00", BERLIN)
    before = at("2026-01-01T09:00")
    assert next_due(MONTHLY, anchor, due=before, after=before, zone=BERLIN) == anchor


def test_the_next_due_date_is_in_utc():
    anchor = at("2026-05-11T09:00", BERLIN)
    assert next_due(DAILY, anchor, due=anchor, after=anchor, zone=BERLIN).tzinfo is UTC


def test_the_rule_may_be_the_plain_string_of_a_database_row():
    anchor = at("2026-05-11T09:00")
    assert next_due("daily", anchor, due=anchor, after=anchor, zone=GREENWICH) == at("2026-05-12T09:00")


def test_monthly_on_the_31st_is_the_last_day_of_shorter_months_then_the_31st_again():
    assert series(MONTHLY, at("2023-12-31T09:00"), GREENWICH, 5) == [
        "2024-01-31T09:00+00:00",
        "2024-02-29T09:00+00:00",
        "2024-03-31T09:00+00:00",
        "2024-04-30T09:00+00:00",
        "2024-05-31T09:00+00:00",
    ]


def test_yearly_on_february_29_is_the_28th_until_the_next_leap_year():
    assert series(YEARLY, at("2096-02-29T09:00"), GREENWICH, 8) == [
        "2097-02-28T09:00+00:00",
        "2098-02-28T09:00+00:00",
        "2099-02-28T09:00+00:00",
        "2100-02-28T09:00+00:00",
        "2101-02-28T09:00+00:00",
        "2102-02-28T09:00+00:00",
        "2103-02-28T09:00+00:00",
        "2104-02-29T09:00+00:00",
    ]


@pytest.mark.parametrize(
    ("rule", "anchor", "zone", "expected"),
    [
        (DAILY, "2026-03-28T09:00", BERLIN, "2026-03-29T09:00+02:00"),
        (WEEKLY, "2026-10-22T09:00", BERLIN, "2026-10-29T09:00+01:00"),
        (BIWEEKLY, "2026-02-27T23:59", NEW_YORK, "2026-03-13T23:59-04:00"),
        (MONTHLY, "2026-10-15T00:00", NEW_YORK, "2026-11-15T00:00-05:00"),
        (DAILY, "2026-04-04T12:00", LORD_HOWE, "2026-04-05T12:00+10:30"),
    ],
)
def test_the_wall_time_is_kept_when_the_clocks_change(rule, anchor, zone, expected):
    assert series(rule, at(anchor, zone), zone, 1) == [expected]


@pytest.mark.parametrize(
    ("anchor", "zone", "expected"),
    [
        ("2026-03-28T02:30", BERLIN, ["2026-03-29T03:30+02:00", "2026-03-30T02:30+02:00"]),
        ("2026-03-07T02:30", NEW_YORK, ["2026-03-08T03:30-04:00", "2026-03-09T02:30-04:00"]),
        ("2026-10-03T02:15", LORD_HOWE, ["2026-10-04T02:45+11:00", "2026-10-05T02:15+11:00"]),
    ],
)
def test_a_wall_time_that_the_clocks_skip_moves_forward_for_that_day_only(anchor, zone, expected):
    assert series(DAILY, at(anchor, zone), zone, 2) == expected


@pytest.mark.parametrize(
    ("anchor", "zone", "expected"),
    [
        ("2026-10-24T02:30", BERLIN, ["2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"]),
        ("2026-10-31T01:30", NEW_YORK, ["2026-11-01T01:30-04:00", "2026-11-02T01:30-05:00"]),
        ("2026-04-04T01:45", LORD_HOWE, ["2026-04-05T01:45+11:00", "2026-04-06T01:45+10:30"]),
    ],
)
def test_a_wall_time_that_exists_twice_is_the_first_and_comes_once(anchor, zone, expected):
    assert series(DAILY, at(anchor, zone), zone, 2) == expected


def test_a_series_that_began_in_the_second_of_two_equal_hours_keeps_its_wall_time():
    anchor = at("2026-10-25T01:30")
    assert series(DAILY, anchor, BERLIN, 1) == ["2026-10-26T02:30+01:00"]


def test_a_day_that_a_zone_skipped_does_not_come_twice():
    assert series(DAILY, at("2011-12-29T12:00", APIA), APIA, 3) == [
        "2011-12-31T12:00+14:00",
        "2012-01-01T12:00+14:00",
        "2012-01-02T12:00+14:00",
    ]


def test_weekly_on_a_day_that_a_zone_skipped_is_the_day_after():
    assert series(WEEKLY, at("2011-12-23T12:00", APIA), APIA, 2) == [
        "2011-12-31T12:00+14:00",
        "2012-01-06T12:00+14:00",
    ]


def test_the_day_is_the_day_in_the_zone():
    assert series(MONTHLY, at("2026-01-31T23:00", NEW_YORK), NEW_YORK, 1) == ["2026-02-28T23:00-05:00"]


def test_the_zone_of_the_anchor_itself_does_not_matter():
    anchor = at("2026-03-28T09:00", BERLIN)
    in_berlin = next_due(DAILY, anchor, due=anchor, after=anchor, zone=BERLIN)
    assert next_due(DAILY, anchor.astimezone(NEW_YORK), due=anchor, after=anchor, zone=BERLIN) == in_berlin


@pytest.mark.parametrize("rule", Recurrence)
def test_a_series_of_eight_thousand_years_takes_a_few_steps(rule, monkeypatch):
    steps = Mock(wraps=recurrence._moment)
    monkeypatch.setattr(recurrence, "_moment", steps)
    anchor, after = at("1970-01-31T12:00"), at("9990-06-15T12:00")
    assert next_due(rule, anchor, due=anchor, after=after, zone=BERLIN) > after
    assert steps.call_count <= 4


@pytest.mark.parametrize(
    ("rule", "last"),
    [
        (DAILY, "9999-12-31T12:00"),
        (WEEKLY, "9999-12-26T12:00"),
        (BIWEEKLY, "9999-12-20T12:00"),
        (MONTHLY, "9999-12-01T12:00"),
        (YEARLY, "9999-01-01T12:00"),
    ],
)
def test_there_is_no_date_after_the_year_9999(rule, last):
    assert next_due(rule, at(last), due=at(last), after=at(last), zone=GREENWICH) is None


@pytest.mark.parametrize("zone", [NEW_YORK, BERLIN])
def test_a_date_after_the_year_9999_in_utc_or_in_the_zone_is_none(zone):
    anchor = at("9998-12-31T23:30")
    due = at("9999-12-31T23:50")
    assert next_due(YEARLY, anchor, due=due, after=due, zone=zone) is None


def test_the_last_possible_time_may_be_the_first_of_its_series():
    anchor = at("9999-12-31T23:59")
    assert next_due(DAILY, anchor, due=at("2026-01-01T00:00"), after=anchor - timedelta(1), zone=BERLIN) == anchor


def test_every_rule_has_a_label_to_translate():
    with override("en"):
        assert [str(rule.label) for rule in Recurrence] == ["Daily", "Weekly", "Every two weeks", "Monthly", "Yearly"]


STEP = {
    DAILY: {"days": 1},
    WEEKLY: {"days": 7},
    BIWEEKLY: {"days": 14},
    MONTHLY: {"months": 1},
    YEARLY: {"years": 1},
}


def step_by_step(rule, anchor, due, after, zone):
    """Compute the next due date in the slow and obvious way."""
    wall = anchor.astimezone(zone).replace(tzinfo=None, fold=0)
    for number in count():
        delta = relativedelta(**{unit: size * number for unit, size in STEP[rule].items()})
        moment = (wall + delta).replace(tzinfo=zone).astimezone(UTC) if number else anchor
        if moment > due and moment > after:
            return moment
    raise AssertionError


moments = st.datetimes(datetime(2009, 1, 1), datetime(2014, 1, 1), timezones=st.just(UTC))
zones = st.one_of(st.sampled_from([BERLIN, NEW_YORK, LORD_HOWE, APIA]), st.timezones())


@given(st.sampled_from(Recurrence), moments, moments, moments, zones)
def test_the_next_due_date_is_the_first_of_all_later_ones(rule, anchor, due, after, zone):
    assert next_due(rule, anchor, due, after, zone) == step_by_step(rule, anchor, due, after, zone)


@given(st.sampled_from([MONTHLY, YEARLY]), moments, st.datetimes(datetime(1970, 1, 1), datetime(2600, 1, 1)), zones)
def test_the_next_due_date_is_the_first_even_after_centuries(rule, anchor, after, zone):
    after = after.replace(tzinfo=UTC)
    assert next_due(rule, anchor, anchor, after, zone) == step_by_step(rule, anchor, anchor, after, zone)
