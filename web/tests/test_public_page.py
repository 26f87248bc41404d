"""A board that is open by its public link, in the browser of somebody without an account, while its owner works on it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from taskboard.tests.browsers import give_back, lend_context, open_tab, refused_by_policy, wait_until_wired
from taskboard.tests.people import Person, settle


@pytest.fixture(scope="module")
def olga(running, environment) -> Iterator[Person]:
    with settle(environment, running.url, "olga") as people:
        yield people["olga"]


def test_a_visitor_sees_changes_until_the_owner_switches_the_link_off(chrome: Browser, olga: Person):
    board = olga.new_board("Launch")
    first, second = (olga.new_card(board, title) for title in ("First", "Second"))
    home = f"/board/{board['id']}"
    olga.post(f"{home}/public-link", embedding="nobody")
    found = re.search(r"/public/([\w-]{43})<", olga.browser.get(f"{home}/public-link").text)
    assert found is not None
    address = f"{olga.url}/public/{found[1]}"

    context = lend_context(chrome, olga.url, reduced_motion="reduce")
    page, errors = open_tab(context), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    refused = refused_by_policy(page)
    page.goto(address)
    wait_until_wired(page)
    assert context.cookies() == []
    tile = page.locator(f"#card-{first['id']}")

    olga.post(f"/card/{first['id']}/title", title="Landed")
    expect(tile.locator(".title")).to_contain_text("Landed")
    olga.post(f"/card/{second['id']}/archival", archived="1")
    expect(page.locator(f"#card-{second['id']}")).to_have_count(0)

    tile.locator(".title").click()
    expect(page).to_have_url(f"{address}?card={first['id']}")
    olga.post(f"/card/{first['id']}/checklists", title="Steps")
    expect(page.locator("#open-card .checklist h2")).to_contain_text("Steps")
    page.locator("[data-close-card]").click()
    expect(page).to_have_url(address)

    olga.post(f"{home}/public-link/withdrawal")
    expect(page.locator(".live-bar")).to_contain_text("no longer shared")
    expect(page.locator(".lists")).to_be_empty()
    page.locator(".live-bar a").click()
    expect(page.locator("h1")).to_have_text("Page not found")
    assert (errors, refused) == ([], [])
    give_back(context)
