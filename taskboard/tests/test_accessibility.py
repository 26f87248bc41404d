"""axe finds nothing wrong with any page, in light and dark mode, on phones and on desktops."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from taskboard.tests.browsers import started_chromium
from taskboard.tests.needs import AXE
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PATIENCE, Running, serving

pytestmark = [pytest.mark.browser, pytest.mark.axe]

SIGNED_OUT = ["/", "/sign-in", "/sign-up", "/password/reset"]
SIGNED_IN = [
    "/",
    "/boards/new",
    "{board}",
    "{board}/members",
    "{board}/settings",
    "{board}/archive",
    "{board}/activity",
    "{card}",
    "/settings/profile",
    "/settings/password",
    "/settings/email",
    "/settings/tokens",
    "/settings/data",
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
def olga(running, environment) -> Iterator[Person]:
    with settle(environment, running.url, "olga") as people:
        yield people["olga"]


@pytest.fixture(scope="module")
def places(olga) -> dict[str, str]:
    board = olga.new_board()
    card = olga.new_card(board, description="# Why\n- [ ] this", dueDate="2026-12-01")
    flow = olga.script.post("/api/v1/cli/auth", json={"clientName": "laptop"}).json()
    return {"board": board["url"], "card": card["url"], "code": flow["userCode"]}


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


@pytest.mark.parametrize("path", SIGNED_OUT)
def test_a_public_page_has_no_violation(page, running, path):
    page.context.clear_cookies()
    assert violations(page, running.url + path) == []


@pytest.mark.parametrize("path", SIGNED_IN)
def test_a_page_for_signed_in_people_has_no_violation(page, olga, places, path):
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    assert violations(page, olga.url + path.format(**places)) == []
