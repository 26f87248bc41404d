"""The readable reference, in a browser, under the Content-Security-Policy that every page has."""

import pytest

from apiv1.tests.calls import token_of


@pytest.fixture
def token(base_url, olga):
    return token_of(olga)


@pytest.fixture
def page(base_url, chrome):
    page = chrome.new_page(base_url=base_url)
    page.set_default_timeout(30_000)
    yield page
    page.close()


def test_the_policy_allows_nothing_inline(anyone):
    policy = anyone.get("/api/docs").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_page_around_it_is_in_the_readers_language_with_a_way_back(anyone):
    html = anyone.get("/api/docs", headers={"Accept-Language": "de"}).text
    assert '<html lang="de"' in html
    assert '<main id="main" tabindex="-1" lang="en">' in html
    assert '<a class="brand" href="/">' in html
    assert "<title>API" in html


def test_the_page_shows_who_is_signed_in(olga, client):
    client.force_login(olga)
    html = client.get("/api/docs").content.decode()
    assert olga.email in html
    assert "/sign-in" not in html


def test_it_can_be_reached_from_the_tokens_page_and_from_the_footer(olga, client):
    assert 'href="/api/docs"' in client.get("/sign-in").content.decode()
    client.force_login(olga)
    assert 'href="/api/docs"' in client.get("/settings/tokens").content.decode()


@pytest.mark.parametrize("theme, lightness", [("light", range(200, 256)), ("dark", range(60))])
def test_the_reference_follows_the_theme(base_url, chrome, theme, lightness):
    page = chrome.new_page(base_url=base_url, color_scheme=theme, reduced_motion="reduce")
    page.goto("/api/docs")
    page.locator(".opblock").first.wait_for()
    *colour, opacity = page.evaluate(
        """() => {
            const pen = document.createElement("canvas").getContext("2d")
            pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor
            pen.fillRect(0, 0, 1, 1)
            return [...pen.getImageData(0, 0, 1, 1).data]
        }"""
    )
    assert opacity == 255
    assert set(colour) <= set(lightness)
    page.close()


def test_the_reference_shows_every_call_and_violates_no_policy(page):
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto("/api/docs")
    page.locator(".opblock").first.wait_for()
    shown = page.locator(".opblock-summary").all_inner_texts()
    assert sorted(" ".join(text.split()[:2]) for text in shown) == [
        "DELETE /api/v1/token",
        "DELETE /api/v1/tokens/current",
        "GET /api/export",
        "GET /api/v1/boards",
        "GET /api/v1/me",
        "GET /api/v1/tokens/current",
        "PATCH /api/v1/tokens/current",
        "POST /api/v1/boards",
        "POST /api/v1/cards",
        "POST /api/v1/cli/auth",
        "POST /api/v1/cli/auth/token",
    ]
    assert complaints == []


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
