"""The pages of an import in Chromium: sent with progress, read, imported, followed and taken back; and without scripts."""

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from boards.models import Membership
from conftest import run_jobs
from importer.models import Import, ImportState
from importer.tests.reading import FILES
from importer.tests.states import import_in
from taskboard.tests.interception import intercept

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "/settings/data/import"
FORM = "form[data-behaviour=upload]"
STATE = "#import-state"


@pytest.fixture
def at_the_form(show, olga) -> Page:
    return show(ADDRESS, olga, wired=FORM)


def choose(page: Page, content: bytes, name: str = "export.json") -> None:
    file = {"name": name, "mimeType": "application/json", "buffer": content}
    page.locator("input[type=file]").set_input_files([file])


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def boards_of(user) -> list[str]:
    return [*Membership.objects.filter(user=user).values_list("board__title", flat=True)]


def send_trello(page: Page) -> None:
    choose(page, (FILES / "trello.json").read_bytes(), "trello.json")
    press(page, "Continue")
    expect(page.get_by_role("heading", name="Import of trello.json")).to_be_visible()


def test_an_import_from_the_file_to_taking_it_back_without_a_reload(at_the_form, olga):
    page = at_the_form
    send_trello(page)
    expect(page.get_by_text("The file is being read.")).to_be_visible()
    page.evaluate("() => { window.isTheSame = true }")
    run_jobs()
    expect(page.get_by_role("heading", name="What will be imported")).to_be_visible()
    assert page.evaluate("() => window.isTheSame")
    assert boards_of(olga) == []

    press(page, "Import")
    expect(page.get_by_text(re.compile("0 of 4 cards imported"))).to_be_visible()
    page.evaluate("() => { window.isTheSame = true }")
    run_jobs()
    expect(page.get_by_text("The import is finished.")).to_be_visible()
    assert page.evaluate("() => window.isTheSame")
    [title] = boards_of(olga)
    page.get_by_role("link", name=title).click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()

    page.go_back()
    page.get_by_role("link", name="Undo import").click()
    expect(page.get_by_text("Nothing was changed since the import.")).to_be_visible()
    press(page, "Delete boards")
    expect(page.get_by_text("This import was undone.")).to_be_visible()
    run_jobs()
    assert boards_of(olga) == []


def test_how_much_of_a_file_has_gone_is_shown(at_the_form):
    page = at_the_form
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 100_000}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    choose(page, b"{" + b" " * 600_000 + b"}")
    press(page, "Continue")
    bar = page.get_by_role("progressbar", name="Upload")
    expect(bar).to_be_visible()
    expect(page.get_by_role("button", name="Continue")).to_be_disabled()
    page.wait_for_function(
        "() => { const { value } = document.querySelector('progress'); return value > 0.1 && value < 0.95 }"
    )
    expect(page.get_by_role("alert")).to_contain_text("This file was not recognized.")
    expect(bar).to_be_hidden()


def test_a_file_that_is_on_its_way_can_be_cancelled_and_sent_again(at_the_form, olga):
    page = at_the_form
    intercept(page, f"**{ADDRESS}", lambda route: None, times=1)
    choose(page, (FILES / "trello.json").read_bytes(), "trello.json")
    press(page, "Continue")
    press(page, "Cancel")
    expect(page.locator("progress")).to_be_hidden()
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
    expect(page.get_by_role("button", name="Continue")).to_be_focused()
    assert not Import.objects.exists()
    press(page, "Continue")
    expect(page.get_by_role("heading", name="Import of trello.json")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_report_comes_before_the_key_and_is_updated_with_it(show, olga, scripts):
    page = show(import_in(ImportState.REPORTED, olga).get_absolute_url(), olga, scripts=scripts, wired="")
    expect(page.get_by_role("heading", name="What will be imported")).to_be_visible()
    page.get_by_label("Mia Weiß").select_option("Me")
    page.get_by_label("Trello API key").fill("abc")
    page.get_by_label("Trello API key").press("Enter")
    expect(page.get_by_text("The file is being read.")).to_be_visible()
    run_jobs()
    page.reload()
    expect(page.get_by_label("Trello API key")).to_have_value("abc")
    expect(page.get_by_label("Mia Weiß").locator("option:checked")).to_have_text("Me")
    assert boards_of(olga) == []


@pytest.mark.parametrize("scripts", [True, False])
def test_a_refused_file_shows_its_sentence_and_another_can_be_chosen(show, olga, scripts):
    page = show(ADDRESS, olga, scripts=scripts, wired=FORM)
    choose(page, b"{}")
    press(page, "Continue")
    expect(page.get_by_role("alert")).to_contain_text("This file was not recognized.")
    choose(page, (FILES / "trello.json").read_bytes(), "trello.json")
    press(page, "Continue")
    expect(page.get_by_role("heading", name="Import of trello.json")).to_be_visible()


def test_a_file_that_is_too_large_is_not_sent(at_the_form, settings):
    page = at_the_form
    page.locator("input[type=file]").evaluate("(field) => { field.dataset.most = 5 }")
    choose(page, b"123456")
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    press(page, "Continue")
    said = page.locator("input[type=file]").evaluate("(field) => field.validationMessage")
    assert said.startswith("At most")
    assert sent == []


def test_an_answer_without_a_page_is_shown_as_the_browser_shows_it(at_the_form):
    page = at_the_form
    intercept(page, f"**{ADDRESS}", lambda route: route.fulfill(status=413, content_type="text/plain", body="Too much"))
    choose(page, b"{}")
    press(page, "Continue")
    expect(page.locator("body")).to_have_text("Too much")


def test_a_key_that_is_not_needed_says_so(show, olga):
    page = show(import_in(ImportState.REPORTED, olga).get_absolute_url(), olga, wired="")
    expect(page.get_by_label("Trello API key (optional)")).to_be_visible()
    expect(page.get_by_label("Trello token (optional)")).to_be_visible()


def test_progress_is_shown_and_the_focus_stays_where_it_is(show, olga):
    row = import_in(ImportState.RUNNING, olga)
    Import.objects.filter(pk=row.pk).update(state=ImportState.WAITING, progress=0)
    page = show(row.get_absolute_url(), olga, wired=STATE)
    cancel = page.get_by_role("button", name="Cancel import")
    cancel.focus()
    Import.objects.filter(pk=row.pk).update(state=ImportState.RUNNING, progress=3)
    expect(page.get_by_text("3 of 4 cards imported.")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_js_property("value", 3)
    expect(cancel).to_be_focused()
    Import.objects.filter(pk=row.pk).update(state=ImportState.FAILED, error="Line 3 is broken.")
    expect(page.get_by_role("alert")).to_contain_text("Line 3 is broken.")
    expect(page.get_by_role("heading", name="Import of trello.json")).to_be_focused()


def test_somebody_elsewhere_on_the_page_keeps_the_focus_when_it_ends(show, olga):
    row = import_in(ImportState.READING, olga)
    page = show(row.get_absolute_url(), olga, wired=STATE)
    link = page.get_by_role("link", name="Profile")
    link.focus()
    Import.objects.filter(pk=row.pk).update(state=ImportState.REPORTED)
    expect(page.get_by_role("heading", name="What will be imported")).to_be_visible()
    expect(link).to_be_focused()


def test_a_page_whose_session_has_ended_asks_to_sign_in(show, olga):
    row = import_in(ImportState.READING, olga)
    page = show(row.get_absolute_url(), olga, wired=STATE)
    Session.objects.all().delete()
    expect(page).to_have_url(re.compile(rf"/sign-in\?next={row.get_absolute_url()}$"))


def test_a_page_whose_import_is_gone_says_so(show, olga):
    row = import_in(ImportState.READING, olga)
    page = show(row.get_absolute_url(), olga, wired=STATE)
    row.delete()
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()


def test_an_import_that_is_being_read_can_be_cancelled(show, olga):
    row = import_in(ImportState.READING, olga)
    page = show(row.get_absolute_url(), olga, wired=STATE)
    press(page, "Cancel import")
    expect(page.get_by_text("Import canceled.")).to_be_visible()
    row.refresh_from_db()
    assert row.state == ImportState.CANCELLED


def test_without_scripts_an_import_goes_from_the_file_to_taking_it_back(show, olga):
    page = show(ADDRESS, olga, scripts=False)
    further = page.get_by_role("link", name="Show progress")
    send_trello(page)
    expect(further).to_be_visible()
    run_jobs()
    further.click()
    press(page, "Import")
    expect(page.get_by_text(re.compile("0 of 4 cards imported"))).to_be_visible()
    run_jobs()
    further.click()
    expect(page.get_by_text("The import is finished.")).to_be_visible()
    assert len(boards_of(olga)) == 1
    page.get_by_role("link", name="Undo import").click()
    press(page, "Delete boards")
    run_jobs()
    assert boards_of(olga) == []
