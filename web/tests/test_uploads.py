"""Files on cards in Chromium: dropped, pasted, chosen, cancelled, sent again; looked at, used as covers."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import Plan
from boards.actions.cards.card import create_card, update_card
from boards.actions.files.attachments import attach_file, set_cover_picture
from boards.models import Attachment, Comment
from boards.richtext import pictures_in
from conftest import run_jobs, web
from core.files.storage import store
from taskboard.tests.axe import complaints
from taskboard.tests.interception import intercept
from web.tests.given_files import give, note, picture
from web.tests.held import Held
from web.tests.looking import box
from web.tests.open_board import OpenBoard

pytestmark = pytest.mark.django_db(transaction=True)


def attach(user, card, name: str = "Cat.png", content: bytes | None = None) -> Attachment:
    content = picture() if content is None else content
    made = attach_file(actor=web(user), card_id=card.pk, stored=store([content], most=len(content)), file_name=name)
    run_jobs()
    return made


def names(shown: OpenBoard):
    return shown.page.locator(".file-name")


def test_three_files_dropped_on_a_card_arrive_in_a_second_browser(opened, ed, card):
    watching, shown = opened(ed, card=card), opened(ed, card=card)
    give(
        shown.page, "drop", "#card-dialog .main", note("One.txt"), ("Cat.png", "image/png", picture()), note("Two.txt")
    )
    expect(shown.page.locator(".toast")).to_contain_text("Files attached: 3")
    expect(names(shown)).to_have_count(3)
    watching.tell(card)
    expect(names(watching)).to_have_count(3)
    assert {*names(watching).all_text_contents()} == {"One.txt", "Cat.png", "Two.txt"}
    expect(watching.tile(card).locator(".fact", has_text="Files")).to_contain_text("3")
    run_jobs()
    expect(watching.page.locator(".file-look img")).to_have_js_property("naturalWidth", 320)


def test_a_file_dropped_on_a_tile_is_attached_without_opening_the_card(opened, ed, card):
    shown = opened(ed)
    give(shown.page, "over", f"#card-{card.pk} .title", note())
    expect(shown.tile(card)).to_have_class(re.compile("drop-here"))
    give(shown.page, "drop", f"#card-{card.pk} .title", note())
    expect(shown.tile(card).locator(".fact", has_text="Files")).to_contain_text("1")
    expect(shown.tile(card)).not_to_have_class(re.compile("drop-here"))
    expect(shown.page.locator("#card-dialog")).not_to_be_visible()


def test_a_file_that_the_browser_itself_drops_on_a_tile_is_attached(opened, ed, card, tmp_path):
    """As from the desktop: Chromium makes the events. Nobody has touched the page before."""
    path = tmp_path / "Plan.txt"
    path.write_text("Some words")
    shown = opened(ed)
    session = shown.page.context.new_cdp_session(shown.page)
    at = box(shown.tile(card))
    where = {"x": at["left"] + 40, "y": at["top"] + 12}
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}

    def send(kind: str) -> None:
        session.send("Input.dispatchDragEvent", {"type": kind, "data": data, **where})

    send("dragEnter")
    shown.page.wait_for_function("() => document.getElementById('card-dialog').dataset.drop")  # attach.js has come
    send("dragOver")
    expect(shown.tile(card)).to_have_class(re.compile("drop-here"))
    send("drop")
    expect(shown.tile(card).locator(".fact", has_text="Files")).to_contain_text("1")
    expect(shown.tile(card)).not_to_have_class(re.compile("drop-here"))
    assert Attachment.objects.get().file_name == "Plan.txt"
    expect(shown.page.locator("#card-dialog")).not_to_be_visible()


def test_a_picture_in_the_editor_whose_preview_is_not_made_yet_is_asked_for_again(opened, ed, card):
    shown = opened(ed, card=card)
    shown.edit_description()
    give(shown.page, "paste", ".ProseMirror", ("Cat.png", "image/png", picture()))
    image = shown.page.locator(".ProseMirror img[src]")
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalWidth") == 0
    run_jobs()
    for look in (image, shown.page.locator(".file-look img")):
        shown.page.wait_for_function("image => image.naturalWidth > 0", arg=look.element_handle())
    expect(shown.page.locator(".ProseMirror img[src]")).to_have_count(1)


def test_a_file_dropped_beside_everything_does_not_leave_the_page(opened, ed, card):
    shown = opened(ed)
    give(shown.page, "drop", ".boardbar", note())
    assert Attachment.objects.count() == 0
    assert shown.page.evaluate("() => document.querySelector('main.board') !== null")


def test_a_viewer_sees_files_and_no_way_to_add_or_change_any(opened, ed, vera, card):
    attach(ed, card)
    shown = opened(vera, card=card)
    expect(names(shown)).to_have_text(["Cat.png"])
    expect(shown.page.locator("[data-attach], .files form, .file-rename")).to_have_count(0)
    shown.page.locator(".file-menu > summary").click()
    expect(shown.page.locator(".file-menu .item")).to_have_text(["Download"])
    give(shown.page, "drop", "#card-dialog .main", note())
    give(shown.page, "paste", "#card-dialog .main", note())
    expect(shown.page.locator(".upload")).to_have_count(0)
    assert Attachment.objects.count() == 1


def test_a_message_takes_a_file_back_and_so_does_ctrl_z(opened, ed, card):
    shown = opened(ed, card=card)
    give(shown.page, "drop", "#card-dialog .main", note())
    expect(names(shown)).to_have_count(1)
    shown.page.locator(".toast button", has_text="Undo").click()
    expect(names(shown)).to_have_count(0)
    give(shown.page, "drop", "#card-dialog .main", note("Two.txt"))
    expect(names(shown)).to_have_count(1)
    shown.page.locator("#card-title").focus()
    shown.page.keyboard.press("Control+z")
    expect(names(shown)).to_have_count(0)


def test_a_file_that_is_too_large_is_not_sent(opened, ed, card):
    Plan.objects.update(max_file_bytes=2048)
    shown = opened(ed, card=card)
    expect(shown.page.locator(".drop-hint")).to_contain_text("at most 2\xa0KB each")
    sent = []
    shown.page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    give(shown.page, "drop", "#card-dialog .main", ("Large.txt", "text/plain", b"x" * 4096))
    row = shown.page.locator(".upload")
    expect(row).to_contain_text("This file is 4 kB. The limit is 2 kB.")
    expect(row.get_by_role("button", name="Try again")).not_to_be_visible()
    row.get_by_role("button", name="Cancel upload of Large.txt").click()
    expect(shown.page.locator(".uploads")).to_have_count(0)
    assert not any("attachments" in address for address in sent)


def test_after_a_cut_a_file_is_sent_again(opened, ed, card):
    shown = opened(ed, card=card)
    intercept(shown.page, "**/attachments", lambda route: route.abort("connectionreset"), times=1)
    give(shown.page, "drop", "#card-dialog .main", note())
    row = shown.page.locator(".upload")
    expect(row.get_by_role("alert")).to_have_text("The connection was lost.")
    row.get_by_role("button", name="Try again").click()
    expect(names(shown)).to_have_text(["Note.txt"])
    expect(row).to_have_count(0)


def test_the_sentence_of_a_refusal_is_shown(opened, ed, card):
    shown = opened(ed, card=card)
    Plan.objects.update(max_board_bytes=5)
    give(shown.page, "drop", "#card-dialog .main", note())
    expect(shown.page.locator(".upload").get_by_role("alert")).to_contain_text(
        "The files of this board take up 0\xa0bytes of"
    )
    Plan.objects.update(max_board_bytes=None)
    shown.page.get_by_role("button", name="Try again").click()
    expect(names(shown)).to_have_count(1)


def test_two_files_go_at_once_and_one_that_waits_can_be_cancelled(opened, ed, card):
    shown = opened(ed, card=card)
    held = Held(shown.page, "**/attachments")
    give(shown.page, "drop", "#card-dialog .main", note("0.txt"))
    held.next()  # never let on: the browser may send a request after the page has aborted it
    give(shown.page, "drop", "#card-dialog .main", *[note(f"{number}.txt") for number in range(1, 4)])
    rows = shown.page.locator(".upload")
    expect(rows).to_have_count(4)
    waiting = rows.filter(has_text="Waiting")
    expect(waiting).to_have_count(2)
    held.wait_for(1)
    assert len(held) == 1
    rows.nth(3).get_by_role("button").last.click()
    rows.nth(0).get_by_role("button").last.click()  # on its way: the next one goes
    expect(rows).to_have_count(2)
    expect(waiting).to_have_count(0)
    for _request in range(2):
        held.let_on()
    expect(names(shown)).to_have_count(2)
    give(shown.page, "drop", "#card-dialog .main", note("4.txt"))
    held.let_on()
    expect(names(shown)).to_have_count(3)
    assert {*Attachment.objects.values_list("file_name", flat=True)} == {"1.txt", "2.txt", "4.txt"}


def test_the_message_about_one_file_leaves_the_refusal_of_another(opened, ed, card):
    Plan.objects.update(max_file_bytes=2048)
    shown = opened(ed, card=card)
    give(shown.page, "drop", "#card-dialog .main", ("Large.txt", "text/plain", b"x" * 4096), note("Small.txt"))
    expect(shown.page.locator(".toast")).to_contain_text("1 file attached.")
    expect(shown.page.locator(".upload")).to_contain_text("This file is 4 kB.")


def test_leaving_while_a_file_is_on_its_way_asks_first(opened, ed, card):
    shown = opened(ed, card=card)
    held = Held(shown.page, "**/attachments")
    give(shown.page, "drop", "#card-dialog .main", note())
    expect(shown.page.locator(".upload")).to_have_count(1)
    shown.page.locator("#card-title").click()
    with shown.page.expect_event("dialog") as asked:
        shown.page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    held.let_on()
    expect(names(shown)).to_have_count(1)


def test_files_are_chosen_by_the_button(opened, ed, card):
    shown = opened(ed, card=card)
    with shown.page.expect_file_chooser() as chooser:
        shown.page.get_by_role("button", name="Attach files").click()
    chooser.value.set_files([{"name": "One.txt", "mimeType": "text/plain", "buffer": b"1"}])
    expect(names(shown)).to_have_text(["One.txt"])


def test_without_scripts_a_form_attaches_files(opened, ed, card):
    page = opened(ed, card=card, scripts=False).page
    page.locator(".files input[type=file]").set_input_files(
        [{"name": "One.txt", "mimeType": "text/plain", "buffer": b"1"}]
    )
    page.get_by_role("button", name="Attach", exact=True).click()
    expect(page.locator(".file-name")).to_have_text(["One.txt"])


# Pasted


def test_a_pasted_picture_is_attached(opened, ed, card):
    shown = opened(ed, card=card)
    give(shown.page, "paste", "#card-title", ("image.png", "image/png", picture()))
    expect(names(shown)).to_have_text([re.compile(r"^image-\d{14}\.png$")])


def test_text_that_comes_with_a_picture_of_itself_stays_text(opened, ed, card):
    shown = opened(ed, card=card)
    give(shown.page, "paste", "#card-title", ("image.png", "image/png", picture()), text="a\tb")
    give(shown.page, "paste", "#card-title", ("Cat.png", "image/png", picture()))
    expect(names(shown)).to_have_text(["Cat.png"])
    expect(shown.page.locator(".upload:not(.done)")).to_have_count(0)
    assert Attachment.objects.count() == 1


def test_a_picture_pasted_into_the_editor_stands_where_it_was_pasted(opened, ed, card):
    shown = opened(ed, card=card)
    shown.edit_description()
    shown.page.keyboard.type("Before  after")
    for _letter in range(6):
        shown.page.keyboard.press("ArrowLeft")
    give(shown.page, "paste", ".ProseMirror p", ("Cat.png", "image/png", picture()))
    expect(shown.page.locator(".ProseMirror img[alt='Cat.png']")).to_have_count(1)
    shown.page.keyboard.press("Control+Enter")
    expect(shown.page.locator(".editor")).to_have_count(0)
    attachment = Attachment.objects.get()
    card.refresh_from_db()
    assert pictures_in(card.description) == {str(attachment.pk)}
    assert [node["type"] for node in card.description["content"][0]["content"]] == ["text", "image", "text"]
    run_jobs()
    expect(shown.page.locator("[data-part=description] .prose .picture img")).to_have_js_property("naturalWidth", 640)


def test_a_picture_dropped_into_the_field_of_a_comment_is_in_the_comment(opened, ed, card):
    shown = opened(ed, card=card)
    field = shown.page.get_by_role("textbox", name="New comment")
    field.fill("See ")
    give(shown.page, "drop", "[data-part=new-comment] textarea", ("Cat.png", "image/png", picture()))
    expect(field).to_have_value(re.compile(r"^See !\[Cat\.png\]\(/attachments/[-0-9a-f]{36}\)$"))
    shown.page.locator("[data-part=new-comment] button.primary").click()
    expect(shown.page.locator(".comment .picture")).to_have_count(1)
    assert pictures_in(Comment.objects.get().document) == {str(Attachment.objects.get().pk)}


# Looked at, named, used


def test_pictures_open_large_one_after_another(opened, ed, card):
    attach(ed, card, "Cat.png")
    attach(ed, card, "Dog.png", picture("orange"))
    attach(ed, card, "Words.txt", b"words")
    shown = opened(ed, card=card)
    shown.page.get_by_role("link", name="View Cat.png").click()
    viewer, heading = shown.page.locator("#viewer"), shown.page.locator("#viewer-name")
    expect(heading).to_have_text("Cat.png")
    expect(viewer.locator("img")).to_have_js_property("naturalWidth", 640)
    shown.page.keyboard.press("ArrowRight")
    expect(heading).to_have_text("Dog.png")
    shown.page.keyboard.press("ArrowRight")
    expect(heading).to_have_text("Cat.png")
    expect(viewer.get_by_role("link", name="Download")).to_have_attribute("download", "Cat.png")
    shown.page.keyboard.press("Escape")
    expect(viewer).not_to_be_visible()
    expect(shown.page.locator("#card-dialog")).to_be_visible()
    expect(shown.page.get_by_role("link", name="View Cat.png")).to_be_focused()


def test_a_file_gets_another_name_and_becomes_the_cover(opened, ed, card):
    attach(ed, card)
    shown = opened(ed, card=card)
    row = shown.page.locator(".file")
    row.hover()
    row.locator(".file-rename > summary").click()
    row.get_by_role("textbox", name="File name").fill("Tabby.png")
    row.get_by_role("button", name="Save").click()
    expect(names(shown)).to_have_text(["Tabby.png"])
    row.locator(".file-menu > summary").click()
    row.get_by_role("button", name="Use as cover").click()
    expect(shown.tile(card).locator(".cover img")).to_have_js_property("naturalWidth", 320)
    expect(row.locator(".badge")).to_have_text("Cover")
    expect(row.get_by_role("button", name="Remove as cover")).to_be_hidden()
    expect(row.locator(".file-menu > summary")).to_be_focused()
    shown.page.locator("#choose-cover").click()
    expect(shown.page.locator(".cover-choice")).to_have_attribute("aria-pressed", "true")
    shown.page.get_by_role("button", name="Green", exact=True).click()
    expect(shown.tile(card).locator(".cover.hue-4")).to_have_count(1)
    expect(shown.tile(card).locator(".cover img")).to_have_count(0)


def test_a_picture_that_is_being_made_is_asked_for_again(opened, ed, card):
    stored = store([picture()], most=10_000)
    attach_file(actor=web(ed), card_id=card.pk, stored=stored, file_name="Cat.png")
    shown = opened(ed, card=card)
    shown.page.mouse.move(5, 5)
    image = shown.page.locator(".file-look img")
    expect(image).to_have_js_property("naturalWidth", 0)
    run_jobs()
    expect(image).to_have_js_property("naturalWidth", 320)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_files_and_the_viewer_have_no_accessibility_problems(axe, show, ed, card, theme):
    cat = attach(ed, card)
    attach(ed, card, "Words.txt", b"words")
    set_cover_picture(actor=web(ed), card_id=card.pk, attachment_id=cat.pk)
    update_card(actor=web(ed), card_id=card.pk, description=f"See ![a cat](/attachments/{cat.pk})")
    page = show(card.get_absolute_url(), ed, theme=theme)
    intercept(page, "**/attachments", lambda route: route.abort())
    give(page, "drop", "#card-dialog .main", ("Large.txt", "text/plain", b"x"))
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    page.locator("#choose-cover").click()
    assert complaints(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("link", name="View Cat.png").click()
    assert complaints(page) == []


def test_covers_of_many_cards_take_no_room_before_they_are_there(opened, ed, todo):
    cards = [create_card(actor=web(ed), list_id=todo.pk, title=str(number)) for number in range(3)]
    for one in cards:
        cover = attach(ed, one, content=picture(size=(300, 500)))
        set_cover_picture(actor=web(ed), card_id=one.pk, attachment_id=cover.pk)
    shown = opened(ed)
    heights = "() => [...document.querySelectorAll('.card.pictured')].map((tile) => tile.offsetHeight)"
    before = shown.page.evaluate(heights)
    expect(shown.tile(cards[0]).locator(".cover img")).to_have_js_property("complete", True)
    assert shown.page.evaluate(heights) == before


def test_that_a_file_is_attached_is_said_once(opened, ed, card):
    shown = opened(ed, card=card)
    give(shown.page, "drop", "#card-dialog .main", note())
    expect(shown.page.locator(".toast")).to_contain_text("1 file attached.")
    assert shown.page.locator(".upload").count() == 0
