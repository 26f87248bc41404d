"""The saved filters of *My work* in Chromium."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import WorkFilter
from accounts.work_filters import save_filter
from taskboard.tests.axe import complaints_in_both_themes
from taskboard.tests.waiting import wait_on_page
from web.tests.looking import box

pytestmark = pytest.mark.django_db(transaction=True)


def opened(page: Page) -> Page:
    page.locator(".filter-menu > summary").click()
    return page


def test_filters_are_saved_renamed_deleted_and_restored_without_leaving_the_page(show, ed):
    page = opened(show("/my?by=board", ed))
    page.evaluate("window.isSame = true")
    page.get_by_text("Save filter…").click()
    page.get_by_label("Filter name").fill("Mine")
    page.keyboard.press("Enter")
    saved = page.locator(".filter-menu .apply")
    expect(saved).to_have_text("Mine")
    expect(saved).to_have_attribute("aria-current", "true")
    expect(page.get_by_label("Filter name").last).to_be_hidden()
    page.get_by_label("delete filter Mine").click()
    field = page.get_by_label("Filter name").first
    field.fill("Boards first")
    field.press("Enter")
    expect(saved).to_have_text("Boards first")
    page.get_by_label("delete filter Boards first").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(saved).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("“Boards first” was restored")
    assert page.evaluate("window.isSame")
    assert [*WorkFilter.objects.values_list("name", "query")] == [("Boards first", "which=assigned&by=board")]
    page.goto("/my")
    opened(page)
    saved.click()
    page.wait_for_url("**/my?which=assigned&by=board")


def test_the_name_of_a_filter_is_typed_at_once_and_enter_saves_it(show, ed):
    page = opened(show("/my?which=created", ed))
    page.locator(".save-filter > summary").focus()
    for key in ("Enter", *"Mine", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".filter-menu .apply")).to_have_text("Mine")


def test_a_refusal_stands_beside_its_field_and_the_name_stays(show, ed):
    save_filter(ed, "Mine", "which=created&by=due")
    page = opened(show("/my", ed))
    page.get_by_text("Save filter…").click()
    field = page.locator("#filter-name")
    field.fill("MINE")
    for _time in range(2):
        field.press("Enter")
        expect(page.locator(".save-filter .refusal")).to_have_text(
            "You already have a filter named “Mine”. Choose another name, or replace that one."
        )
        expect(field).to_have_value("MINE")
        expect(field).to_be_focused()


def test_without_scripts_a_filter_is_saved_opened_and_deleted(show, ed):
    page = opened(show("/my?which=created", ed, scripts=False))
    page.get_by_text("Save filter…").click()
    page.locator("#filter-name").fill("Mine")
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto("/my")
    opened(page)
    page.get_by_role("link", name="Mine", exact=True).click()
    expect(page.locator('.which [aria-current="page"]')).to_have_text("Created by me")
    opened(page)
    page.locator(".filter-menu li summary").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    wait_on_page(page, lambda: not WorkFilter.objects.exists(), lambda: "the filter is still there")


@pytest.mark.parametrize("width", [1440, 768, 390])
def test_the_menu_fits_and_is_accessible(show, ed, axe, width):
    save_filter(ed, "Write " * 10, "which=created&by=due")
    page = opened(show("/my", ed, width=width))
    page.locator(".filter-menu li summary").click()
    page.get_by_text("Save filter…").click()
    menu = box(page.locator(".filter-menu > .items"))
    assert menu["left"] >= 0
    assert menu["right"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints_in_both_themes(page) == []
