from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.dates import parse_due, timestamp
from boards.errors import Invalid

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")
APIA = ZoneInfo("Pacific/Apia")
GREENWICH = ZoneInfo("UTC")


def read(value, zone=GREENWICH):
    return timestamp(parse_due(value, zone))


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z"),
        ("2026-12-01t09:00:00z", "2026-12-01T09:00:00Z"),
        ("2026-12-01T09:00Z", "2026-12-01T09:00:00Z"),
        ("2026-12-01T09Z", "2026-12-01T09:00:00Z"),
        ("2026-12-01T09:00:00+02:00", "2026-12-01T07:00:00Z"),
        ("2026-12-01T09:00:00+02", "2026-12-01T07:00:00Z"),
        ("2026-12-01T09+02:00", "2026-12-01T07:00:00Z"),
        ("2026-12-01T09:00-05:30", "2026-12-01T14:30:00Z"),
        ("2026-12-01T09:00:00-00:00", "2026-12-01T09:00:00Z"),
        ("2026-12-01T00:00:00+23:59", "2026-11-30T00:01:00Z"),
        ("2024-02-29T12:00Z", "2024-02-29T12:00:00Z"),
    ],
)
def test_the_extended_form_is_read(value, moment):
    assert read(value) == moment


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("20261201T090000Z", "2026-12-01T09:00:00Z"),
        ("20261201t090000z", "2026-12-01T09:00:00Z"),
        ("20261201T0900Z", "2026-12-01T09:00:00Z"),
        ("20261201T09Z", "2026-12-01T09:00:00Z"),
        ("20261201T090000+0200", "2026-12-01T07:00:00Z"),
        ("20261201T0900+02", "2026-12-01T07:00:00Z"),
        ("20261201T09-0530", "2026-12-01T14:30:00Z"),
        ("20261201T090000.25Z", "2026-12-01T09:00:00.25Z"),
        ("20261201", "2026-12-01T23:59:59Z"),
    ],
)
def test_the_basic_form_is_read(value, moment):
    assert read(value) == moment


@pytest.mark.parametrize(
    ("fraction", "microsecond"),
    [(".5", 500_000), (",5", 500_000), (".000001", 1), (".9999999", 999_999), (".0", 0), ("." + "3" * 9000, 333_333)],
)
def test_a_fraction_of_a_second_is_cut_to_microseconds(fraction, microsecond):
    assert parse_due(f"2026-12-01T09:00:00{fraction}Z", GREENWICH).microsecond == microsecond


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-12-31T24:00Z", "2027-01-01T00:00:00Z"),
        ("2026-12-31T24Z", "2027-01-01T00:00:00Z"),
        ("2026-12-31T24:00:00.000Z", "2027-01-01T00:00:00Z"),
        ("20261231T240000Z", "2027-01-01T00:00:00Z"),
        ("2024-02-28T24:00+01:00", "2024-02-28T23:00:00Z"),
    ],
)
def test_twenty_four_hours_are_the_next_midnight(value, moment):
    assert read(value) == moment


def test_the_midnight_that_ends_a_day_is_read_in_the_zone():
    assert read("2026-07-01T24:00", BERLIN) == "2026-07-01T22:00:00Z"


@pytest.mark.parametrize(
    ("value", "zone", "moment"),
    [
        ("2026-12-01T09:00", BERLIN, "2026-12-01T08:00:00Z"),
        ("2026-07-01T09:00", BERLIN, "2026-07-01T07:00:00Z"),
        ("20260701T0900", NEW_YORK, "2026-07-01T13:00:00Z"),
        ("2026-01-15T12:00", LORD_HOWE, "2026-01-15T01:00:00Z"),
    ],
)
def test_without_offset_the_zone_decides(value, zone, moment):
    assert read(value, zone) == moment


def test_with_offset_the_zone_does_not_matter():
    assert read("2026-12-01T09:00+05:00", BERLIN) == "2026-12-01T04:00:00Z"


@pytest.mark.parametrize(
    ("value", "zone", "local"),
    [
        ("2026-03-29T02:30", BERLIN, "2026-03-29T03:30:00+02:00"),
        ("2026-03-08T02:00", NEW_YORK, "2026-03-08T03:00:00-04:00"),
        ("2026-10-04T02:15", LORD_HOWE, "2026-10-04T02:45:00+11:00"),
        ("2011-12-30T12:00", APIA, "2011-12-31T12:00:00+14:00"),
        ("2011-12-30", APIA, "2011-12-31T23:59:59+14:00"),
    ],
)
def test_a_local_time_that_does_not_exist_moves_forward_by_the_gap(value, zone, local):
    assert parse_due(value, zone).astimezone(zone).isoformat() == local


@pytest.mark.parametrize(
    ("value", "zone", "local"),
    [
        ("2026-10-25T02:30", BERLIN, "2026-10-25T02:30:00+02:00"),
        ("2026-11-01T01:30", NEW_YORK, "2026-11-01T01:30:00-04:00"),
        ("2026-04-05T01:45", LORD_HOWE, "2026-04-05T01:45:00+11:00"),
    ],
)
def test_a_local_time_that_exists_twice_is_the_first(value, zone, local):
    assert parse_due(value, zone).astimezone(zone).isoformat() == local


@pytest.mark.parametrize(
    ("value", "zone", "moment"),
    [
        ("2026-12-01", BERLIN, "2026-12-01T22:59:59Z"),
        ("2026-07-01", NEW_YORK, "2026-07-02T03:59:59Z"),
        ("2026-03-29", BERLIN, "2026-03-29T21:59:59Z"),
    ],
)
def test_a_bare_date_is_its_last_second_in_the_zone(value, zone, moment):
    assert read(value, zone) == moment


@pytest.mark.parametrize(
    ("value", "zone", "moment"),
    [
        ("1970-01-01T00:00Z", GREENWICH, "1970-01-01T00:00:00Z"),
        ("1969-12-31T23:30-01:00", GREENWICH, "1970-01-01T00:30:00Z"),
        ("1969-12-31", NEW_YORK, "1970-01-01T04:59:59Z"),
        ("9999-12-31T23:59:59.999999Z", GREENWICH, "9999-12-31T23:59:59.999999Z"),
        ("9999-12-31T24:00+01:00", GREENWICH, "9999-12-31T23:00:00Z"),
        ("9999-12-31T24:00", BERLIN, "9999-12-31T23:00:00Z"),
        ("9999-12-31", BERLIN, "9999-12-31T22:59:59Z"),
    ],
)
def test_the_years_1970_to_9999_are_measured_in_utc(value, zone, moment):
    assert read(value, zone) == moment


@pytest.mark.parametrize(
    ("value", "zone"),
    [
        ("1969-12-31T23:59:59Z", GREENWICH),
        ("1970-01-01T00:30+01:00", GREENWICH),
        ("1970-01-01T00:30", BERLIN),
        ("9999-12-31T24:00Z", GREENWICH),
        ("9999-12-31T23:30-01:00", GREENWICH),
        ("9999-12-31", NEW_YORK),
        ("0001-01-01T00:00+14:00", GREENWICH),
        ("0001-01-01", BERLIN),
        ("0000-01-01", GREENWICH),
    ],
)
def test_years_outside_are_refused(value, zone):
    with pytest.raises(Invalid, match=r"^dueDate must be an existing date and time between 1970 and 9999"):
        parse_due(value, zone)


@pytest.mark.parametrize(
    "value",
    [
        "2026-13-01",
        "2026-00-10",
        "2026-02-29",
        "2026-04-31T09:00Z",
        "2026-12-00",
        "2026-12-01T25:00Z",
        "2026-12-01T09:60Z",
        "2026-12-01T09:00:60Z",
        "2016-12-31T23:59:60Z",
        "2026-12-01T24:00:01Z",
        "2026-12-01T24:01Z",
        "2026-12-01T24:00:00.0000001Z",
        "2026-12-01T09:00+24:00",
        "2026-12-01T09:00+01:60",
    ],
)
def test_dates_and_times_that_do_not_exist_are_refused(value):
    with pytest.raises(Invalid, match=r"^dueDate must be an existing date and time"):
        parse_due(value, GREENWICH)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "tomorrow",
        "2026",
        "2026-12",
        "202612",
        "26-12-01",
        "2026-1-1",
        "2026/12/01",
        "01.12.2026",
        "2026-W49-2",
        "2026W492",
        "2026-335",
        "2026335",
        "+002026-12-01",
        "-2026-12-01",
        "12026-12-01",
        "2026-12-01 09:00:00Z",
        " 2026-12-01",
        "2026-12-01 ",
        "2026-12-01\n",
        "2026-12-01T09:00 Z",
        "2026-12-01T",
        "2026-12-01T9:00Z",
        "2026-12-01T09:0Z",
        "2026-12-01T09:00:00.Z",
        "2026-12-01T09:00.5Z",
        "2026-12-01T.5Z",
        "2026-12-01Z",
        "2026-12-01+01:00",
        "2026-12-01T09:00ZZ",
        "2026-12-01T09:00+1",
        "2026-12-01T09:00+01:00:00",
        "2026-12-01T09:00\u221201:00",
        "T09:00Z",
        "1764579600",
        "２０２６-12-01",
        "٢٠٢٦-١٢-٠١",
        "2026-12-01T09:00:00Z/P1D",
        "2026-12-01\x00",
        20261201,
        None,
        True,
        ["2026-12-01"],
    ],
)
def test_anything_but_a_calendar_date_or_date_time_is_refused(value):
    with pytest.raises(Invalid, match=r"^dueDate must be an ISO 8601 date or date-time, for example"):
        parse_due(value, GREENWICH)


@pytest.mark.parametrize(
    "value",
    [
        "2026-12-01T0900Z",
        "20261201T09:00Z",
        "2026-12-01T09:0000Z",
        "2026-12-01T0900:00Z",
        "2026-1201T09:00Z",
        "202612-01T0900Z",
        "2026-12-01T09:00+0100",
        "20261201T0900+01:00",
    ],
)
def test_basic_and_extended_form_do_not_mix(value):
    with pytest.raises(Invalid):
        parse_due(value, GREENWICH)


def test_the_refusal_names_the_field_as_the_caller_wrote_it():
    with pytest.raises(Invalid, match=r"^due_before must be") as refusal:
        parse_due("soon", GREENWICH, "due_before")
    assert refusal.value.field == "due_before"


def test_the_due_date_that_is_read_is_in_utc():
    assert parse_due("2026-12-01T09:00+02:00", BERLIN).tzinfo is UTC


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 12, 1, 9, tzinfo=UTC), "2026-12-01T09:00:00Z"),
        (datetime(2026, 12, 1, 9, 0, 0, 500_000, tzinfo=UTC), "2026-12-01T09:00:00.5Z"),
        (datetime(2026, 12, 1, 9, 0, 0, 1, tzinfo=UTC), "2026-12-01T09:00:00.000001Z"),
        (datetime(2026, 12, 1, 9, 0, 10, tzinfo=UTC), "2026-12-01T09:00:10Z"),
        (datetime(2026, 7, 1, 9, tzinfo=BERLIN), "2026-07-01T07:00:00Z"),
        (datetime(2026, 7, 1, 9, tzinfo=timezone(-timedelta(hours=3))), "2026-07-01T12:00:00Z"),
    ],
)
def test_a_timestamp_is_utc_with_a_fraction_only_when_it_is_not_zero(moment, text):
    assert timestamp(moment) == text


@given(st.datetimes(min_value=datetime(1970, 1, 1), timezones=st.just(UTC)), st.timezones())
def test_a_timestamp_reads_as_the_same_time_in_every_zone(moment, zone):
    assert parse_due(timestamp(moment), zone) == moment


@given(st.datetimes(min_value=datetime(1970, 1, 3), max_value=datetime(9999, 12, 29)), st.timezones())
def test_without_offset_the_first_reading_of_the_wall_time_is_taken(wall, zone):
    assert parse_due(wall.isoformat(), zone) == wall.replace(tzinfo=zone, fold=0).astimezone(UTC)


@given(st.text(alphabet="0123456789-:T.Z+", max_size=30))
def test_every_text_is_read_as_a_time_or_refused(value):
    try:
        moment = parse_due(value, BERLIN)
    except Invalid:
        return
    assert 1970 <= moment.year <= 9999
