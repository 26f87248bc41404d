"""Two browsers of one person in Chromium: one signs the other out, whose open board says so."""

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from taskboard.tests.people import Person
from taskboard.tests.served_people import people, vera
from taskboard.tests.servers import PATIENCE
from taskboard.tests.settle import PASSWORD

__all__ = ["people", "vera"]

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


def sign_in(context: BrowserContext, vera: Person) -> Page:
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto("/sign-in")
    page.fill("input[name=login]", vera.email)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def test_one_signs_out_elsewhere_without_scripts_and_the_board_open_there_says_so(chrome, vera):
    board: dict[str, Any] = vera.new_board()
    there = sign_in(chrome.new_context(base_url=vera.url, user_agent=FIREFOX), vera)
    there.goto(f"/board/{board['id']}")
    here = sign_in(chrome.new_context(base_url=vera.url, java_script_enabled=False), vera)
    here.goto("/settings/security")
    here.get_by_role("button", name="Sign out Firefox on Windows").click()
    expect(here.get_by_text("“Firefox on Windows” is signed out.")).to_be_visible()
    expect(here.get_by_role("button", name="Sign out Firefox on Windows")).to_have_count(0)
    expect(there.get_by_text("You are signed out.")).to_be_visible()
    there.get_by_role("link", name="Sign in").click()
    expect(there).to_have_url(f"{vera.url}/sign-in?next=%2Fboard%2F{board['id']}")
    here.get_by_role("link", name="Show activity").click()
    expect(here.get_by_text("“Firefox on Windows” signed out")).to_be_visible()
