"""The scripts of a board, in Chromium. The tests play the server's end of the socket."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from boards.actions.boards.board import create_board, update_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card, delete_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list, rename_list
from boards.actions.ordering import TOP
from boards.actions.people.handover import offer_board, withdraw_offer
from boards.actions.people.members import change_role
from boards.models import Board, Card, Comment, List
from boards.reading.pending import offer_of
from boards.richtext import to_markdown
from boards.statements import read_members
from conftest import web
from taskboard.tests.interception import intercept
from web.fragments import render_members
from web.tests.held import A_CARD, Held
from web.tests.looking import box
from web.tests.open_board import OpenBoard, fragment

pytestmark = pytest.mark.django_db(transaction=True)

BUSY = {
    "status": 503,
    "headers": {"X-Answer": "fragments"},
    "body": '<p class="refusal">The service can’t reach its database right now.</p>',
}


def quick_add(shown: OpenBoard, row: List):
    shown.list(row).get_by_text("Add card").click()
    return shown.list(row).locator("textarea[name^=new-]")


def test_quick_add_by_enter_stays_open_for_the_next(opened, ed, todo, doing):
    shown = opened(ed)
    field = quick_add(shown, todo)
    for title in ("One", "Two", "Three"):
        field.fill(title)
        field.press("Enter")
    expect(shown.list(todo).locator(".card .title")).to_have_text(
        [re.compile(title) for title in ("One", "Two", "Three")]
    )
    expect(shown.list(todo).locator(".count")).to_have_text("3")
    expect(field).to_be_focused()
    expect(field).to_have_value("")


def test_forms_are_sent_one_after_another(opened, ed, todo):
    shown = opened(ed)
    held = Held(shown.page, "**/cards")
    field = quick_add(shown, todo)
    titles = ("One", "Two", "Three")
    for title in titles:
        field.fill(title)
        field.press("Enter")
    for number in range(3):
        held.wait_for(1)
        expect(shown.list(todo).locator(".card")).to_have_count(number)
        assert len(held) == 1
        held.let_on()
    expect(shown.list(todo).locator(".card .title")).to_have_text([re.compile(title) for title in titles])


def test_a_refused_card_comes_back_into_its_field_with_the_reason(opened, ed, todo):
    shown = opened(ed)
    field = quick_add(shown, todo)
    field.fill("x" * 501)
    field.press("Enter")
    expect(shown.list(todo).locator(".refusal")).to_have_text(
        "Title must have at most 500 characters; this one has 501."
    )
    expect(field).to_have_value("x" * 501)
    field.press("Backspace")
    expect(shown.list(todo).locator(".refusal")).to_have_count(0)
    field.press("Enter")
    expect(shown.list(todo).locator(".card")).to_have_count(1)


def test_a_card_that_does_not_reach_the_server_is_not_lost(opened, ed, todo):
    shown = opened(ed)
    field = quick_add(shown, todo)
    intercept(shown.page, "**/cards", lambda route: route.abort())
    field.fill("Precious")
    field.press("Enter")
    expect(shown.list(todo).locator(".refusal")).to_contain_text("Check your connection")
    expect(field).to_have_value("Precious")


def test_a_list_is_renamed_in_place_and_escape_leaves_it(opened, ed, todo):
    shown = opened(ed)
    heading = shown.list(todo).locator("h2")
    field = shown.list(todo).get_by_label("List title")
    heading.click()
    field.fill("Later")
    field.press("Escape")
    expect(heading).to_have_text("To do")
    heading.click()
    expect(field).to_have_value("To do")
    field.fill("Next")
    field.press("Enter")
    expect(heading).to_have_text("Next")
    expect(field).to_be_hidden()


def test_a_list_is_renamed_by_its_menu_and_its_form_is_gone_afterwards(opened, ed, todo):
    shown = opened(ed)
    shown.list(todo).get_by_label("Menu for list").click()
    shown.list(todo).get_by_text("Rename list").click()
    field = shown.list(todo).get_by_label("List title")
    expect(field).to_be_focused()
    field.press("Escape")
    expect(shown.list(todo).locator(".edit")).to_have_count(0)
    expect(shown.list(todo).get_by_label("Menu for list")).to_be_focused()


def test_lists_are_moved_and_archived_by_their_menus(opened, ed, board, todo, doing, card):
    shown = opened(ed)
    shown.list(doing).get_by_label("Menu for list").click()
    shown.list(doing).get_by_text("Move left").click()
    expect(shown.page.locator(".list h2")).to_have_text(["Doing", "To do"])
    expect(shown.list(doing).get_by_label("Menu for list")).to_be_focused()
    expect(shown.list(doing).get_by_text("Move left")).to_be_hidden()
    shown.list(todo).get_by_label("Menu for list").click()
    shown.list(todo).get_by_text("Archive list").click()
    expect(shown.list(todo)).to_have_count(0)
    shown.page.locator(".toast").get_by_text("Undo").click()
    expect(shown.list(todo).locator(".card")).to_have_count(1)


def test_all_cards_of_a_list_are_moved_and_archived_by_its_menu(opened, ed, todo, doing, card, olga):
    create_card(actor=web(olga), list_id=todo.pk, title="Second")
    shown = opened(ed)
    shown.list(todo).get_by_label("Menu for list").click()
    shown.list(todo).get_by_text("Move all cards to…").click()
    expect(shown.list(todo).get_by_label("Move all cards to…")).to_be_focused()
    shown.list(todo).get_by_role("button", name="Move", exact=True).click()
    expect(shown.list(doing).locator(".card .title")).to_have_text([re.compile(card.title), re.compile("Second")])
    expect(shown.list(todo).get_by_label("Menu for list")).to_be_focused()
    shown.list(doing).get_by_label("Menu for list").click()
    shown.list(doing).get_by_text("Archive all cards…").click()
    asked = shown.page.get_by_role("alertdialog")
    expect(asked).to_contain_text("Cards in Doing: 2.")
    asked.get_by_role("button", name="Archive").click()
    expect(shown.list(doing).locator(".card")).to_have_count(0)
    shown.page.locator(".toast").get_by_text("Undo").click()
    expect(shown.list(doing).locator(".card")).to_have_count(2)


def test_escape_closes_a_menu_and_gives_the_focus_back_to_its_button(opened, ed, todo):
    shown = opened(ed)
    menu = shown.list(todo).locator("details.menu")
    menu.locator("summary").click()
    menu.get_by_text("Archive list").focus()
    shown.page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("summary")).to_be_focused()


def archive(shown: OpenBoard, row: List):
    shown.list(row).get_by_label("Menu for list").click()
    shown.list(row).get_by_text("Archive list").click()
    toast = shown.page.locator(".toast")
    expect(toast).to_contain_text("archived")
    return toast


def test_a_message_disappears_by_itself(opened, ed, todo):
    shown = opened(ed, clock=True)
    toast = archive(shown, todo)
    shown.page.clock.run_for(9000)
    expect(toast).to_have_count(0)


def test_a_message_stays_while_the_pointer_is_on_it(opened, ed, todo):
    shown = opened(ed, clock=True)
    toast = archive(shown, todo)
    toast.hover()
    shown.page.clock.run_for(60_000)
    expect(toast).to_be_visible()
    shown.page.mouse.move(0, 0)
    shown.page.clock.run_for(9000)
    expect(toast).to_have_count(0)


def test_a_script_that_is_gone_since_an_upgrade_is_told_with_a_way_to_reload(opened, ed, card):
    shown = opened(ed)
    intercept(shown.page, "**/drag-now*.js", lambda route: route.fulfill(status=404))
    shown.tile(card).dispatch_event("pointerdown", {"button": 0, "isPrimary": True, "pointerType": "mouse"})
    toast = shown.page.locator(".toast")
    expect(toast).to_contain_text("A new version is available.")
    assert all("dynamically imported module" in error for error in shown.errors)
    shown.errors.clear()
    shown.page.unroute("**/drag-now*.js")
    with shown.page.expect_navigation():
        toast.get_by_role("button", name="Reload").click()


def test_a_script_that_does_not_come_at_once_is_asked_for_again(opened, ed, card):
    shown = opened(ed)
    intercept(shown.page, "**/palette*.js", lambda route: route.abort(), times=1)
    shown.page.reload()
    expect(shown.page.locator(".toast")).to_contain_text("A new version is available.")
    expect(shown.page.locator("#command-palette")).to_have_attribute("data-wired", "")
    shown.page.keyboard.press("Control+k")
    expect(shown.page.locator("#command-palette:modal")).to_be_visible()
    assert all("Failed to" in error for error in shown.errors)
    shown.errors.clear()


def test_a_script_that_does_not_come_without_a_connection_is_no_new_version(opened, ed, card):
    shown = opened(ed)
    shown.page.context.set_offline(True)
    shown.tile(card).dispatch_event("pointerdown", {"button": 0, "isPrimary": True, "pointerType": "mouse"})
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    shown.page.close()  # so that no error comes later: style sheets are fetched beside the script
    assert all("Failed to fetch" in error for error in shown.errors)
    shown.errors.clear()


def test_a_card_opens_under_its_address_and_gives_the_focus_back(opened, ed, card):
    shown = opened(ed)
    shown.tile(card).locator(".title").click()
    dialog = shown.page.locator("dialog:modal")
    expect(dialog.locator("h1")).to_have_text("Write the announcement")
    expect(dialog.locator("h1")).to_be_focused()
    expect(shown.page).to_have_url(re.compile(re.escape(card.get_absolute_url())))
    shown.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(shown.page).to_have_url(re.compile(f"/board/{card.board_id}$"))
    expect(shown.tile(card).locator(".title")).to_be_focused()
    shown.page.go_forward()
    expect(dialog.locator("h1")).to_have_text("Write the announcement")
    shown.page.go_back()
    expect(dialog).to_have_count(0)


def test_the_focus_stays_in_the_dialog(opened, ed, card):
    shown = opened(ed, card=card)
    expect(shown.page.locator("dialog:modal h1")).to_be_focused()
    for _step in range(40):
        shown.page.keyboard.press("Tab")
        assert shown.page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )


def test_of_two_cards_clicked_in_a_hurry_the_last_one_opens(opened, ed, todo, card):
    other = create_card(actor=web(ed), list_id=todo.pk, title="The other")
    shown = opened(ed)
    shown.page.evaluate(
        "ids => ids.forEach(id => document.querySelector(`#card-${id} .title`).click())", [str(card.pk), str(other.pk)]
    )
    expect(shown.page.locator("dialog:modal h1")).to_have_text("The other")
    expect(shown.page).to_have_url(re.compile(re.escape(other.get_absolute_url())))


def test_a_refusal_is_shown_although_a_card_is_being_read_meanwhile(opened, ed, todo, card):
    shown = opened(ed)
    field = quick_add(shown, todo)
    field.fill("x" * 501)
    shown.page.evaluate(
        """id => {
            document.querySelector(".newcard[open] button.primary").click()
            document.querySelector(`#card-${id} .title`).click()
        }""",
        str(card.pk),
    )
    expect(shown.list(todo).locator(".refusal")).to_contain_text("at most 500 characters")
    expect(field).to_have_value("x" * 501)


def test_opening_a_deleted_card_shows_a_message(opened, olga, card):
    shown = opened(olga)
    archive_card(actor=web(olga), card_id=card.pk)
    delete_card(actor=web(olga), card_id=card.pk)
    shown.tile(card).locator(".title").click()
    expect(shown.page.locator(".toast")).to_contain_text("This does not exist")


def test_ticking_an_item_changes_card_and_tile_and_keeps_the_focus(opened, ed, card):
    checklist = create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    item = add_item(actor=web(ed), checklist_id=checklist.pk, text="One")
    shown = opened(ed, card=card)
    box = shown.page.locator(f"#tick-{item.pk}")
    box.click()
    expect(box).to_have_attribute("aria-checked", "true")
    expect(box).to_be_focused()
    expect(shown.tile(card).locator(".facts")).to_contain_text("1/1")


def test_items_are_added_one_after_the_other(opened, ed, card):
    checklist = create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    shown = opened(ed, card=card)
    shown.page.get_by_text("Add item").click()
    for text in ("One", "Two"):
        shown.page.locator(f"#new-item-{checklist.pk}").fill(text)
        shown.page.keyboard.press("Enter")
    expect(shown.page.locator(".item .text")).to_have_text(["One", "Two"])
    expect(shown.page.locator(f"#new-item-{checklist.pk}")).to_be_focused()


def test_undo_works_while_the_card_is_open(opened, ed, card):
    shown = opened(ed, card=card)
    shown.page.locator("#completion").click()
    expect(shown.page.locator("#completion")).to_have_accessible_name("Reopen")
    shown.page.locator(".toast").get_by_text("Undo").click()
    expect(shown.page.locator("#completion")).to_have_accessible_name("Mark as done")


def test_archiving_closes_the_card(opened, ed, card):
    shown = opened(ed, card=card)
    shown.page.get_by_label("Card menu").click()
    shown.page.locator("#card-menu").get_by_role("button", name="Archive").click()
    expect(shown.page.locator("dialog[open]")).to_have_count(0)
    expect(shown.tile(card)).to_have_count(0)
    shown.page.locator(".toast").get_by_text("Undo").click()
    expect(shown.tile(card)).to_have_count(1)


def test_labels_are_chosen_in_a_menu_that_stays_open(opened, ed, board, card):
    from boards.actions.cards.labels import create_label

    labels = [create_label(actor=web(ed), board_id=board.pk, name=name) for name in ("Bug", "Chore")]
    shown = opened(ed, card=card)
    shown.page.locator("#choose-labels").click()
    for label in labels:
        shown.page.locator(f"#label-{label.pk}").click()
        expect(shown.page.locator(f"#label-{label.pk}")).to_have_attribute("aria-checked", "true")
    expect(shown.tile(card).locator(".label")).to_have_text(["Bug", "Chore"])
    new = shown.page.locator(".new-label")
    new.get_by_label("Find or create a label").fill("Idea")
    expect(new.get_by_role("radio")).to_have_count(12)
    new.get_by_role("radio", name="Green").check()
    new.get_by_role("button", name="Create and add").click()
    expect(shown.tile(card).locator(".label", has_text="Idea")).to_have_class(re.compile("hue-4"))


def test_closing_a_card_with_unsaved_text_asks_first(opened, ed, card):
    shown = opened(ed, card=card)
    shown.page.locator("#new-comment").fill("Half a thought")
    shown.page.get_by_label("Close card").click()
    question = shown.page.get_by_role("alertdialog", name="Discard changes?")
    expect(question).to_have_accessible_description("What you typed hasn't been saved.")
    question.get_by_role("button", name="Keep editing").click()
    expect(question).to_have_count(0)
    expect(shown.page.locator("#new-comment")).to_have_value("Half a thought")
    shown.page.get_by_label("Close card").click()
    question.get_by_role("button", name="Discard").click()
    expect(shown.page.locator("dialog[open]")).to_have_count(0)


def test_escape_keeps_an_unsaved_text_however_often_it_is_pressed(opened, ed, card):
    shown = opened(ed, card=card)
    comment, page = shown.page.locator("#new-comment"), shown.page
    comment.press_sequentially("Half")
    question = page.get_by_role("alertdialog", name="Discard changes?")
    for _ in range(3):
        page.keyboard.press("Escape")
        expect(question.get_by_role("button", name="Keep editing")).to_be_focused()
        page.keyboard.press("Tab")
        expect(question.get_by_role("button", name="Discard")).to_be_focused()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('body, [role=alertdialog] *')")
        page.keyboard.press("Escape")
        expect(question).to_have_count(0)
        expect(comment).to_be_focused()
    page.keyboard.type(" a thought")
    expect(comment).to_have_value("Half a thought")


def test_a_finger_answers_the_question_too(opened, ed, card):
    shown = opened(ed, card=card, touch=True)
    shown.page.set_viewport_size({"width": 390, "height": 740})
    shown.page.locator("#new-comment").press_sequentially("Half")
    shown.page.get_by_label("Close card").tap()
    discard = shown.page.get_by_role("alertdialog").get_by_role("button", name="Discard")
    at = box(discard)
    assert at["bottom"] - at["top"] >= 44
    discard.tap()
    expect(shown.page.locator("#card-dialog")).not_to_be_visible()


def test_leaving_the_page_with_unsaved_text_asks_first(opened, ed, card):
    shown = opened(ed, card=card)
    field = shown.page.locator("#new-comment")
    field.press_sequentially("Half a thought")
    with shown.page.expect_event("dialog") as asked:
        shown.page.evaluate("setTimeout(() => location.assign('/'))")
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    expect(field).to_have_value("Half a thought")


def test_a_user_chooses_between_two_descriptions(opened, olga, ed, card):
    shown = opened(ed, card=card)
    field = shown.edit_description()
    field.fill("Ed's words")
    update_card(actor=web(olga), card_id=card.pk, description="Olga's words")
    field.press("Control+Enter")
    both = shown.page.locator(".both-versions")
    expect(both).to_contain_text("Olga's words")
    expect(both.locator("textarea")).to_have_value("Ed's words")
    both.get_by_text("Overwrite with mine").click()
    expect(shown.page.locator("[data-part=description] .prose")).to_have_text("Ed's words")
    card.refresh_from_db()
    assert to_markdown(card.description) == "Ed's words"


def test_a_viewer_is_shown_no_controls(opened, vera, todo, card):
    shown = opened(vera)
    expect(shown.page.get_by_text("Add card")).to_be_hidden()
    expect(shown.page.get_by_text("Add list")).to_be_hidden()
    expect(shown.list(todo).get_by_label("Menu for list")).to_be_hidden()
    shown.list(todo).locator("h2").click()
    expect(shown.list(todo).locator("textarea").first).to_be_hidden()


def test_clicking_a_title_opens_no_form_for_a_viewer(opened, vera, todo):
    shown = opened(vera)
    for title in (shown.list(todo).locator("h2"), shown.page.locator("#board-head h1")):
        title.click()
    expect(shown.page.locator("details.edit[open]")).to_have_count(0)


def test_times_are_shown_as_how_long_ago_they_were(opened, vera, ed, card):
    units = {"year": 31_557_600, "month": 2_629_800, "week": 604_800, "day": 86_400, "hour": 3600, "minute": 60}
    for number, seconds in enumerate([*units.values(), 0]):
        comment = add_comment(actor=web(ed), card_id=card.pk, text=f"Comment {number}")
        then = timezone.now() - timedelta(seconds=2.2 * seconds)
        Comment.objects.filter(pk=comment.pk).update(created_at=then)
    shown = opened(vera, card=card)
    ago = [f"2 {unit}s ago" for unit in reversed(units)]
    expect(shown.page.locator("article.comment .who time")).to_have_text(["just now", *ago])


def test_a_due_date_turns_soon_a_day_before_and_then_late_while_the_page_is_open(opened, ed, vera, card):
    update_card(actor=web(ed), card_id=card.pk, due_at=timezone.now() + timedelta(hours=30))
    shown = opened(vera, clock=True)
    due = shown.tile(card).locator(".due")
    expect(due).to_have_class(re.compile("^fact due *$"))
    shown.page.clock.fast_forward("07:00:00")
    expect(due).to_have_class("fact due soon")
    shown.page.clock.fast_forward("24:00:00")
    expect(due).to_have_class("fact due late")


def test_a_new_card_appears_by_itself_at_its_place(opened, olga, vera, todo, card):
    shown = opened(vera)
    made = create_card(actor=web(olga), list_id=todo.pk, title="Live")
    shown.tell(made)
    expect(shown.list(todo).locator(".title")).to_have_text([re.compile("Write"), re.compile("Live")])
    expect(shown.list(todo).locator(".count")).to_have_text("2")
    assert shown.asked == [str(shown.board.version)]


def test_a_moved_card_leaves_its_list_and_a_repeated_message_shows_it_once(opened, olga, vera, todo, doing, card):
    shown = opened(vera)
    Card.objects.filter(pk=card.pk).update(list=doing, version=50)
    for version in (50, 51):
        shown.tell(card, since=version - 1 if version > 50 else None, version=version)
    expect(shown.list(doing).locator(".card")).to_have_count(1)
    expect(shown.list(todo).locator(".count")).to_have_text("0")
    expect(shown.tile(card)).to_have_count(1)


def test_cards_added_at_the_top_one_by_one_are_in_that_order(opened, olga, vera, todo, card):
    others = [create_card(actor=web(olga), list_id=todo.pk, title=title) for title in ("Second", "Third", "Fourth")]
    shown = opened(vera)
    for other in others:
        move_card(actor=web(olga), card_id=other.pk, list_id=todo.pk, place=TOP)
    assert todo.cards.first().position < 0
    shown.tell(*others)
    in_order = [re.compile(title) for title in ("Fourth", "Third", "Second", "Write")]
    expect(shown.list(todo).locator(".title")).to_have_text(in_order)


def test_an_old_message_and_an_old_tile_change_nothing(opened, olga, vera, card):
    shown = opened(vera)
    old = fragment(card)
    complete_card(actor=web(olga), card_id=card.pk)
    shown.tell(card)
    expect(shown.tile(card)).to_have_class(re.compile("done"))
    shown.tell(removed=[("card", card)], since=0, version=1)
    version = Board.objects.get().version
    message = {"board": str(shown.board.pk), "since": version, "version": version + 1, "removed": []}
    shown.socket.send(json.dumps(message | {"changed": [{"kind": "card", "id": str(card.pk), "html": old[2]}]}))
    expect(shown.page.locator(f"main[data-version='{version + 1}']")).to_be_visible()
    expect(shown.tile(card)).to_have_class(re.compile("done"))


def test_removed_cards_and_lists_disappear_and_counts_follow(opened, olga, vera, todo, doing, card):
    shown = opened(vera)
    archive_card(actor=web(olga), card_id=card.pk)
    shown.tell(removed=[("card", card), ("list", doing)])
    expect(shown.tile(card)).to_have_count(0)
    expect(shown.list(todo).locator(".count")).to_have_text("0")
    expect(shown.list(doing)).to_have_count(0)


def test_a_field_in_use_is_never_replaced(opened, olga, ed, board, todo, card):
    shown = opened(ed)
    field = quick_add(shown, todo)
    field.fill("Half a ti")
    rename_list(actor=web(olga), list_id=todo.pk, title="Renamed")
    shown.tell(todo, card)
    expect(shown.list(todo).locator("h2")).to_have_text("Renamed")
    expect(field).to_have_value("Half a ti")
    expect(field).to_be_focused()
    expect(shown.tile(card)).to_have_count(1)


def test_a_list_being_renamed_keeps_what_is_typed(opened, olga, ed, todo):
    shown = opened(ed)
    shown.list(todo).locator("h2").click()
    field = shown.list(todo).get_by_label("List title")
    field.fill("My name for it")
    rename_list(actor=web(olga), list_id=todo.pk, title="Olga's name for it")
    shown.tell(todo)
    expect(shown.list(todo)).to_have_attribute("data-version", str(List.objects.get().version))
    expect(field).to_have_value("My name for it")


def test_an_update_does_not_close_an_open_small_form(opened, olga, ed, todo):
    shown = opened(ed)
    shown.list(todo).locator("h2").click()
    shown.page.keyboard.press("Tab")  # leaves the field, which is unchanged
    rename_list(actor=web(olga), list_id=todo.pk, title="Olga's name for it")
    shown.tell(todo)
    expect(shown.list(todo).locator("h2")).to_have_text("Olga's name for it")
    expect(shown.list(todo).get_by_label("List title")).to_be_visible()


def test_new_lists_appear_at_their_place_and_the_empty_boards_hint_disappears(opened, olga, vera, board):
    shown = opened(vera)
    expect(shown.page.locator(".no-lists")).to_be_visible()
    first, second = (create_list(actor=web(olga), board_id=board.pk, title=title) for title in ("First", "Second"))
    shown.tell(second, first)
    expect(shown.page.locator(".list h2")).to_have_text(["First", "Second"])
    expect(shown.page.locator(".no-lists")).to_be_hidden()


def test_an_open_card_is_refreshed_around_what_is_being_written(opened, olga, ed, card):
    shown = opened(ed, card=card)
    field = shown.edit_description()
    field.fill("Ed is writing")
    add_comment(actor=web(olga), card_id=card.pk, text="Olga has a word")
    update_card(actor=web(olga), card_id=card.pk, title="Another title", description="Olga was quicker")
    shown.tell(card)
    expect(shown.page.locator("#open-card article.comment")).to_contain_text("Olga has a word")
    expect(shown.page.locator("#card-title")).to_have_text("Another title")
    expect(field).to_have_text("Ed is writing")
    expect(field).to_be_focused()
    field.press("Control+Enter")
    expect(shown.page.locator(".both-versions textarea")).to_have_value("Ed is writing")


def test_earlier_comments_and_items_are_fetched_and_stay_while_others_write(opened, olga, ed, card):
    for number in range(32):
        add_comment(actor=web(olga), card_id=card.pk, text=f"Comment {number}")
    steps = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    for number in range(62):
        item = add_item(actor=web(olga), checklist_id=steps.pk, text=f"Item {number}")
    shown = opened(ed, card=card)
    comments, items = shown.page.locator("article.comment .prose"), shown.page.locator(".items .text")
    expect(comments).to_have_count(30)
    expect(items).to_have_count(40)
    shown.page.get_by_text("Show earlier comments").click()
    shown.page.get_by_text("Show more items").click()
    old = [f"Comment {number}" for number in reversed(range(32))]
    expect(comments).to_have_text(old)
    expect(items).to_have_text([f"Item {number}" for number in range(62)])
    expect(shown.page.get_by_text("Show earlier comments")).to_have_count(0)
    expect(shown.page.get_by_text("Show more items")).to_have_count(0)
    add_comment(actor=web(olga), card_id=card.pk, text="The latest")
    update_item(actor=web(olga), item_id=item.pk, done=True)
    shown.tell(card)
    expect(comments).to_have_text(["The latest", *old])
    expect(shown.page.locator(".checklist h2")).to_contain_text("1 of 62")
    shown.page.locator("#new-comment").fill("Mine")
    shown.page.get_by_role("button", name="Comment", exact=True).click()
    expect(comments).to_have_text(["Mine", "The latest", *old])
    expect(shown.page.locator("#new-comment")).to_have_value("")


def test_further_checklists_are_fetched_and_stay_while_others_write(opened, olga, ed, card):
    rows = [create_checklist(actor=web(olga), card_id=card.pk, title=f"Steps {number}") for number in range(10)]
    items = [add_item(actor=web(olga), checklist_id=row.pk, text="One") for row in rows]
    shown = opened(ed, card=card)
    titles, more = shown.page.locator(".checklist h2"), shown.page.get_by_text("Show more checklists")
    expect(titles).to_have_count(8)
    create_checklist(actor=web(olga), card_id=card.pk, title="The latest")
    shown.tell(card)
    expect(titles).to_have_count(9)
    more.click()
    expect(titles).to_have_text([*(f"Steps {number} 0 of 1" for number in range(10)), "The latest 0 of 0"])
    expect(more).to_have_count(0)
    update_item(actor=web(olga), item_id=items[9].pk, done=True)
    shown.tell(card)
    expect(titles.nth(9)).to_have_text("Steps 9 1 of 1")
    expect(titles).to_have_count(11)


def test_a_page_of_earlier_comments_takes_no_new_ones(opened, olga, ed, card):
    for number in range(32):
        add_comment(actor=web(olga), card_id=card.pk, text=f"Comment {number}")
    shown = opened(ed, card=card)
    shown.page.goto(shown.page.get_by_text("Show earlier comments").get_attribute("href"))
    comments = shown.page.locator("article.comment .prose")
    expect(comments).to_have_text(["Comment 1", "Comment 0"])
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    add_comment(actor=web(olga), card_id=card.pk, text="The latest")
    update_card(actor=web(olga), card_id=card.pk, title="Another title")
    shown.tell(card)
    expect(shown.page.locator("#card-title")).to_have_text("Another title")
    expect(comments).to_have_count(2)


def test_a_card_archived_by_somebody_else_stays_open_and_says_so(opened, olga, ed, card):
    shown = opened(ed, card=card)
    archive_card(actor=web(olga), card_id=card.pk)
    shown.tell(removed=[("card", card)])
    expect(shown.page.locator("#open-card")).to_contain_text("This card is archived.")
    expect(shown.page.get_by_role("button", name="Mark as done")).to_have_count(0)
    expect(shown.page.locator("#open-card select")).to_have_count(0)


def test_a_card_deleted_by_somebody_else_says_so_and_what_was_typed_can_be_copied(opened, olga, ed, board, card):
    shown = opened(ed, card=card)
    comment = shown.page.get_by_label("New comment")
    comment.fill("A long thought")
    delete_card(actor=web(olga), card_id=archive_card(actor=web(olga), card_id=card.pk)[0].pk)
    shown.tell(removed=[("card", card)])
    notice = shown.page.get_by_role("alert")
    expect(notice).to_have_text(re.compile("This card was deleted, or moved to a board you can't see"))
    expect(comment).to_have_value("A long thought")
    expect(comment).to_be_visible()
    expect(shown.page.locator("#open-card").get_by_role("button")).to_have_count(0)
    question = shown.page.get_by_role("alertdialog", name="Discard changes?")
    shown.page.get_by_label("Close card").click()
    question.get_by_role("button", name="Keep editing").click()
    expect(comment).to_have_value("A long thought")
    shown.page.get_by_label("Close card").click()
    question.get_by_role("button", name="Discard").click()
    expect(shown.page.locator("#card-dialog")).to_be_hidden()
    expect(shown.tile(card)).to_have_count(0)
    expect(shown.page).to_have_url(re.compile(f"/board/{board.pk}$"))
    expect(shown.page.locator("main.board")).to_be_focused()


def test_a_card_that_comes_back_takes_the_comment_that_was_being_written(opened, olga, ed, todo, card):
    elsewhere = create_list(actor=web(olga), board_id=create_board(actor=web(olga), title="Hers").pk, title="Hers")
    shown = opened(ed, card=card)
    shown.page.get_by_label("New comment").fill("A long thought")
    move_card(actor=web(olga), card_id=card.pk, list_id=elsewhere.pk)
    shown.tell(removed=[("card", card)])
    expect(shown.page.get_by_role("alert")).to_contain_text("This card was deleted, or moved")
    move_card(actor=web(olga), card_id=card.pk, list_id=todo.pk)
    shown.tell(Card.objects.get(pk=card.pk))
    expect(shown.page.get_by_role("alert")).to_have_count(0)
    shown.page.locator(".new-comment").get_by_role("button", name="Comment", exact=True).click()
    expect(shown.page.locator("article.comment")).to_contain_text("A long thought")


def test_a_card_that_cannot_be_read_for_a_moment_is_not_told_to_be_deleted(opened, olga, ed, card):
    shown = opened(ed, card=card)
    intercept(shown.page, A_CARD, lambda route: route.fulfill(**BUSY), times=1)
    complete_card(actor=web(olga), card_id=card.pk)
    with shown.page.expect_response(A_CARD):
        shown.tell(card)
    expect(shown.page.locator("#open-card h1.done")).to_have_count(0)
    shown.wait_for_connections(2)  # to ask for what it lacks
    shown.tell(card)
    expect(shown.page.locator("#open-card h1.done")).to_be_visible()
    expect(shown.page.get_by_role("alert")).to_have_count(0)


def test_the_bar_with_an_offer_of_the_board_comes_and_goes(opened, olga, ed, board):
    shown = opened(ed)
    bar = shown.page.locator(".offer")
    offer_board(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    offer = offer_of(board)
    shown.tell(offer)
    expect(bar).to_contain_text("Olga wants to transfer the board Launch to you.")
    withdraw_offer(actor=web(olga), offer_id=offer.pk)
    shown.tell(removed=[("offer", offer)], since=board.version + 1)
    expect(bar).to_have_count(0)


def test_the_bar_with_an_offer_to_somebody_else_does_not_come(opened, olga, ed, vera, board):
    shown = opened(vera)
    offer_board(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    shown.tell(offer_of(board))
    renamed = update_board(actor=web(olga), board_id=board.pk, title="Landing")
    shown.tell(renamed, since=board.version + 1)
    expect(shown.page.locator("h1")).to_have_text("Landing")
    expect(shown.page.locator(".offer")).to_have_count(0)


def test_a_page_that_reads_everything_anew_shows_the_offer_there_is(opened, olga, ed, board):
    shown = opened(ed)
    offer_board(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    shown.reload()
    expect(shown.page.locator(".offer")).to_have_count(1)
    withdraw_offer(actor=web(olga), offer_id=offer_of(board).pk)
    shown.reload()
    expect(shown.page.locator(".offer")).to_have_count(0)


def test_two_versions_to_choose_from_stay_whole_whatever_others_do(opened, olga, ed, card):
    shown = opened(ed, card=card)
    field = shown.edit_description()
    field.fill("Ed's words")
    update_card(actor=web(olga), card_id=card.pk, description="Olga's words")
    field.press("Control+Enter")
    both = shown.page.locator(".both-versions")
    expect(both.locator("textarea")).to_be_focused()
    shown.page.locator("#card-title").focus()
    archive_card(actor=web(olga), card_id=card.pk)
    shown.tell(removed=[("card", card)])
    expect(shown.page.locator("#open-card")).to_contain_text("This card is archived.")
    expect(both).to_contain_text("Olga's words")
    expect(both.locator("textarea")).to_have_value("Ed's words")


def test_a_new_role_shows_its_controls(opened, olga, vera, board, todo):
    shown = opened(vera)
    change_role(actor=web(olga), board_id=board.pk, user_id=vera.pk, role="editor")
    message = {"board": str(board.pk), "since": board.version, "version": board.version + 1, "removed": []}
    html = render_members(read_members(board.pk))
    shown.socket.send(json.dumps(message | {"changed": [{"kind": "members", "id": str(board.pk), "html": html}]}))
    expect(shown.page.get_by_text("Add card")).to_be_visible()


def test_the_lists_are_read_again_after_too_much_has_changed(opened, olga, vera, board, todo, doing, card):
    shown = opened(vera)
    made = create_card(actor=web(olga), list_id=doing.pk, title="Much later")
    archive_card(actor=web(olga), card_id=card.pk)
    version = Board.objects.get().version
    shown.socket.send(json.dumps({"board": str(board.pk), "version": version, "reload": True}))
    expect(shown.tile(made)).to_have_count(1)
    expect(shown.tile(card)).to_have_count(0)
    expect(shown.page.locator(f"main[data-version='{version}']")).to_be_visible()


def test_a_gap_makes_the_page_ask_again_from_what_it_shows(opened, olga, vera, board, todo):
    shown = opened(vera)
    missed = create_card(actor=web(olga), list_id=todo.pk, title="Missed")
    shown.tell(since=board.version + 5, version=board.version + 6)
    shown.wait_for_connections(2)
    shown.tell(missed)
    expect(shown.tile(missed)).to_have_count(1)
    assert shown.asked == [str(board.version)] * 2


def test_a_lost_connection_is_announced_and_resumes_at_its_version(opened, olga, vera, board, todo):
    shown = opened(vera)
    made = create_card(actor=web(olga), list_id=todo.pk, title="Seen")
    shown.tell(made)
    expect(shown.tile(made)).to_have_count(1)
    first = shown.socket
    shown.page.clock.install()
    first.close(code=1012)
    shown.page.clock.run_for(5000)
    expect(shown.page.locator(".live-bar")).to_be_hidden()
    assert shown.socket is not first
    assert shown.asked == [str(board.version), str(Board.objects.get().version)]


def test_a_page_that_the_browser_kept_connects_again_as_soon_as_it_is_shown(opened, olga, vera, todo):
    shown = opened(vera)
    first = shown.socket
    shown.page.clock.install()
    shown.page.clock.pause_at(timezone.now() + timedelta(minutes=1))  # so that no timer reconnects
    for event in ("pagehide", "pageshow"):
        shown.page.evaluate("name => dispatchEvent(new PageTransitionEvent(name, { persisted: true }))", event)
    shown.wait_for_connections(2)
    assert shown.socket is not first
    rename_list(actor=web(olga), list_id=todo.pk, title="Later")
    shown.tell(todo)
    expect(shown.list(todo).locator("h2")).to_have_text("Later")
    assert len(shown.asked) == 2


def test_while_there_is_no_connection_a_bar_says_so(opened, vera, todo):
    shown = opened(vera)
    shown.refuses = 1013
    shown.socket.close(code=1012)
    expect(shown.page.locator(".live-bar")).to_contain_text("No connection.")
    assert len(shown.asked) > 1
    shown.refuses = None
    expect(shown.page.locator(".live-bar")).to_be_hidden(timeout=30_000)


def test_a_message_that_the_server_is_out_of_reach_leaves_with_the_bar(opened, ed, todo):
    shown = opened(ed)
    intercept(shown.page, "**/archival", lambda route: route.abort())
    shown.refuses = 1013
    shown.socket.close(code=1012)
    expect(shown.page.locator(".live-bar")).to_contain_text("No connection.")
    shown.list(todo).get_by_label("Menu for list").click()
    shown.list(todo).get_by_text("Archive list").click()
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    shown.refuses = None
    expect(shown.page.locator(".live-bar")).to_be_hidden(timeout=30_000)
    expect(shown.page.locator(".toast")).to_have_count(0)


@pytest.mark.parametrize(
    "code, words, way",
    [
        (4401, "You are signed out.", "/sign-in?next="),
        (4403, "You no longer have access to this board.", "/"),
        (4404, "This board was deleted or archived.", "/"),
    ],
)
def test_the_end_of_access_is_announced_with_a_link_and_nothing_reconnects(opened, vera, todo, code, words, way):
    shown = opened(vera, clock=True)
    shown.socket.close(code=code)
    bar = shown.page.locator(".live-bar")
    expect(bar).to_contain_text(words)
    shown.page.clock.run_for(120_000)
    expect(bar).to_contain_text(words)
    assert bar.locator("a").get_attribute("href").startswith(way)
    assert len(shown.asked) == 1


@pytest.mark.parametrize("scripts", [True, False])
def test_the_lists_of_an_empty_board_are_added_by_its_two_forms(opened, ed, board, scripts):
    shown = opened(ed, scripts=scripts)
    shown.page.get_by_role("button", name="Add all three").click()
    expect(shown.page.locator(".list h2")).to_have_text(["To do", "In progress", "Done"])
    shown.page.get_by_text("Add list", exact=True).click()
    shown.page.get_by_label("New list title").fill("Later")
    shown.page.locator(".newlist").get_by_role("button", name="Add", exact=True).click()
    expect(shown.page.locator(".list h2")).to_have_text(["To do", "In progress", "Done", "Later"])


@pytest.mark.parametrize("scripts", [True, False])
def test_one_of_the_lists_that_an_empty_board_draws_is_taken_by_a_key(opened, ed, board, scripts):
    shown = opened(ed, scripts=scripts)
    shown.page.get_by_role("button", name="Add list “In progress”").press("Enter")
    expect(shown.page.locator(".list h2")).to_have_text(["In progress"])
    expect(shown.page.locator(".no-lists")).to_be_hidden()
    if scripts:
        expect(shown.page.locator(".list[id] footer summary")).to_be_focused()


def test_a_viewer_of_an_empty_board_reads_a_sentence_alone(opened, vera, board):
    empty = opened(vera).page.locator(".no-lists")
    expect(empty.get_by_role("heading")).to_be_visible()
    expect(empty.locator("p:visible, button:visible, a:visible")).to_have_count(0)


def test_without_scripts_cards_are_added_edited_and_moved_by_forms(opened, ed, todo, doing, card):
    shown = opened(ed, scripts=False)
    shown.list(todo).get_by_text("Add card").click()
    shown.list(todo).locator("textarea[name^=new-]").fill("By hand")
    shown.list(todo).get_by_role("button", name="Add", exact=True).click()
    expect(shown.list(todo).locator(".title")).to_have_count(2)
    shown.tile(card).locator(".title").click()
    page = shown.page
    page.get_by_label("Edit title").click(force=True)
    page.get_by_label("Card title").fill("Announce by hand")
    page.locator("[data-part=head]").get_by_role("button", name="Save").click()
    expect(page.locator("#card-title")).to_have_text("Announce by hand")
    page.locator("#choose-place").click()
    page.get_by_label("Move to list").select_option(label="Doing")
    page.get_by_role("button", name="Move", exact=True).click()
    expect(shown.list(doing).locator(".title")).to_have_count(1)
    page.locator(".toast").get_by_text("Undo").click()
    expect(shown.list(todo).locator(".title")).to_have_count(2)
