"""Pages show dates in the form that their reader chose; what readers share does not know it."""

from datetime import UTC, date, datetime

import pytest

from accounts.models import User
from boards.actions.cards.card import update_card
from boards.models import Card
from boards.reading.tiles import tiles
from conftest import web
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
    assert "March 4, 2037, 3:30 p.m." in text_of(browser(vera).get(f"/board/{board.pk}?card={due.pk}"))


def test_a_tile_is_the_same_for_all_readers_of_a_language(choosing, due, ed, vera):
    [tile] = tiles(Card.objects.filter(pk=due.pk))
    with locale_of(ed):
        of_ed = render_tile(tile)
    with locale_of(vera):
        assert render_tile(tile) == of_ed
    assert "March 4" in of_ed


def test_the_board_tells_its_scripts(choosing, board, ed):
    html = choosing.get(f"/board/{board.pk}").content.decode()
    assert 'data-dates="dots" data-clock="24"' in html
    assert 'data-week="7"' in html
    User.objects.filter(pk=ed.pk).update(date_form="", clock="", week_start="saturday")
    html = choosing.get(f"/board/{board.pk}").content.decode()
    assert "data-dates" not in html
    assert 'data-week="6"' in html
