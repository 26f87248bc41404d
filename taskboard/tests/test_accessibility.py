"""axe finds nothing wrong with any page, in light and dark mode, on phones and on desktops."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from accounts.first_account import make_link
from accounts.links import Purpose, make_key
from accounts.models import User
from conftest import person
from security.confirmation import CONFIRMED_AT
from taskboard.tests.browsers import started_chromium
from taskboard.tests.needs import AXE
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PATIENCE, Running, serving

pytestmark = [pytest.mark.once, pytest.mark.browser, pytest.mark.axe]

SIGNED_OUT = ["/", "/sign-in", "/sign-up", "/password/reset"]
SIGNED_IN = [
    "/",
    "/boards/new",
    "/boards/archived",
    "/invitations",
    "/invitation/{invitation}",
    "{board}",
    "{board}/members",
    "{board}/settings",
    "{board}/archive",
    "{board}/activity",
    "{board}/deletion",
    "{card}",
    "/settings/profile",
    "/settings/password",
    "/settings/email",
    "/settings/tokens",
    "/settings/data",
    "/account/confirm",
    "/cli",
    "/cli?code=BBBB-CCCC",
    "/cli?code={code}",
]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {"TASKBOARD_DATA": str(prepared_data(tmp_path_factory.mktemp("data"))), "TASKBOARD_LIMITS": "off"}


@pytest.fixture(scope="module")
def running(environment) -> Iterator[Running]:
    with serving(environment) as running:
        yield running


@pytest.fixture(scope="module")
def people(running, environment) -> Iterator[dict[str, Person]]:
    with settle(environment, running.url, "olga", "ed") as people:
        yield people


@pytest.fixture(scope="module")
def olga(people) -> Person:
    return people["olga"]


@pytest.fixture(scope="module")
def places(olga, people) -> dict[str, str]:
    board, ed = olga.new_board(), people["ed"]
    card = olga.new_card(board, description="# Why\n- [ ] this", dueDate="2026-12-01")
    flow = olga.script.post("/api/v1/cli/auth", json={"clientName": "laptop"}).json()
    olga.post(f"/board/{board['id']}/invitations", email="new@example.com", role="viewer")
    theirs = ed.new_board("Theirs")
    ed.post(f"/board/{theirs['id']}/invitations", email=olga.email, role="viewer")
    invitation = re.search(r'/invitation/([^"]+)"', olga.browser.get("/").text)
    assert invitation is not None
    places = {"board": board["url"], "card": card["url"], "code": flow["userCode"]}
    return {**places, "invitation": invitation[1]}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started_chromium() as browser:
        yield browser


@pytest.fixture(scope="module", params=[(360, "light"), (1280, "dark")], ids=["360-light", "1280-dark"])
def page(request, browser) -> Iterator[Page]:
    width, theme = request.param
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=theme, locale="en-GB")
    page.set_default_timeout(PATIENCE * 1000)
    yield page
    page.close()


def violations(page: Page, url: str) -> list[str]:
    answer = page.goto(url)
    assert answer is not None
    assert answer.status == (404 if "BBBB" in url else 200)
    return complaints(page)


def complaints(page: Page) -> list[str]:
    page.evaluate(Path(AXE).read_text())
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((found) => found.violations)")
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def test_a_violation_is_found(page, running):
    page.goto(running.url)
    page.evaluate("document.body.append(document.createElement('button'))")
    assert "button-name" in " ".join(complaints(page))


def test_no_page_is_wider_than_a_small_phone(browser, olga, places):
    page = browser.new_page(viewport={"width": 320, "height": 640}, base_url=olga.url)
    page.set_default_timeout(PATIENCE * 1000)
    wide = []
    for cookies, paths in (([], SIGNED_OUT), ([olga.session], SIGNED_IN)):
        page.context.add_cookies([{"name": "sessionid", "value": value, "url": olga.url} for value in cookies])
        for path in paths:
            page.goto(path.format(**places))
            wide += [path] if page.evaluate("document.documentElement.scrollWidth > innerWidth") else []
    page.close()
    assert wide == []


@pytest.mark.parametrize("path", SIGNED_OUT)
def test_a_public_page_has_no_violation(page, running, path):
    page.context.clear_cookies()
    assert violations(page, running.url + path) == []


@pytest.mark.parametrize("path", SIGNED_IN)
def test_a_page_for_signed_in_people_has_no_violation(page, olga, places, path):
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    assert violations(page, olga.url + path.format(**places)) == []


def waiting(user: User) -> EmailAddress:
    return EmailAddress.objects.create(user=user, email="new@example.com")


def reset_link(user: User) -> str:
    args = [user_pk_to_url_str(user), default_token_generator.make_token(user)]
    return reverse("account_reset_password_from_key", args=args)


LINKS = {
    "confirm an address": lambda: f"/account/email/{make_key(Purpose.CONFIRM, waiting(person('olga')))}",
    "stop a change": lambda: f"/account/email/stop/{make_key(Purpose.STOP, waiting(person('olga')))}",
    "set a new password": lambda: reset_link(person("olga")),
    "first account": lambda: urlsplit(make_link()).path,
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("link", LINKS)
def test_the_page_of_a_link_has_no_violation(page, live_server, link):
    page.context.clear_cookies()
    assert violations(page, live_server.url + LINKS[link]()) == []
    expect(page.locator("main form")).to_be_visible()


@pytest.mark.django_db(transaction=True)
def test_the_page_that_asks_for_the_password_again_has_no_violation(page, live_server, client):
    client.force_login(person("olga"))
    session = client.session
    session[CONFIRMED_AT] = 0
    session.save()
    page.context.add_cookies([{"name": "sessionid", "value": session.session_key, "url": live_server.url}])
    page.goto(f"{live_server.url}/settings/tokens")
    page.get_by_label("Name").fill("laptop")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("textbox", name="Password")).to_be_focused()
    assert complaints(page) == []
