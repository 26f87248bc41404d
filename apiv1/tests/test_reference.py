"""The readable reference, in a browser, under the Content-Security-Policy that every page has."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from apiv1.readable import reference
from apiv1.tests.calls import token_of
from boards.models import Card
from taskboard.tests.axe import complaints_in_both_themes
from taskboard.tests.browsers import wait_until_wired


@pytest.fixture
def token(base_url, olga):
    return token_of(olga)


@pytest.fixture
def page(base_url, chrome):
    page = chrome.new_page(base_url=base_url, reduced_motion="reduce", locale="en-GB")
    page.set_default_timeout(30_000)
    yield page
    page.close()


def opened(page, call):
    """Open the reference at a call, and return what belongs to it."""
    page.goto(f"/api/docs#{call}")
    wait_until_wired(page, ".reference")
    page.locator(f"#{call} .try").wait_for()
    return page.locator(f"#{call}")


def test_the_policy_allows_nothing_inline(anyone):
    policy = anyone.get("/api/docs").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_page_around_it_is_in_the_readers_language_with_a_way_back(anyone):
    html = anyone.get("/api/docs", headers={"Accept-Language": "de"}).text
    assert '<html lang="de"' in html
    assert '<details class="call" lang="en">' in html
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


def test_every_call_is_there_with_its_sentence_and_an_example(anyone):
    html = anyone.get("/api/docs").text
    operations = [
        (method.upper(), path, operation)
        for path, methods in anyone.get("/api/v1/openapi.json").json()["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(operations) == sum(len(noun.calls) for noun in reference().nouns) > 60
    for method, path, operation in operations:
        assert f'id="{operation["operationId"]}" data-method="{method}" data-path="{path}"' in html
        assert f"<h3>{operation['summary']}</h3>" in html
        assert f"curl -X {method}" in html


def test_every_shape_that_is_named_is_there(anyone):
    shapes = {shape.name for shape in reference().shapes}
    calls = [call for noun in reference().nouns for call in noun.calls]
    fields = [field for call in calls for part in (call.parameters, call.body) for field in part]
    fields += [field for call in calls for answer in call.answers for field in answer.fields]
    fields += [field for shape in reference().shapes for field in shape.fields]
    named = {field.kind.split('href="#')[1].split('"')[0] for field in fields if "href" in field.kind}
    assert named == shapes


def test_the_reference_can_be_read_without_scripts(base_url, chrome):
    page = chrome.new_page(base_url=base_url, java_script_enabled=False)
    page.goto("/api/docs#updateCard")
    expect(page.locator("#updateCard")).to_contain_text("The ETag of the version that you know.")
    expect(page.locator("#updateCard pre")).to_contain_text("curl -X PATCH")
    expect(page.get_by_label("API token for trying requests")).to_be_hidden()
    page.close()


def test_the_reference_violates_no_policy(page):
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    opened(page, "createCard")
    assert complaints == []


def test_axe_finds_nothing_in_an_open_call(axe, page):
    opened(page, "listBoardCards")
    page.locator(".contents summary").first.click()
    assert complaints_in_both_themes(page) == []


def test_axe_finds_nothing_on_a_phone(axe, page):
    page.set_viewport_size({"width": 360, "height": 800})
    opened(page, "attachFile")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert complaints_in_both_themes(page) == []


def test_the_reference_follows_the_theme(page):
    opened(page, "me")
    surfaces = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        surfaces.append(page.locator(".call").first.evaluate("call => getComputedStyle(call).backgroundColor"))
    assert len(set(surfaces)) == 2


def test_a_link_of_the_contents_opens_its_call_again(page):
    call = opened(page, "me")
    page.locator(".call", has=call).locator("summary").click()
    expect(call).to_be_hidden()
    page.locator(".contents details", has=page.locator('[href="#me"]')).locator("summary").click()
    page.locator('.contents [href="#me"]').click()
    expect(call).to_be_visible()


def test_a_call_can_be_tried_with_a_token(page, token):
    call = opened(page, "me")
    page.get_by_label("API token for trying requests").fill(f" {token} ")
    call.get_by_role("button", name="Send request").click()
    expect(call.get_by_role("status")).to_have_text("200 OK")
    expect(call.get_by_role("region", name="Response")).to_contain_text('"email": "olga@example.com"')
    expect(call.locator("dl.try-headers")).to_contain_text("RateLimit-Remaining")


def test_a_call_is_sent_with_its_ids_parameters_headers_and_body(page, token, card: Card):
    call = opened(page, "updateCard")
    page.get_by_label("API token for trying requests").fill(token)
    call.get_by_label("card_id").fill(str(card.pk))
    call.get_by_label("If-Match").fill(f'"{card.version}"')
    call.get_by_role("textbox", name="Body").fill('{"title": "From the reference"}')
    call.get_by_role("button", name="Send request").click()
    expect(call.get_by_role("status")).to_have_text("200 OK")
    assert Card.objects.get(pk=card.pk).title == "From the reference"


def test_several_values_of_a_parameter_are_separated_by_commas(page, token, board):
    call = opened(page, "listBoardCards")
    call.get_by_label("board_id").fill(str(board.pk))
    call.get_by_label("status").fill("done, archived")
    with page.expect_request("**/api/v1/boards/**") as asked:
        call.get_by_role("button", name="Send request").click()
    assert parse_qs(urlsplit(asked.value.url).query) == {"status": ["done", "archived"]}


def test_a_file_can_be_sent(page, token, card: Card):
    call = opened(page, "attachFile")
    page.get_by_label("API token for trying requests").fill(token)
    call.get_by_label("card_id").fill(str(card.pk))
    call.get_by_label("File").set_input_files({"name": "seeds.txt", "mimeType": "text/plain", "buffer": b"tomatoes"})
    call.get_by_role("button", name="Send request").click()
    expect(call.get_by_role("status")).to_have_text("201 Created")
    assert card.attachments.get().file_name == "seeds.txt"


def test_a_call_without_an_id_that_its_path_needs_is_not_sent(page, token):
    asked = []
    call = opened(page, "deleteCard")
    page.on("request", lambda request: asked.append(request.url))
    call.get_by_role("button", name="Send request").click()
    expect(call.get_by_label("card_id")).to_be_focused()
    assert asked == []


def test_the_return_key_sends_nothing(page, token):
    asked = []
    call = opened(page, "deleteCard")
    page.on("request", lambda request: asked.append(request.url))
    call.get_by_label("card_id").fill("01938f5e-7b1a-7c3d-8e4f-0123456789ab")
    call.get_by_label("card_id").press("Enter")
    call.get_by_role("button", name="Send request").click()
    expect(call.get_by_role("status")).to_have_text("401 Unauthorized")
    assert len(asked) == 1


def test_a_call_is_made_by_the_token_alone_and_not_by_the_session(page, client, olga, base_url):
    client.force_login(olga)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": base_url}])
    call = opened(page, "export")
    call.get_by_role("button", name="Send request").click()
    expect(call.get_by_role("status")).to_have_text("401 Unauthorized")


def test_the_token_is_kept_nowhere(page, token):
    call = opened(page, "me")
    page.get_by_label("API token for trying requests").fill(token)
    call.get_by_role("button", name="Send request").click()
    expect(call.get_by_role("status")).to_have_text("200 OK")
    kept = page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])")
    assert token not in kept
    page.reload()
    expect(page.get_by_label("API token for trying requests")).to_have_value("")


def test_a_call_without_an_answer_says_so(page):
    call = opened(page, "me")
    page.context.set_offline(True)
    call.get_by_role("button", name="Send request").click()
    expect(call.get_by_role("status")).to_contain_text("No response.")
