"""The scripts of the account pages, in Chromium."""

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from accounts.models import User
from conftest import person
from core.files.pictures import MOST_BYTES
from taskboard.tests.browsers import give_back, lend_context, open_tab
from taskboard.tests.interception import intercept

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tab(chrome, live_server) -> Iterator[Page]:
    context = lend_context(chrome, live_server.url, reduced_motion="reduce")
    yield open_tab(context)
    give_back(context)


def test_a_password_that_is_shown_is_hidden_when_it_is_sent(tab):
    """Browsers may store the text of a field that is not a password field."""
    tab.goto("/sign-in")
    tab.locator("#id_login").fill("olga@example.com")
    field = tab.locator("#id_password")
    field.fill("correct horse")
    tab.get_by_label("Show password").click()
    expect(field).to_have_attribute("type", "text")
    intercept(tab, "**/sign-in", lambda route: route.fulfill(status=204))  # the browser then stays on the page
    tab.get_by_role("button", name="Sign in", exact=True).click()
    expect(field).to_have_attribute("type", "password")


def test_reloading_the_answer_that_shows_a_new_token_creates_no_other(tab, page, live_server, olga):
    tab.context.add_cookies([{"name": "sessionid", "value": page.cookies["sessionid"].value, "url": live_server.url}])
    tab.goto("/settings/tokens")
    tab.get_by_label("Name").fill("laptop")
    tab.get_by_role("button", name="Create token").click()
    expect(tab.locator("#token-value")).to_be_visible()
    tab.reload()
    expect(tab.get_by_role("alert")).to_contain_text("This form was already sent")
    expect(tab.locator("#token-value")).to_have_count(0)
    assert olga.tokens.count() == 1


def test_typing_into_the_time_zone_starts_a_new_search(tab, page, live_server, olga):
    tab.context.add_cookies([{"name": "sessionid", "value": page.cookies["sessionid"].value, "url": live_server.url}])
    tab.goto("/settings/profile")
    field = tab.get_by_label("Time zone")
    expect(field).to_have_attribute("data-wired", "")
    field.focus()
    tab.keyboard.type("tokyo")
    expect(field).to_have_value("tokyo")
    tab.get_by_role("button", name="Save").click()
    expect(field).to_have_value("Asia/Tokyo (UTC+9)")


def test_a_theme_and_a_density_are_shown_as_soon_as_they_are_chosen(tab, page, live_server, olga):
    tab.context.add_cookies([{"name": "sessionid", "value": page.cookies["sessionid"].value, "url": live_server.url}])
    tab.goto("/settings/profile")
    root = tab.locator("html")
    expect(root).to_have_attribute("data-theme", "system")
    tab.get_by_label("Dark").check()
    expect(root).to_have_attribute("data-theme", "dark")
    tab.get_by_label("Compact").check()
    expect(root).to_have_attribute("data-density", "compact")
    olga.refresh_from_db()
    assert (olga.theme, olga.density) == ("system", "comfortable")


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_admins_list_of_accounts_shows_plan_and_state_without_scrolling(tab, live_server, client, otto, width):
    person("a-very-long-address-of-somebody-with-many-names", plan_id="pro")
    User.objects.filter(plan="pro").update(name="Maximiliane Wilhelmina Augusta von und zu " * 2)
    client.force_login(otto)
    tab.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    tab.set_viewport_size({"width": width, "height": 800})
    tab.goto("/admin/accounts/user/")
    row = tab.locator("#result_list tbody tr").first
    visible = tab.locator("#changelist-form .results").bounding_box()
    for field in ("plan", "is_active"):
        cell = row.locator(f".field-{field}").bounding_box()
        assert cell["x"] + cell["width"] <= visible["x"] + visible["width"]


def test_a_picture_that_is_too_large_is_told_before_it_is_sent_and_another_is_shown(
    tab, page, live_server, olga, settings, tmp_path
):
    backend = settings.STORAGES["default"]["BACKEND"]
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend, "OPTIONS": {"location": str(tmp_path)}}}
    tab.context.add_cookies([{"name": "sessionid", "value": page.cookies["sessionid"].value, "url": live_server.url}])
    tab.goto("/settings/profile")
    field = tab.get_by_label("Choose a picture")
    expect(field).to_have_attribute("data-wired", "")
    photo = BytesIO()
    Image.new("RGB", (300, 200), "red").save(photo, "JPEG")
    small = {"name": "me.jpg", "mimeType": "image/jpeg", "buffer": photo.getvalue()}
    field.set_input_files({**small, "buffer": bytes(MOST_BYTES + 1)})
    assert (
        field.evaluate("field => field.validationMessage")
        == "This file is larger than 10 MB. Choose a smaller picture."
    )
    field.set_input_files(small)
    assert field.evaluate("field => field.validationMessage") == ""
    tab.get_by_role("button", name="Upload picture").click()
    expect(tab.get_by_role("button", name="Remove picture")).to_be_visible()
    face = tab.locator("main .avatar img")
    face.scroll_into_view_if_needed()
    expect(face).to_have_js_property("naturalWidth", 256)
