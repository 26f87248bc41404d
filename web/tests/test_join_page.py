"""Two browsers: Olga makes a link, Stan follows it signed out, signs up and accepts; her open page of members follows."""

import pytest
from playwright.sync_api import expect

from taskboard.tests.browsers import give_back, lend_context, open_tab
from taskboard.tests.people import settle


@pytest.fixture
def olga(running, environment):
    with settle(environment, running.url, "olga") as people:
        yield people["olga"]


@pytest.fixture
def people(chrome, running, olga):
    """Open a browser, signed in as somebody or as nobody."""

    contexts = []

    def opened(person=None):
        context = lend_context(chrome, running.url, reduced_motion="reduce")
        contexts.append(context)
        if person:
            context.add_cookies([{"name": "sessionid", "value": person.session, "url": running.url}])
        return open_tab(context)

    yield opened
    for context in contexts:
        give_back(context)


def test_a_link_is_made_followed_and_accepted_while_the_members_page_is_open(people, olga):
    board = olga.new_board()
    hers = people(olga)
    hers.goto(f"/board/{board['id']}/members")
    hers.get_by_label("Number of uses").fill("1")
    expect(hers.get_by_label("Last day")).to_be_hidden()
    hers.get_by_label("Expires").select_option("date")
    expect(hers.get_by_label("Last day")).to_be_visible()
    hers.get_by_label("Expires").select_option("1")
    hers.locator("#invite-by-link").get_by_role("button", name="Create link").click()
    link = hers.locator("#link-address").text_content()
    row = hers.locator("[id^=link-]").filter(has_text="1 use left")
    expect(row).to_contain_text("not used yet")

    his = people()
    his.goto(link)
    assert link.rpartition("/")[2] not in his.url
    expect(his.get_by_role("main")).to_contain_text("invites you to the board Launch")
    his.get_by_role("main").get_by_role("link", name="Sign up").click()
    his.get_by_label("Email address").fill("stan.new@example.com")
    his.get_by_label("Name").fill("Stan New")
    his.get_by_label("Password", exact=True).fill("plum tart on sunday")
    his.get_by_role("button", name="Create account").click()
    expect(his.get_by_role("main")).to_contain_text("You are signed in as stan.new@example.com.")
    his.get_by_role("button", name="Accept").click()
    his.wait_for_url(f"**/board/{board['id']}")
    expect(his.locator("#members")).to_contain_text("S")

    expect(hers.locator("#member-lists")).to_contain_text("Stan New")  # by itself
    expect(hers.locator("#member-lists")).to_contain_text("0 uses left")


def test_a_link_that_is_withdrawn_while_somebody_looks_is_not_accepted(people, olga):
    board = olga.new_board()
    hers = people(olga)
    hers.goto(f"/board/{board['id']}/members")
    hers.locator("#invite-by-link").get_by_role("button", name="Create link").click()
    his = people()
    his.goto(hers.locator("#link-address").text_content())
    hers.locator("#member-lists").get_by_role("button", name="Withdraw").click()
    expect(hers.locator("#member-lists")).not_to_contain_text("uses")
    his.get_by_role("button", name="Decline").click()
    expect(his.get_by_role("heading", level=1)).to_have_text("This invitation link doesn't work")
