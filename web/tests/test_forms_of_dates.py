"""Pages show dates in the form that their reader chose; what readers share does not know it."""

from datetime import UTC, date, datetime, time

import pytest
from django.conf import settings
from django.utils import translation

from accounts.models import User
from boards.actions.cards.card import update_card
from boards.models import Card
from boards.reading.tiles import tiles
from conftest import web
from core.text.dates import date_in_form, forms_of_dates, near_in_form
from core.text.locale import locale_of
from web.fragments import render_tile
from web.tests.browsing import browser, text_of


@pytest.fixture
def due(card, olga):
    at = datetime(2037, 3, 4, 15, 30, tzinfo=UTC)
    return update_card(actor=web(olga), card_id=card.pk, due_at=at, start_day=date(2037, 3, 1))


@pytest.fixture
def choosing(ed):
    User.objects.filter(pk=ed.pk).update(date_form="dots", clock="24")
    ed.refresh_from_db()
    return browser(ed)


def test_the_open_card_and_its_history(choosing, due, board):
    page = text_of(choosing.get(f"/board/{board.pk}?card={due.pk}"))
    assert "04.03.2037 15:30" in page
    assert "01.03.2037" in page
    assert "04.03.2037 15:30" in text_of(choosing.get(f"/board/{board.pk}/activity"))


def test_others_see_them_as_their_language_has_it(choosing, due, board, vera):
    choosing.get(f"/board/{board.pk}")
    assert "Mar 4, 2037, 3:30 PM" in text_of(browser(vera).get(f"/board/{board.pk}?card={due.pk}"))


def test_a_tile_is_the_same_for_all_readers_of_a_language(choosing, due, ed, vera):
    [tile] = tiles(Card.objects.filter(pk=due.pk))
    with locale_of(ed):
        of_ed = render_tile(tile)
    with locale_of(vera):
        assert render_tile(tile) == of_ed
    assert "Mar\xa04,\xa02037" in of_ed


def test_the_board_tells_its_scripts(choosing, board, ed):
    html = choosing.get(f"/board/{board.pk}").content.decode()
    assert 'data-dates="dots" data-clock="24"' in html
    assert 'data-week="7"' in html
    User.objects.filter(pk=ed.pk).update(date_form="", clock="", week_start="saturday")
    html = choosing.get(f"/board/{board.pk}").content.decode()
    assert "data-dates" not in html
    assert 'data-week="6"' in html


# What times.js writes for each of these days and moments, which it reads from <time>.
WRITTEN = """async ([language, days]) => {
  document.documentElement.lang = language
  document.body.innerHTML = '<p data-zone="UTC"></p>'
  const { formatTimes } = await import(`/static/js/kit/times.js?${language}`)
  const written = (day, inside) => {
    document.body.innerHTML = inside
    document.querySelector("time").dateTime = day
    formatTimes(document.body)
    return document.querySelector("time").textContent
  }
  return days.map((day) => [
    written(day, '<p class="card"><time></time></p>'),
    written(`${day}T16:05:00Z`, '<time data-show="due"></time>'),
  ])
}"""
LANGUAGES = [code for code, _name in settings.LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_scripts_and_pages_write_the_same_form_in_each_language(chrome, live_server, time_machine, language):
    noon = datetime(2030, 5, 10, 12, tzinfo=UTC)
    near = [date(2030, 5, day) for day in (9, 10, 11, 12)]
    days = near + [date(year, month, day) for year in (2030, 2032) for month in range(1, 13) for day in (1, 22)]
    context = chrome.new_context(base_url=live_server.url)
    page = context.new_page()
    page.clock.set_fixed_time(noon)
    page.goto("/static/js/kit/times.js")  # a page without scripts of its own
    by_scripts = page.evaluate(WRITTEN, [language, [day.isoformat() for day in days]])
    context.close()
    time_machine.move_to(noon)
    with translation.override(language):
        by_pages = [[near_in_form(day), near_in_form(datetime.combine(day, time(16, 5), tzinfo=UTC))] for day in days]
    assert [[shown.replace("\u202f", "\xa0") for shown in pair] for pair in by_scripts] == by_pages


CLOCK = """async ([language, clock, moments]) => {
  document.documentElement.lang = language
  document.body.dataset.clock = clock
  document.body.innerHTML = '<p data-zone="UTC"></p>'
  const times = await import("/static/js/kit/times.js")
  return moments.map((moment) => times.clock(new Date(moment)))
}"""


@pytest.mark.parametrize("clock", ["12", "24"])
def test_scripts_and_pages_write_a_chosen_clock_alike_in_each_language(chrome, live_server, clock):
    moments = [datetime(2030, 5, 10, hour, 5, tzinfo=UTC) for hour in (0, 9, 12, 16)]
    context = chrome.new_context(base_url=live_server.url)
    page = context.new_page()
    by_scripts, by_pages = {}, {}
    for language in LANGUAGES:
        page.goto("/static/js/kit/times.js")  # a page without scripts of its own
        shown = page.evaluate(CLOCK, [language, clock, [moment.isoformat() for moment in moments]])
        by_scripts[language] = [one.replace("\u202f", "\xa0") for one in shown]
        with translation.override(language), forms_of_dates("", clock):
            by_pages[language] = [date_in_form(moment, "TIME_FORMAT") for moment in moments]
    context.close()
    assert by_scripts == by_pages
