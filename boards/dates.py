"""Read due dates from text, and write times as text in the one format that every response uses."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from boards.errors import Invalid
from core.text.dates import local_time

FIRST_YEAR = 1970
LAST_SECOND = timedelta(hours=23, minutes=59, seconds=59)


class Due(NamedTuple):
    """A due date: a moment, or a whole day. `at` of a whole day is its last second in the zone of the user who set it."""

    at: datetime
    day: date | None = None


def parse_due_date(value: object, zone: ZoneInfo, field: str = "dueDate") -> Due:
    """Read a due date as `parse_due` does. A bare date is a whole day."""
    day = parse_day(value, field) if _is_bare_date(value) else None
    return Due(parse_due(value, zone, field), day)


def parse_day(value: object, field: str) -> date:
    """Read an ISO 8601 date without a time; raise Invalid for anything else."""
    if not _is_bare_date(value):
        raise Invalid.of(field, _("%(field)s must be a date without a time, for example 2026-12-01."))
    return parse_due(value, UTC_ZONE, field).date()


def end_of_day(day: date, zone: ZoneInfo, field: str = "dueDate") -> datetime:
    """Return the last second of the day in `zone`, in UTC; raise Invalid outside of the years 1970 to 9999."""
    return parse_due(day.isoformat(), zone, field)


def end_of(due: Due, zone: ZoneInfo) -> datetime:
    """Return the moment when it is over, in UTC: of a whole day the last second in `zone`."""
    if due.day is None:
        return due.at
    return local_time(datetime.combine(due.day, time(), zone) + LAST_SECOND, UTC)


def day_of(due: Due, zone: ZoneInfo) -> date:
    """Return the day on which something is due, in `zone` where it is a moment."""
    if due.day is not None:
        return due.day
    return local_time(due.at, zone).date()


def _is_bare_date(value: object) -> bool:
    match = (EXTENDED.fullmatch(value) or BASIC.fullmatch(value)) if isinstance(value, str) else None
    return match is not None and match["hour"] is None


def parse_due(value: object, zone: ZoneInfo, field: str = "dueDate") -> datetime:
    """Read an ISO 8601 calendar date or date-time and return it in UTC; raise Invalid for anything else.

    Without an offset it is a local time in `zone`. A local time that the clocks skip moves forward by the gap; of one
    that occurs twice, the first is taken. A date without a time is the last second of that day. Digits beyond
    microseconds are cut off.
    """
    match = isinstance(value, str) and (EXTENDED.fullmatch(value) or BASIC.fullmatch(value))
    if not match:
        raise Invalid.of(
            field, _("%(field)s must be an ISO 8601 date or date-time, for example 2026-12-01 or 2026-12-01T09:00:00Z.")
        )
    try:
        return _moment(match, zone)
    except (ValueError, OverflowError):
        raise Invalid.of(field, _("%(field)s must be an existing date and time between 1970 and 9999 (UTC).")) from None


def timestamp(moment: datetime) -> str:
    """Return the time as RFC 3339 in UTC, `2026-12-01T09:00:00Z`, with a fraction only if it is not zero."""
    text = moment.astimezone(UTC).isoformat().removesuffix("+00:00")
    return f"{text.rstrip('0') if moment.microsecond else text}Z"


def _form(dash: str, colon: str) -> re.Pattern[str]:
    return re.compile(
        rf"""
        (?P<year>[0-9]{{4}}) {dash} (?P<month>[0-9]{{2}}) {dash} (?P<day>[0-9]{{2}})
        (?:
            [Tt] (?P<hour>[0-9]{{2}})
            (?: {colon} (?P<minute>[0-9]{{2}})
                (?: {colon} (?P<second>[0-9]{{2}}) (?: [.,] (?P<fraction>[0-9]+) )? )?
            )?
            (?P<offset> [Zz] | (?P<sign>[+-]) (?P<hours>[0-9]{{2}}) (?: {colon} (?P<minutes>[0-9]{{2}}) )? )?
        )?
        """,
        re.VERBOSE,
    )


UTC_ZONE = ZoneInfo("UTC")
EXTENDED, BASIC = _form(dash="-", colon=":"), _form(dash="", colon="")


def _moment(match: re.Match[str], zone: ZoneInfo) -> datetime:
    day = datetime(int(match["year"]), int(match["month"]), int(match["day"]))
    clock = _clock(match)
    # One addition, so that no intermediate result lies after the year 9999 when the final one does not.
    moment = day + (clock - _offset(match, day, clock, zone))
    if moment.year < FIRST_YEAR:
        raise ValueError
    return moment.replace(tzinfo=UTC)


def _clock(match: re.Match[str]) -> timedelta:
    """Return the time since midnight; 24:00 is a whole day, and no time at all is the day's last second."""
    if match["hour"] is None:
        return LAST_SECOND
    minute, second, fraction = match["minute"] or "0", match["second"] or "0", match["fraction"] or "0"
    if match["hour"] == "24" and not f"{minute}{second}{fraction}".strip("0"):
        return timedelta(days=1)
    clock = time(int(match["hour"]), int(minute), int(second), int(fraction[:6].ljust(6, "0")))
    return datetime.combine(datetime.min, clock) - datetime.min


def _offset(match: re.Match[str], day: datetime, clock: timedelta, zone: ZoneInfo) -> timedelta:
    if match["offset"] is None:
        wall = day + min(clock, datetime.max - day)
        return wall.replace(tzinfo=zone).utcoffset() or timedelta()
    if match["sign"] is None:
        return timedelta()
    ahead = time(int(match["hours"]), int(match["minutes"] or "0"))
    offset = timedelta(hours=ahead.hour, minutes=ahead.minute)
    return -offset if match["sign"] == "-" else offset
