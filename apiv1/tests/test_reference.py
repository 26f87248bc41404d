"""The readable reference, in a browser, under the Content-Security-Policy that every page has."""

import pytest

from apiv1.tests.calls import token_of
from taskboard.tests.browsers import started_chromium


@pytest.fixture
def token(base_url, olga):
    return token_of(olga)


@pytest.fixture(scope="module")
def browser():
    with started_chromium() as browser:
        yield browser


@pytest.fixture
def page(base_url, browser):
    page = browser.new_page(base_url=base_url)
    page.set_default_timeout(30_000)
    yield page
    page.close()


def test_the_policy_allows_nothing_inline(anyone):
    policy = anyone.get("/api/docs").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.browser
def test_the_reference_shows_every_call_and_violates_no_policy(page):
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto("/api/docs")
    page.locator(".opblock").first.wait_for()
    shown = page.locator(".opblock-summary").all_inner_texts()
    assert sorted(" ".join(text.split()[:2]) for text in shown) == [
        "DELETE /api/v1/token",
        "GET /api/export",
        "GET /api/v1/boards",
        "GET /api/v1/me",
        "POST /api/v1/boards",
        "POST /api/v1/cards",
        "POST /api/v1/cli/auth",
        "POST /api/v1/cli/auth/token",
    ]
    assert complaints == []


@pytest.mark.browser
def test_a_call_can_be_tried_from_the_reference(token, page):
    page.goto("/api/docs")
    page.get_by_role("button", name="Authorize").click()
    bearer = page.locator("form", has=page.locator("#auth-bearer-value"))
    bearer.locator("input").fill(token)
    bearer.get_by_role("button", name="Apply credentials").click()
    page.get_by_role("button", name="Close").first.click()
    page.get_by_text("Get the owner of the token").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    answer = page.locator(".live-responses-table .response-col_description .microlight").first
    assert "olga@example.com" in answer.inner_text()
