"""Dates, times and weeks as the reader chose them, or as their language has them."""

import re
from datetime import UTC, date, datetime, time
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils import timezone, translation

from core.text.dates import (
    Clock,
    DateForm,
    WeekStart,
    date_in_form,
    first_weekday,
    forms_of_dates,
    full_in_form,
    local_time,
    near_in_form,
    next_week,
    start_of_week,
)
from core.text.locale import locale_of

MOMENT = datetime(2026, 3, 2, 16, 5, tzinfo=UTC)  # in another year than the tests' present
NAMES = (
    "DATE_FORMAT",
    "SHORT_DATE_FORMAT",
    "MONTH_DAY_FORMAT",
    "TIME_FORMAT",
    "DATETIME_FORMAT",
    "SHORT_DATETIME_FORMAT",
)
LANGUAGES = [code for code, _name in settings.LANGUAGES]


@pytest.fixture(autouse=True)
def present(time_machine) -> None:
    time_machine.move_to(datetime(2030, 5, 10, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    "form,clock,shown",
    [
        ("iso", "24", ["2026-03-02", "2026-03-02", "2026-03-02", "16:05", "2026-03-02 16:05", "2026-03-02 16:05"]),
        ("dots", "24", ["02.03.2026", "02.03.2026", "02.03.2026", "16:05", "02.03.2026 16:05", "02.03.2026 16:05"]),
        (
            "slashes",
            "12",
            ["02/03/2026", "02/03/2026", "02/03/2026", "4:05 PM", "02/03/2026 4:05 PM", "02/03/2026 4:05 PM"],
        ),
        (
            "american",
            "12",
            ["03/02/2026", "03/02/2026", "03/02/2026", "4:05 PM", "03/02/2026 4:05 PM", "03/02/2026 4:05 PM"],
        ),
        ("", "24", ["Mar 2, 2026", "Mar 2, 2026", "Mar 2, 2026", "16:05", "Mar 2, 2026, 16:05", "Mar 2, 2026, 16:05"]),
        (
            "iso",
            "",
            ["2026-03-02", "2026-03-02", "2026-03-02", "4:05 PM", "2026-03-02 4:05 PM", "2026-03-02 4:05 PM"],
        ),
    ],
)
def test_what_is_chosen_takes_the_place_of_the_languages_form(form, clock, shown):
    with forms_of_dates(form, clock):
        assert [with_spaces(date_in_form(MOMENT, name)) for name in NAMES] == shown


@pytest.mark.parametrize(
    "language,this_year,another,full",
    [
        ("en", "Nov 8, 4:05 PM", "Mar 2, 2026, 4:05 PM", "Monday, March 2, 2026, 4:05 PM"),
        ("de", "8. Nov., 16:05", "2. März 2026, 16:05", "Montag, 2. März 2026, 16:05"),
        ("fr", "8 nov., 16:05", "2 mars 2026, 16:05", "lundi 2 mars 2026, 16:05"),
        ("es", "8 nov, 16:05", "2 mar 2026, 16:05", "lunes, 2 de marzo de 2026, 16:05"),
        ("pt-br", "8 de nov., 16:05", "2 de mar. de 2026, 16:05", "Segunda-feira, 2 de Março de 2026, 16:05"),
        ("ja", "11月8日 16:05", "2026年3月2日 16:05", "2026年3月2日月曜日 16:05"),
        ("zh-hans", "11月8日 16:05", "2026年3月2日 16:05", "2026年3月2日星期一 16:05"),
    ],
)
def test_each_language_has_one_form_with_the_year_if_it_is_another(language, this_year, another, full):
    with translation.override(language):
        assert with_spaces(date_in_form(datetime(2030, 11, 8, 16, 5), "DATETIME_FORMAT")) == this_year
        assert with_spaces(date_in_form(MOMENT, "DATETIME_FORMAT")) == another
        assert with_spaces(full_in_form(MOMENT)) == full


def test_a_near_day_is_written_in_words():
    assert near_in_form(date(2030, 5, 10)) == "Today"
    assert near_in_form(datetime(2030, 5, 9, 23, 30, tzinfo=UTC)) == "Yesterday, 11:30\xa0PM"
    assert near_in_form(date(2030, 5, 11)) == "Tomorrow"
    assert near_in_form(date(2030, 5, 12)) == "May\xa012"
    with forms_of_dates("dots", "24"):
        assert near_in_form(datetime(2030, 5, 10, 7, 5, tzinfo=UTC)) == "Today 07:05"
        assert near_in_form(date(2030, 5, 12)) == "12.05."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("clock,morning,afternoon", [("24", "09:05", "16:05"), ("12", "9:05 AM", "4:05 PM")])
def test_the_form_of_times_alone_is_chosen_in_every_language(language, clock, morning, afternoon):
    with translation.override(language), forms_of_dates("", clock):
        for name in ("TIME_FORMAT", "DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"):
            for moment, shown in ((MOMENT.replace(hour=9), morning), (MOMENT, afternoon)):
                assert re.search(rf"(^| ){shown}$", with_spaces(date_in_form(moment, name)))
    assert Clock(clock)


def test_the_choices_are_named_by_what_they_show():
    day = date(2026, 11, 22)
    for form in DateForm:
        with forms_of_dates(form, ""):
            assert date_in_form(day) == form.label


def test_a_time_of_day_is_written_too():
    with forms_of_dates("", "12"):
        assert date_in_form(time(7), "TIME_FORMAT") == "7:00\xa0AM"


def test_formats_that_are_spelled_out_stay():
    with forms_of_dates("iso", "24"):
        assert date_in_form(MOMENT, "D j") == "Mon\xa02"


def test_templates_write_dates_in_the_chosen_form_and_zone():
    template = Template(
        "{{ moment|date }} {{ moment|date:'SHORT_DATETIME_FORMAT' }} {{ none|date }} {{ moment|date:'Y' }}"
    )
    with forms_of_dates("iso", "24"), timezone.override("Asia/Tokyo"):
        assert template.render(Context({"moment": MOMENT, "none": None})) == "2026-03-03 2026-03-03 01:05  2026"


def test_the_forms_of_one_reader_end_with_their_block(olga):
    olga.date_form, olga.clock = "dots", "24"
    with locale_of(olga):
        assert date_in_form(MOMENT, "DATETIME_FORMAT") == "02.03.2026 16:05"
    assert with_spaces(date_in_form(MOMENT, "DATETIME_FORMAT")) == "Mar 2, 2026, 4:05 PM"


def test_neither_a_date_nor_a_time_breaks_at_the_end_of_a_line():
    assert date_in_form(MOMENT, "DATETIME_FORMAT") == "Mar\xa02,\xa02026, 4:05\xa0PM"
    shown = Template("{{ moment|date:'DATETIME_FORMAT' }}").render(Context({"moment": MOMENT}))
    assert shown == "Mar\xa02,\xa02026, 4:05\xa0PM"


def with_spaces(written: str) -> str:
    return written.replace("\xa0", " ")


@pytest.mark.parametrize(
    "language,first", [("en", 7), ("de", 1), ("fr", 1), ("es", 1), ("pt-br", 7), ("ja", 7), ("zh-hans", 1)]
)
def test_weeks_begin_as_the_language_has_it_or_as_chosen(language, first):
    user = SimpleNamespace(language=language, week_start="")
    assert first_weekday(user) == first
    for start, chosen in ((WeekStart.MONDAY, 1), (WeekStart.SATURDAY, 6), (WeekStart.SUNDAY, 7)):
        user.week_start = start
        assert first_weekday(user) == chosen


@pytest.mark.parametrize(
    "first,day,start,following",
    [
        (1, 16, 16, 23),  # a Monday
        (1, 22, 16, 23),  # a Sunday
        (7, 21, 15, 23),  # a Saturday: the Monday after the Sunday on which the next week begins
        (7, 22, 22, 30),
        (7, 23, 22, 30),
        (6, 20, 14, 21),  # a Friday
        (6, 21, 21, 28),
    ],
)
def test_weeks_have_seven_days_from_the_first_one(first, day, start, following):
    today = date(2026, 11, day)
    assert start_of_week(today, first) == date(2026, 11, start)
    assert next_week(today, first) == date(2026, 11, following)


def test_dates_for_people_are_written_here_alone():
    """Django's own date_format knows the language only. Tiles are rendered once for all readers of a language."""
    uses = set()
    for path in settings.BASE_DIR.glob("*/**/*.py"):
        place = path.relative_to(settings.BASE_DIR).as_posix()
        is_ours = not place.startswith((".", "node_modules/", "data/")) and "/tests/" not in place
        if is_ours and re.search(r"formats import .*(date|time)_format|formats\.(date|time)_format", path.read_text()):
            uses.add(place)
    assert uses == {"core/text/dates.py"}


def test_a_time_that_would_be_after_9999_in_a_zone_is_the_last_second_there():
    last = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert local_time(last, ZoneInfo("Europe/Berlin")).isoformat() == "9999-12-31T23:59:59+01:00"
    assert local_time(last, ZoneInfo("America/New_York")).isoformat() == "9999-12-31T18:59:59-05:00"
