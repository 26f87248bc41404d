"""The banner as people see it: above the page, in both themes and on phones, closed by a button, not on paper."""

import pytest
from playwright.sync_api import expect

from operating.models import Banner
from taskboard.tests.axe import complaints_in_both_themes
from web.tests.looking import box, show, style

__all__ = ["show"]

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "The service is away on Sunday from 9 to 10, for a move to another machine. " * 2 + "Donaudampfschifffahrt" * 2


@pytest.mark.parametrize("level", ["information", "warning"])
def test_axe_finds_nothing_in_it_and_it_fits_a_phone(show, axe, olga, board, level):
    Banner.objects.create(text=LONG, level=level)
    page = show(f"/board/{board.pk}", olga, width=390)
    region = page.get_by_role("region", name="Announcement")
    expect(region).to_contain_text("for a move to another machine")
    assert complaints_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    bar, main = box(page.locator(".boardbar")), box(page.locator("#main"))
    assert box(region)["bottom"] <= main["top"] <= bar["top"] < bar["bottom"]
    assert main["bottom"] <= page.evaluate("innerHeight") + 1


def test_it_goes_at_once_when_it_is_closed_and_stays_away(show, olga, board):
    Banner.objects.create(text=LONG)
    page = show(f"/board/{board.pk}", olga)
    with page.expect_response("**/banner/close"):
        page.get_by_role("button", name="Close announcement").click()
    expect(page.locator(".banner")).to_have_count(0)
    assert page.evaluate("document.activeElement.id") == "main"
    page.reload()
    expect(page.locator(".topbar")).to_be_visible()
    expect(page.locator(".banner")).to_have_count(0)


def test_without_scripts_it_is_closed_by_its_form(show, olga):
    Banner.objects.create(text=LONG)
    page = show("/settings/profile", olga, scripts=False)
    page.get_by_role("button", name="Close announcement").click()
    page.wait_for_url("**/settings/profile")
    expect(page.locator(".banner")).to_have_count(0)


def test_it_is_not_on_paper(show, olga, board):
    Banner.objects.create(text=LONG)
    for path in ("/", f"/board/{board.pk}"):
        page = show(path, olga, wired="")
        page.emulate_media(media="print")
        assert style(page.locator(".banner"), "display") == "none"
