"""Dates, times and weeks in the form that the reader chose on their profile, or else as their language has it.

Templates get it by the filter `date` (web/templatetags/board_tags.py), Python by `date_in_form`, scripts by
static/js/kit/date-forms.js. HTML that is rendered once for a language, such as tiles, has the form of the language; a
script writes it anew.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, timedelta
from typing import Any, Protocol

from django.db.models import TextChoices
from django.utils import formats
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

BY_LANGUAGE = ("", _("By language"))


class WeekStart(TextChoices):
    # With a context, as the words without one are those of Django's dates, which some languages write with a small letter.
    MONDAY = "monday", pgettext_lazy("choice", "Monday")
    SATURDAY = "saturday", pgettext_lazy("choice", "Saturday")
    SUNDAY = "sunday", pgettext_lazy("choice", "Sunday")


class DateForm(TextChoices):
    ISO = "iso", "2026-11-22"
    DOTS = "dots", "22.11.2026"
    SLASHES = "slashes", "22/11/2026"
    AMERICAN = "american", "11/22/2026"


class Clock(TextChoices):
    DAY = "24", pgettext_lazy("clock", "24 hours, as in 16:30")
    HALF = "12", pgettext_lazy("clock", "12 hours, as in 4:30 PM")


# The formats of whole dates, and of those whose year is plain
DATES = {
    DateForm.ISO: ("Y-m-d", "Y-m-d"),
    DateForm.DOTS: ("d.m.Y", "d.m."),
    DateForm.SLASHES: ("d/m/Y", "d/m"),
    DateForm.AMERICAN: ("m/d/Y", "m/d"),
}
TIMES = {Clock.DAY: "H:i", Clock.HALF: "g:i A"}
FIRST_DAYS = {WeekStart.MONDAY: 1, WeekStart.SATURDAY: 6, WeekStart.SUNDAY: 7}

_chosen: ContextVar[tuple[str, str]] = ContextVar("_chosen", default=("", ""))


class HasWeeks(Protocol):
    """A user."""

    language: str
    week_start: str


@contextmanager
def forms_of_dates(date_form: str, clock: str) -> Iterator[None]:
    """Write dates and times in these forms inside the block; "" is the form of the language."""
    token = _chosen.set((date_form, clock))
    try:
        yield
    finally:
        _chosen.reset(token)


def date_in_form(value: Any, name: str = "DATE_FORMAT") -> str:
    """Write a date, a moment or a time of day by a format of Django's, as in DATETIME_FORMAT, in the form that the reader chose."""
    return formats.date_format(value, format_for_reader(name))


def format_for_reader(name: str) -> str:
    """Return the reader's format in place of the one with this name; `name` itself where nothing is chosen."""
    date_form, clock = _chosen.get()
    whole, without_year = DATES.get(date_form, ("", ""))  # type: ignore[call-overload]  # keys are texts
    hours = TIMES.get(clock, "")  # type: ignore[call-overload]
    if name in ("DATE_FORMAT", "SHORT_DATE_FORMAT"):
        return whole or name
    if name == "MONTH_DAY_FORMAT":
        return without_year or name
    if name == "TIME_FORMAT":
        return hours or name
    if name in ("DATETIME_FORMAT", "SHORT_DATETIME_FORMAT") and (whole or hours):
        by_language = formats.get_format("TIME_FORMAT")
        return f"{whole} {hours or by_language}" if whole else formats.get_format(name).replace(by_language, hours)
    return name


def first_weekday(user: HasWeeks) -> int:
    """Return the day on which the user's weeks begin, counted as `isoweekday` does: Monday is 1, Sunday 7."""
    chosen = FIRST_DAYS.get(user.week_start)  # type: ignore[call-overload]
    return chosen or formats.get_format("FIRST_DAY_OF_WEEK", user.language) or 7


def start_of_week(day: date, first: int) -> date:
    """Return the first day of the week of `day`, where weeks begin on `first`."""
    return day - timedelta(days=(day.isoweekday() - first) % 7)


def next_week(day: date, first: int) -> date:
    """Return the day that "next week" means: its first, or the Monday where it begins with the Sunday of a weekend."""
    return start_of_week(day, first) + timedelta(days=8 if first == 7 else 7)
