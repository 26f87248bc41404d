"""A picture of one's own behind the lists of a board: who may set it, who gets it, and when its file goes."""

import os
import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image
from playwright.sync_api import expect

from boards.actions.boards.background import BACKGROUNDS, named_pictures, set_background_picture
from boards.actions.boards.board import create_board, update_board
from boards.actions.boards.copies import copy_board
from boards.actions.boards.own_templates import create_board_from, delete_template, save_template
from boards.actions.sharing.public_links import change_public_link, create_public_link, withdraw_public_link
from boards.actions.undo import undo_change
from boards.backgrounds import picture_of
from boards.models import Activity, Board, PublicLink
from boards.tests.world import last
from conftest import web
from operating.tidying import tidy
from web.tests.browsing import browser, text_of


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    backend = settings.STORAGES["default"]["BACKEND"]
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend, "OPTIONS": {"location": str(tmp_path)}}}
    return tmp_path


def photo(size=(3000, 1000), kind="JPEG") -> SimpleUploadedFile:
    file = BytesIO()
    exif = Image.Exif()
    exif[0x8825] = {1: "N", 2: (52.0, 30.0, 0.0)}  # where it was taken
    Image.new("RGB", size, "teal").save(file, kind, exif=exif)
    return SimpleUploadedFile("hills.jpg", file.getvalue())


def send(user, board, file):
    return browser(user).post(f"/board/{board.pk}/background", {"picture": file})


def name_of(board) -> str:
    return picture_of(Board.objects.get(pk=board.pk).background)


def test_an_editor_sets_a_picture_which_is_made_anew(ed, board):
    assert send(ed, board, photo()).url == f"/board/{board.pk}/settings"
    answer = browser(ed).get(f"/board/{board.pk}/background/{name_of(board)}")
    made = Image.open(BytesIO(answer.content))
    assert (answer["Content-Type"], made.format, made.size) == ("image/webp", "WEBP", (2560, 853))
    assert not made.getexif()
    assert "immutable" in answer["Cache-Control"]
    assert (
        f"/board/{board.pk}/background/{name_of(board)}" in browser(ed).get(board.get_absolute_url()).content.decode()
    )


@pytest.mark.parametrize("who, status", [("vera", 403), ("stan", 404)])
def test_others_cannot_set_one(request, board, who, status):
    assert send(request.getfixturevalue(who), board, photo()).status_code == status
    assert name_of(board) == ""


@pytest.mark.parametrize(
    "file, words",
    [
        (SimpleUploadedFile("x.jpg", b"no picture"), "cannot be read as a picture"),
        (SimpleUploadedFile("x.svg", b"<svg onload=alert(1)></svg>"), "cannot be read as a picture"),
        ("", "Choose a picture."),
    ],
)
def test_what_is_no_picture_is_refused_and_changes_nothing(ed, board, file, words):
    answer = send(ed, board, file)
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert name_of(board) == ""


def test_a_picture_is_for_members_of_its_board_alone(ed, vera, stan, board):
    send(ed, board, photo())
    address = f"/board/{board.pk}/background/{name_of(board)}"
    assert browser(vera).get(address).status_code == 200
    assert browser(stan).get(address).status_code == 404
    assert browser(ed).get(address[:-1]).status_code == 404


def test_a_picture_that_was_replaced_is_not_served_any_more(ed, board):
    send(ed, board, photo())
    old = name_of(board)
    send(ed, board, photo((300, 200)))
    assert browser(ed).get(f"/board/{board.pk}/background/{old}").status_code == 404


def test_the_history_says_picture_and_not_its_name(ed, board):
    send(ed, board, photo())
    page = browser(ed).get(f"/board/{board.pk}/activity")
    assert "Picture" in text_of(page)
    assert name_of(board) not in page.content.decode()


def test_the_settings_keep_the_picture_until_another_background_is_chosen(ed, board):
    send(ed, board, photo())
    kept = name_of(board)
    for chosen, name in (("picture", kept), ("sea", "")):
        browser(ed).post(f"/board/{board.pk}/settings", {"title": "Launch", "color": "3", "background": chosen})
        assert name_of(board) == name


def test_undo_brings_the_picture_back(ed, board):
    send(ed, board, photo())
    name = name_of(board)
    update_board(actor=web(ed), board_id=board.pk, background="sea")
    undo_change(actor=web(ed), board_id=board.pk, number=last(board).version)
    assert name_of(board) == name
    assert BACKGROUNDS.read(name)


def test_nobody_names_a_picture_by_a_form(ed, board):
    sent = {"title": "Launch", "color": "3", "background": f"picture:{'x' * 32}"}
    assert browser(ed).post(f"/board/{board.pk}/settings", sent).status_code == 422


def test_files_that_no_board_has_go_after_a_day_and_copies_and_templates_keep_theirs(ed, board, folder):
    names = []
    for content in (b"of a copy", b"of a template", b"replaced", b"present"):
        set_background_picture(actor=web(ed), board_id=board.pk, content=content)
        names.append(name_of(board))
        if content == b"of a copy":
            copy_board(actor=web(ed), board_id=board.pk, title="Copy")
        if content == b"of a template":
            saved = save_template(actor=web(ed), board_id=board.pk, name="Usual")
    for path in (folder / "backgrounds").iterdir():
        past = (timezone.now() - timedelta(hours=25)).timestamp()
        os.utime(path, (past, past))
    Activity.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert {*named_pictures()} == {names[0], names[1], names[3]}
    tidy()
    assert {path.stem for path in (folder / "backgrounds").iterdir()} == {names[0], names[1], names[3]}
    delete_template(actor=web(ed), template_id=saved.pk)
    tidy()
    assert {path.stem for path in (folder / "backgrounds").iterdir()} == {names[0], names[3]}
    assert Activity.objects.filter(board=board, verb="board.changed").count() == 4


def test_a_picture_of_last_week_that_was_replaced_today_comes_back(ed, board, folder):
    set_background_picture(actor=web(ed), board_id=board.pk, content=b"of last week")
    [path] = (folder / "backgrounds").iterdir()
    past = (timezone.now() - timedelta(days=7)).timestamp()
    os.utime(path, (past, past))
    change = update_board(actor=web(ed), board_id=board.pk, background="sea")
    tidy()
    undo_change(actor=web(ed), board_id=board.pk, number=change.version)
    assert (name_of(board), path.exists()) == (path.stem, True)


def test_a_board_from_a_template_has_its_picture_and_one_from_an_older_template_none(ed, stan, board):
    send(ed, board, photo((30, 20)))
    saved = save_template(actor=web(ed), board_id=board.pk, name="Usual")
    made = create_board_from(actor=web(ed), template_id=saved.pk, title="Again", hue=3)
    assert name_of(made) == name_of(board)
    assert browser(ed).get(f"/board/{made.pk}/background/{name_of(made)}").status_code == 200
    assert browser(stan).get(f"/board/{made.pk}/background/{name_of(made)}").status_code == 404
    del saved.outline["background"]
    saved.save()
    assert create_board_from(actor=web(ed), template_id=saved.pk, title="Old", hue=3).background == "plain"


def plate_of(found) -> str:
    return found.evaluate("element => getComputedStyle(element).backgroundColor")


@pytest.mark.django_db(transaction=True)
def test_the_picture_lies_behind_lists_that_stand_on_a_plate(show, ed, board, todo):
    send(ed, board, photo())
    page = show(board.get_absolute_url(), ed)
    expect(page.locator(".board-picture")).to_have_js_property("complete", True)
    assert page.locator(".board-picture").evaluate("image => image.naturalWidth") == 2560
    assert plate_of(page.locator(f"#list-{todo.pk}")) not in ("rgba(0, 0, 0, 0)", "transparent")


@pytest.mark.django_db(transaction=True)
def test_uploading_a_picture_asks_before_it_drops_a_title_that_is_not_saved(show, ed, board):
    page = show(f"/board/{board.pk}/settings", ed, wired="[data-behaviour=ask-unsaved]")
    title = page.get_by_label("Title")
    title.fill("Landing")
    page.locator("#background-picture").set_input_files(
        {"name": "hills.jpg", "mimeType": "image/jpeg", "buffer": photo().read()}
    )
    page.on("dialog", lambda asked: asked.dismiss())
    with page.expect_event("dialog") as asked:
        page.get_by_role("button", name="Upload picture").click()
    assert asked.value.type == "beforeunload"
    expect(title).to_have_value("Landing")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Saved.")
    board.refresh_from_db()
    assert (board.title, name_of(board)) == ("Landing", "")


@pytest.fixture
def link(olga, ed, board):
    send(ed, board, photo((300, 200)))
    return create_public_link(actor=web(olga), board_id=board.pk)


def public_address(link, name: str = "") -> str:
    return f"/public/{link.key}/background/{name or name_of(link.board)}"


@pytest.mark.django_db(transaction=True)
def test_the_message_of_a_new_page_says_what_was_done_and_has_one_undo(show, ed, board):
    page = show(f"/board/{board.pk}/settings", ed, wired=".toasts")
    page.get_by_label("Dusk").check(force=True)
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator(".toast > span")).to_have_text("Saved.")
    expect(page.locator(".toast").get_by_role("button", name="Undo")).to_have_count(1)


def test_holders_of_a_public_link_get_the_picture_by_its_own_address_and_cannot_keep_it(link):
    visitor = Client()
    page = visitor.get(f"/public/{link.key}").text
    assert f'<img class="board-picture" src="{public_address(link)}" alt="">' in page
    assert re.search(r'<body[^>]* data-background="picture"', page)
    assert str(link.board_id) not in page
    answer = visitor.get(public_address(link))
    assert (answer.status_code, Image.open(BytesIO(answer.content)).size) == (200, (300, 200))
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("image/webp", "no-store")
    assert "sandbox" in answer["Content-Security-Policy"]


def test_a_public_link_opens_the_picture_that_its_board_has_now_alone(link, ed, olga):
    visitor, old = Client(), name_of(link.board)
    other = create_board(actor=web(olga), title="Private")
    set_background_picture(actor=web(olga), board_id=other.pk, content=b"private")
    send(ed, link.board, photo((30, 20)))
    assert visitor.get(public_address(link)).status_code == 200
    for name in (old, name_of(other), "x" * 32):
        assert visitor.get(public_address(link, name)).status_code == 404
    assert visitor.get(f"/board/{link.board_id}/background/{name_of(link.board)}").status_code == 302
    assert visitor.get(f"/background/{name_of(link.board)}").status_code == 404


def test_without_the_password_and_without_the_link_there_is_no_picture(link, olga):
    visitor, choices = Client(), {"expires_at": None, "shows_comments": False, "shows_names": False, "frames": ""}
    change_public_link(actor=web(olga), board_id=link.board_id, **choices, password="correct horse")
    assert visitor.get(public_address(link)).status_code == 404
    visitor.post(f"/public/{link.key}/unlocking", {"password": "correct horse"})
    assert visitor.get(public_address(link)).status_code == 200
    PublicLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert visitor.get(public_address(link)).status_code == 404
    PublicLink.objects.update(expires_at=None)
    assert visitor.get(public_address(link)).status_code == 200
    withdraw_public_link(actor=web(olga), board_id=link.board_id)
    assert visitor.get(public_address(link)).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_page_of_a_public_link_shows_the_picture_and_its_words_on_a_plate(show, link, stan):
    page = show(f"/public/{link.key}", stan)
    expect(page.locator(".board-picture")).to_have_js_property("complete", True)
    assert page.locator(".board-picture").evaluate("image => image.naturalWidth") == 300
    assert plate_of(page.locator(".no-lists")) not in ("rgba(0, 0, 0, 0)", "transparent")
