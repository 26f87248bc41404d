"""The page of one's exports in Chromium: asked for, watched, downloaded, cancelled and deleted; and without scripts."""

import re
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from conftest import run_jobs
from exporter import kept
from exporter.models import Export, ExportState
from exporter.tests.conftest import checked, titles

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("storage"),
]
PAGE = "/settings/data"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def ask(page: Page) -> None:
    page.get_by_text("JSON: for programs").click()
    press(page, "Create export")
    expect(page.get_by_text("Waiting to start")).to_be_visible()


def file_of(page: Page) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    return Path(download.value.path()).read_bytes()


def test_an_export_appears_without_a_reload_and_is_downloaded(show, olga, board):
    page = show(PAGE, olga, wired="")
    ask(page)
    page.evaluate("() => { window.isTheSame = true }")
    run_jobs()
    expect(page.get_by_role("link", name="Download")).to_be_visible()
    expect(page.get_by_role("button", name="Create export")).to_be_visible()
    assert page.evaluate("() => window.isTheSame")
    assert titles(checked(file_of(page))["boards"]) == ["Launch"]
    press(page, "Delete taskboard-export")
    expect(page.get_by_text("The export was deleted.")).to_be_visible()
    expect(page.get_by_text("No exports yet")).to_be_visible()
    assert not Export.objects.exists()


def test_progress_is_written_while_a_button_keeps_the_focus(show, olga, board):
    export = kept.request_export(olga, form="json", board=board, request=None)
    page = show(PAGE, olga, wired="#export-panel")
    cancel = page.get_by_role("button", name="Cancel")
    Export.objects.filter(pk=export.pk).update(state=ExportState.RUNNING, cards=8, work=8, cards_done=2, work_done=2)
    expect(page.get_by_text("2 of 8 cards")).to_be_visible()
    cancel.focus()
    Export.objects.filter(pk=export.pk).update(cards_done=6, work_done=6)
    expect(page.get_by_text("6 of 8 cards")).to_be_visible()
    expect(page.get_by_role("progressbar", name="Progress")).to_have_js_property("value", 75)
    expect(cancel).to_be_focused()


def test_progress_goes_on_when_the_browser_shows_the_page_again_that_it_kept(show, olga, board):
    export = kept.request_export(olga, form="json", board=board, request=None)
    page = show(PAGE, olga, wired="#export-panel")
    for event in ("pagehide", "pageshow"):
        page.evaluate("name => dispatchEvent(new PageTransitionEvent(name, { persisted: true }))", event)
    Export.objects.filter(pk=export.pk).update(state=ExportState.RUNNING, cards=8, work=8, cards_done=2, work_done=2)
    expect(page.get_by_text("2 of 8 cards")).to_be_visible()


def test_an_export_that_is_being_made_is_cancelled(show, olga, board):
    page = show(PAGE, olga, wired="")
    ask(page)
    press(page, "Cancel")
    expect(page.get_by_text("The export was canceled.")).to_be_visible()
    expect(page.get_by_role("button", name="Create export")).to_be_visible()
    run_jobs()
    assert not Export.objects.kept().exists()


def test_what_is_cancelled_elsewhere_leaves_the_page(show, olga, board):
    export = kept.request_export(olga, form="json", board=board, request=None)
    page = show(PAGE, olga, wired="#export-panel")
    expect(page.locator(".export")).to_have_count(1)
    kept.cancel(olga, export.pk)
    expect(page.locator(".export")).to_have_count(0)
    expect(page.get_by_role("button", name="Create export")).to_be_visible()


def test_a_failed_export_says_why_and_is_dismissed(show, olga, board):
    export = kept.request_export(olga, form="json", board=board, request=None)
    page = show(PAGE, olga, wired="#export-panel")
    Export.objects.filter(pk=export.pk).update(state=ExportState.FAILED, problem="disk-full")
    expect(page.locator(".export").get_by_text("The disk of the service is full.")).to_be_visible()
    press(page, "Dismiss")
    expect(page.locator(".export")).to_have_count(0)


def test_what_has_become_of_an_export_is_read_out(show, olga, board):
    kept.request_export(olga, form="json", board=board, request=None)
    page = show(PAGE, olga, wired="#export-panel")
    run_jobs()
    expect(page.locator("body > .visually-hidden[role=status]")).to_have_text(re.compile("^Launch JSON: .*kept until"))


def test_a_page_whose_session_has_ended_asks_to_sign_in(show, olga, board):
    kept.request_export(olga, form="json", board=board, request=None)
    page = show(PAGE, olga, wired="#export-panel")
    Session.objects.all().delete()
    expect(page).to_have_url(re.compile(r"/sign-in\?next=/settings/data$"))


def test_a_board_links_to_the_page_with_itself_chosen(show, olga, board):
    page = show(board.get_absolute_url(), olga)
    path = page.locator(f"a[href='{PAGE}?board={board.pk}']").get_attribute("href")
    page.goto(path)
    expect(page.locator("#id_board")).to_have_value(str(board.pk))


@pytest.mark.parametrize("scripts", [True, False])
def test_a_csv_file_of_all_boards_is_refused_in_words(show, olga, board, scripts):
    page = show(PAGE, olga, scripts=scripts, wired="")
    page.get_by_text("CSV: the cards of one board").click()
    press(page, "Create export")
    expect(page.get_by_text("A CSV file has the cards of one board. Choose which.")).to_be_visible()
    assert not Export.objects.exists()


def test_without_scripts_an_export_is_made_downloaded_and_deleted(show, olga, board):
    page = show(PAGE, olga, scripts=False)
    ask(page)
    run_jobs()
    page.reload()
    assert titles(checked(file_of(page))["boards"]) == ["Launch"]
    press(page, "Delete taskboard-export")
    expect(page.get_by_text("No exports yet")).to_be_visible()
    ask(page)
    press(page, "Cancel")
    expect(page.get_by_text("The export was canceled.")).to_be_visible()
