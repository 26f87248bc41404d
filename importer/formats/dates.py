"""Dates as people and services write them. The order of day and month is never guessed: the values of a column decide
where they allow one reading only, otherwise the user does.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum
from zoneinfo import ZoneInfo

from boards.dates import Due, parse_due, parse_due_date
from boards.errors import Invalid

MONTHS = {
    name: number
    for number, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
TIME = r"(?:[ T,]+(?:at +)?(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:\.\d+)?)?\s*(?P<half>[AaPp]\.?[Mm]\.?)?)?"
OFFSET = r"\s*(?P<offset>Z|UTC|(?:GMT|UTC)?\s*[+-]\d{2}:?\d{2}|GMT)?(?:\s*\([^)]*\))?"
NUMBERS = re.compile(rf"(?P<a>\d{{1,4}})(?P<mark>[./-])(?P<b>\d{{1,2}})(?P=mark)(?P<c>\d{{1,4}})\.?{TIME}{OFFSET}")
DAY_FIRST = re.compile(
    rf"(?:[a-z]{{3,9}}\.?,?\s+)?(?P<day>\d{{1,2}})\.?[ /-](?P<month>[a-z]{{3,9}})\.?,?[ /-](?P<year>\d{{4}}|\d{{2}}),?{TIME}{OFFSET}",
    re.I,
)
MONTH_FIRST = re.compile(
    rf"(?:[a-z]{{3,9}}\.?,?\s+)?(?P<month>[a-z]{{3,9}})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}}),?{TIME}{OFFSET}",
    re.I,
)
SERIAL = re.compile(r"[1-9]\d{4}(?:[.,]\d+)?")
UNIX = re.compile(r"[1-9]\d{9}(?:\d{3})?")
FIRST_OF_EXCEL = datetime(1899, 12, 30)
DAY = 86_400  # seconds


class DateOrder(Enum):
    """The order of day, month and year in an all-digit date."""

    DAY_MONTH = "dmy"
    MONTH_DAY = "mdy"
    YEAR_MONTH = "ymd"


def orders_of(text: str) -> dict[DateOrder, date] | None:
    """Return the day in each order in which a date can be read; None for one that needs no order: 2026-12-01, 1 Dec 2026.

    With dots the day comes first everywhere.
    """
    found = NUMBERS.fullmatch(text.strip())
    if not found or len(found["a"]) > 2:
        return None
    first, second, third = int(found["a"]), int(found["b"]), int(found["c"])
    ways = {DateOrder.DAY_MONTH: (third, second, first)}
    if found["mark"] != ".":
        ways[DateOrder.MONTH_DAY] = (third, first, second)
    if len(found["c"]) <= 2 and len(found["a"]) == 2 and found["mark"] != ".":
        ways[DateOrder.YEAR_MONTH] = (first, second, third)
    days = {}
    for order, (year, month, day) in ways.items():
        if (order is DateOrder.YEAR_MONTH or len(found["c"]) in (2, 4)) and (
            made := _day(_full_year(year), month, day)
        ):
            days[order] = made
    return days


def possible_orders(texts: Iterable[str]) -> list[DateOrder]:
    """Return the orders in which most dates of a column can be read: one where its values tell, [] where none is needed.

    Several remain where each date could be read in each of them, and they would not be the same days.
    """
    fits: dict[DateOrder, list[date]] = {order: [] for order in DateOrder}
    is_plain = True
    for text in texts:
        days = orders_of(text)
        for order in days or ():
            fits[order].append(days[order])  # type: ignore[index]
            is_plain = False
    if is_plain:
        return []
    most = max(map(len, fits.values()))
    best = [order for order, days in fits.items() if len(days) == most]
    return best[:1] if all(fits[order] == fits[best[0]] for order in best) else best


def read_date(text: str, zone: ZoneInfo, order: DateOrder | None = None) -> Due | None:
    """Return a moment or a whole day; None for other texts, and for a date that needs an order where none is given."""
    text = " ".join(text.split())
    with suppress(Invalid):
        return parse_due_date(text.replace(" ", "T", 1) if len(text) > 10 and text[10:11] == " " else text, zone)
    with suppress(ValueError, OverflowError, Invalid):
        return _numbers(text, zone, order) or _words(text, zone) or _counted(text, zone)
    return None


def _numbers(text: str, zone: ZoneInfo, order: DateOrder | None) -> Due | None:
    found = NUMBERS.fullmatch(text)
    if not found:
        return None
    if len(found["a"]) == 4:
        day = _day(int(found["a"]), int(found["b"]), int(found["c"]))
    else:
        days = orders_of(text) or {}
        day = days.get(order) if order else None
        if day is None and len(set(days.values())) == 1:
            day = next(iter(days.values()))
    return _due(day, found, zone) if day else None


def _words(text: str, zone: ZoneInfo) -> Due | None:
    found = DAY_FIRST.fullmatch(text) or MONTH_FIRST.fullmatch(text) or DAY_FIRST.fullmatch(_swapped(text))
    if not found:
        return None
    month = MONTHS.get(found["month"][:3].lower())
    day = _day(_full_year(int(found["year"])), month, int(found["day"])) if month else None
    return _due(day, found, zone) if day else None


def _swapped(text: str) -> str:
    """Return `Fri Feb 09 2024 14:47`, as JavaScript writes dates, as `Fri 09 Feb 2024 14:47`."""
    return re.sub(r"^([A-Za-z]{3}) ([A-Za-z]{3}) (\d{2}) ", r"\1 \3 \2 ", text)


def _counted(text: str, zone: ZoneInfo) -> Due | None:
    """Return the date of a number: days as spreadsheets count them, seconds or milliseconds since 1970."""
    if UNIX.fullmatch(text):
        return Due(datetime.fromtimestamp(int(text[:10]), UTC))
    if not SERIAL.fullmatch(text):
        return None
    # To the nearest second: eight o'clock is written as a third of a day, of which the last digits are cut off
    moment = FIRST_OF_EXCEL + timedelta(seconds=round(float(text.replace(",", ".")) * DAY))
    if moment.time() == datetime.min.time():
        return parse_due_date(moment.date().isoformat(), zone)
    return Due(parse_due(moment.isoformat(), zone))


def _due(day: date, found: re.Match[str], zone: ZoneInfo) -> Due:
    if found["hour"] is None:
        return parse_due_date(day.isoformat(), zone)
    hour = int(found["hour"])
    if half := (found["half"] or "")[:1].lower():
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + (12 if half == "p" else 0)
    wall = datetime(day.year, day.month, day.day, hour, int(found["minute"]), int(found["second"] or 0))
    offset = _offset(found["offset"] or "")
    return Due(parse_due(wall.isoformat(), zone) if offset is None else wall.replace(tzinfo=offset).astimezone(UTC))


def _offset(text: str) -> timezone | None:
    if not text:
        return None
    digits = re.sub(r"[^0-9+-]", "", text)
    if not digits:
        return UTC
    length = timedelta(hours=int(digits[1:3]), minutes=int(digits[3:5]))
    return timezone(-length if digits[0] == "-" else length)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if year >= 1970 else None
    except ValueError:
        return None


def _full_year(year: int) -> int:
    return year + (2000 if year < 70 else 1900) if year < 100 else year
