"""Dates, times and weeks in the form that the reader chose on their profile, or else in the one form of their language.

A day is written with its year only if that is not the present one. Templates get it by the filters `date` and `near`
(web/templatetags/board_tags.py), Python by `date_in_form`, scripts by static/js/kit/times.js, which writes the same
(web/tests/test_forms_of_dates.py). HTML that is rendered once for a language, such as tiles, has the form of the
language; a script writes it anew.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple, Protocol

from django.db.models import TextChoices
from django.utils import dateformat, formats, timezone
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

NO_BREAK = "\N{NO-BREAK SPACE}"
BY_LANGUAGE = ("", _("Automatic"))


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
NOON = 12


class LanguageForm(NamedTuple):
    """The way in which a language writes dates, as browsers do by their `Intl`. The texts are formats of Django's."""

    day: str
    with_year: str
    full: str
    joint: str  # between a day and a time
    time: str
    months: str  # in place of M; Django abbreviates others


FORMS = {
    "en": LanguageForm("M j", "M j, Y", "l, F j, Y", ", ", "g:i A", "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
    "de": LanguageForm(
        "j. M", "j. M Y", "l, j. F Y", ", ", "H:i", "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."
    ),
    "fr": LanguageForm(
        "j M", "j M Y", "l j F Y", ", ", "H:i", "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."
    ),
    "es": LanguageForm(
        "j M", "j M Y", r"l, j \d\e F \d\e Y", ", ", "G:i", "ene feb mar abr may jun jul ago sept oct nov dic"
    ),
    "pt-br": LanguageForm(
        r"j \d\e M",
        r"j \d\e M \d\e Y",
        r"l, j \d\e F \d\e Y",
        ", ",
        "H:i",
        "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.",
    ),
    "ja": LanguageForm("n月j日", "Y年n月j日", "Y年n月j日l", " ", "G:i", ""),
    "zh-hans": LanguageForm("n月j日", "Y年n月j日", "Y年n月j日l", " ", "H:i", ""),
}
DAYS = ("DATE_FORMAT", "SHORT_DATE_FORMAT", "MONTH_DAY_FORMAT")
MOMENTS = ("DATETIME_FORMAT", "SHORT_DATETIME_FORMAT")
NEAR = {-1: _("Yesterday"), 0: _("Today"), 1: _("Tomorrow")}
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


def local_time(moment: datetime, zone: tzinfo | None = None) -> datetime:
    """Return the moment in `zone`, or else in the reader's; the last second of 9999 where it would be after that year."""
    zone = zone or timezone.get_current_timezone()
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return datetime.max.replace(microsecond=0, tzinfo=zone)


def date_in_form(value: Any, name: str = "DATE_FORMAT") -> str:
    """Write a date, a moment in the reader's zone or a time of day by a format, as Django names or spells them."""
    if name in DAYS:
        return _day(value)
    if name == "TIME_FORMAT":
        return _time(value)
    if name in MOMENTS:
        return _day(value) + _joint() + _time(value)
    return unbroken(formats.date_format(value, name))


def near_in_form(value: date) -> str:
    """Write a date or a moment as `date_in_form` does, but yesterday, today and tomorrow by their words."""
    day = value.date() if isinstance(value, datetime) else value
    near = NEAR.get((day - timezone.localdate()).days)
    shown = str(near) if near else _day(value)
    return shown + _joint() + _time(value) if isinstance(value, datetime) else shown


def full_in_form(moment: datetime) -> str:
    """Write a moment with its weekday, month and year in full."""
    whole, _without_year = _chosen_days()
    form = _form()
    return unbroken(formats.date_format(moment, f"l, {whole}" if whole else form.full)) + _joint() + _time(moment)


def day_in_language(day: date) -> str:
    """Write a day in the form of the language, whatever the reader chose."""
    form = _form()
    pattern = form.day if day.year == timezone.localdate().year else form.with_year
    if form.months:
        pattern = pattern.replace("M", "".join(f"\\{letter}" for letter in form.months.split()[day.month - 1]))
    return unbroken(dateformat.format(day, pattern))


def unbroken(written: str) -> str:
    return written.replace(" ", NO_BREAK)


def _day(value: Any) -> str:
    whole, without_year = _chosen_days()
    if not whole:
        return day_in_language(value)
    return dateformat.format(value, without_year if value.year == timezone.localdate().year else whole)


def _time(value: Any) -> str:
    _date_form, clock = _chosen.get()
    return unbroken(formats.time_format(value, _chosen_time(clock, value.hour) or _form().time))


def _chosen_time(clock: str, hour: int) -> str:
    """Return the format of a chosen clock. Languages write "AM" in ways of their own, browsers others than Django."""
    if clock == Clock.HALF:
        return r"g:i \A\M" if hour < NOON else r"g:i \P\M"
    return "H:i" if clock == Clock.DAY else ""


def _joint() -> str:
    return " " if _chosen_days()[0] else _form().joint


def _chosen_days() -> tuple[str, str]:
    return DATES.get(_chosen.get()[0], ("", ""))  # type: ignore[call-overload]  # keys are texts


def _form() -> LanguageForm:
    return FORMS.get(get_language() or "", FORMS["en"])


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
