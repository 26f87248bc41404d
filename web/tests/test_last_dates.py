"""Due dates at the end of the year 9999, which ends earlier in zones east of Greenwich and later in those west of it."""

from datetime import UTC, date, datetime

import pytest

from boards.actions.cards.card import create_card, update_card
from conftest import web
from web.tests.browsing import browser

LAST = {"due_at": datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)}


@pytest.mark.parametrize("due", [LAST, {"due_day": date(9999, 12, 31)}])
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_every_page_shows_them_in_every_zone(olga, ed, todo, zone, due):
    card = create_card(actor=web(olga), list_id=todo.pk, title="Flyer", assignee_ids=[ed.pk])
    update_card(actor=web(olga), card_id=card.pk, **due)
    ed.time_zone = zone
    ed.save()
    board = f"/board/{card.board_id}"
    for address in ("/", "/my", "/my/table", "/search?q=flyer", board, f"{board}/table", f"{board}?card={card.pk}"):
        answer = browser(ed).get(address)
        assert (answer.status_code, b"Flyer" in answer.content) == (200, True), address
