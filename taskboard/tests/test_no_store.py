"""No browser and no proxy keeps what is for one account only."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from accounts.tokens import create_token


@pytest.mark.parametrize(
    "path",
    ["/", "/board/{board}", "/board/{board}/members", "/board/{board}/activity", "/board/{board}/archive"]
    + ["/board/{board}/settings", "/board/{board}/deletion", "/boards/new", "/card/{card}", "/settings/profile"]
    + ["/settings/password", "/settings/email", "/settings/tokens", "/cli", "/nowhere", "/admin/", "/sign-out"],
)
def test_pages_of_signed_in_people_are_not_kept_nor_are_refusals(client, olga, board, card, path):
    client.force_login(olga)
    answer = client.get(path.format(board=board.pk, card=card.pk))
    assert answer.status_code in (200, 302, 403, 404)
    assert "no-store" in answer["Cache-Control"]


def test_the_answer_that_signs_in_or_out_is_not_kept(client, olga):
    signed_in = client.post("/sign-in", {"login": olga.email, "password": "correct horse"})
    assert "no-store" in signed_in["Cache-Control"]
    assert "no-store" in client.post("/sign-out")["Cache-Control"]


@pytest.mark.parametrize("path", ["/api/v1/me", "/api/v1/boards", "/api/v1/nowhere", "/api/export"])
def test_answers_of_the_api_are_not_kept(client, olga, path):
    _token, value = create_token(olga, "laptop")
    with closing(client.get(path, headers={"Authorization": f"Bearer {value}"})) as answer:
        assert "no-store" in answer["Cache-Control"]
    assert "no-store" in client.get(path)["Cache-Control"]


def test_answers_to_agents_are_not_kept(client, olga):
    _token, value = create_token(olga, "laptop")
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    answer = client.post("/api/v1/mcp", body, "application/json", headers={"Authorization": f"Bearer {value}"})
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")


def test_what_is_for_everybody_may_be_kept(client, db):
    assert "no-store" not in client.get("/nowhere").headers.get("Cache-Control", "")


@pytest.fixture
def tab(chrome, live_server, client, olga) -> Iterator[Page]:
    client.force_login(olga)
    context = chrome.new_context(base_url=live_server.url)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    yield context.new_page()
    context.close()


@pytest.mark.django_db(transaction=True)
def test_back_and_forward_lead_to_the_pages_and_after_signing_out_to_none(tab, board):
    tab.goto(f"/board/{board.pk}")
    tab.goto("/settings/profile")
    tab.go_back()
    expect(tab).to_have_title("Launch · Taskboard")
    tab.go_forward()
    expect(tab.locator("h1")).to_have_text("Profile")
    tab.goto("/sign-out")
    tab.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(tab.get_by_text("You are signed out.")).to_be_visible()
    tab.go_back()
    tab.go_back()
    expect(tab.locator("h1")).to_have_text("Sign in")
