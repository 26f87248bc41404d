"""Files for holders of a public link: those of the open cards of its board, while it is open, and no others."""

from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from PIL import Image
from uuid_utils.compat import uuid7

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.actions.files.attachments import attach_file, set_cover_picture
from boards.actions.lists.list import create_list
from boards.actions.sharing.public_links import change_public_link, withdraw_public_link
from boards.models import Attachment
from boards.tests.world import World, a_picture
from conftest import run_jobs, web
from core.files.storage import store
from web.tests.browsing import browser, text_of

REST = ("", "?inline", "/preview", "/thumbnail")


@pytest.fixture
def visitor() -> Client:
    return Client()


def status(visitor: Client, address: str) -> int:
    answer = visitor.get(address)
    if answer.streaming:
        list(answer.streaming_content)
    return answer.status_code


def files(world: World, picture=None) -> list[str]:
    return [f"/public/{world.link.key}/attachments/{(picture or world.picture).pk}{rest}" for rest in REST]


def test_a_page_names_the_files_of_its_cards_by_its_own_address_and_they_open(world, visitor):
    update_card(actor=world.by_olga, card_id=world.card.pk, description=f"![dot](/attachments/{world.picture.pk})")
    page = visitor.get(f"/public/{world.link.key}?card={world.card.pk}").text
    address = f"/public/{world.link.key}/attachments/{world.picture.pk}"
    assert f'href="{address}" download>Dot.png</a>' in page
    assert f'src="{address}/preview"' in page
    assert f'"/attachments/{world.picture.pk}' not in page
    assert [status(visitor, file) for file in files(world)] == [200] * 4


def test_a_tile_shows_the_cover_and_how_many_files_the_card_has(world, visitor):
    set_cover_picture(actor=world.by_olga, card_id=world.card.pk, attachment_id=world.picture.pk)
    page = visitor.get(f"/public/{world.link.key}").text
    assert f'<img src="/public/{world.link.key}/attachments/{world.picture.pk}/thumbnail"' in page
    assert 'title="Files"' in page


def test_a_text_that_looks_like_such_an_address_stays_as_it_is(world, visitor):
    update_card(actor=world.by_olga, card_id=world.card.pk, description='See `"/attachments/` there')
    page = visitor.get(f"/public/{world.link.key}?card={world.card.pk}").text
    assert "&quot;/attachments/" in page


def with_place(kind: str, file_name: str, world: World, **options: Any) -> Attachment:
    """Attach a picture that says where it was taken, and have its previews made."""
    exif = Image.Exif()
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, 12.0)})
    exif[0x010E] = "secret words"
    Image.new("RGB", (40, 30)).save(file := BytesIO(), kind, exif=exif, **options)
    stored = store([file.getvalue()], most=100_000)
    found = attach_file(actor=world.by_olga, card_id=world.card.pk, stored=stored, file_name=file_name)
    run_jobs()
    return found


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("rest", ["", "?inline", "/preview", "/thumbnail"])
def test_pictures_are_sent_without_what_the_camera_wrote_into_them(world, visitor, kind, rest):
    attached = with_place(kind, f"Garden.{kind.lower()}", world)
    [own] = [browser(world.olga).get(f"/attachments/{attached.pk}")]
    assert b"secret words" in own.getvalue()
    answer = visitor.get(f"/public/{world.link.key}/attachments/{attached.pk}{rest}")
    picture = Image.open(BytesIO(answer.getvalue()))
    assert (answer["Content-Type"], picture.format, dict(picture.getexif())) == ("image/webp", "WEBP", {})


def test_a_picture_that_cannot_be_made_anew_is_not_sent(world, visitor):
    attached = with_place("TIFF", "Garden.tif", world)
    answer = visitor.get(f"/public/{world.link.key}/attachments/{attached.pk}")
    assert (answer.status_code, "without the data the camera recorded" in answer.text) == (404, True)


def test_a_picture_that_moves_goes_on_moving(world, visitor):
    frames = [Image.new("RGB", (9, 9), colour) for colour in ("red", "green")]
    frames[0].save(file := BytesIO(), "GIF", save_all=True, append_images=frames[1:])
    stored = store([file.getvalue()], most=100_000)
    attached = attach_file(actor=world.by_olga, card_id=world.card.pk, stored=stored, file_name="Dig.gif")
    answer = visitor.get(f"/public/{world.link.key}/attachments/{attached.pk}?inline")
    assert answer.getvalue() == file.getvalue()


def test_other_files_are_sent_as_they_are(world, visitor):
    stored = store([b"words"], most=100)
    attached = attach_file(actor=world.by_olga, card_id=world.card.pk, stored=stored, file_name="Words.txt")
    answer = visitor.get(f"/public/{world.link.key}/attachments/{attached.pk}")
    assert (answer["Content-Type"], answer.getvalue()) == ("text/plain", b"words")


def test_both_pages_say_what_is_sent_of_pictures(world):
    page = browser(world.olga)
    assert "without the data the camera recorded" in text_of(page.get(f"/board/{world.board.pk}/public-link"))
    assert "Photos keep the place and time" in text_of(page.get(f"/board/{world.board.pk}?card={world.card.pk}"))


def test_the_answer_lets_nobody_keep_it_and_nothing_run(world, visitor):
    answer = visitor.get(files(world)[1])
    list(answer.streaming_content)
    assert answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "sandbox" in answer["Content-Security-Policy"]


def test_files_of_other_boards_and_of_archived_cards_do_not_exist(world, visitor):
    board = create_board(actor=web(world.olga), title="Private")
    row = create_list(actor=web(world.olga), board_id=board.pk, title="Private")
    card = create_card(actor=web(world.olga), list_id=row.pk, title="Private")
    foreign = attach_file(actor=web(world.olga), card_id=card.pk, stored=a_picture(), file_name="Private.png")
    assert {status(visitor, file) for file in files(world, foreign)} == {404}
    assert status(visitor, f"/public/{world.link.key}/attachments/{uuid7()}") == 404
    archive_card(actor=world.by_olga, card_id=world.card.pk)
    assert {status(visitor, file) for file in files(world)} == {404}


def test_without_the_password_and_without_the_link_there_is_nothing(world, visitor):
    choices = {"expires_at": None, "shows_comments": False, "shows_names": False, "frames": ""}
    change_public_link(actor=world.by_olga, board_id=world.board.pk, **choices, password="correct horse")
    assert {status(visitor, file) for file in files(world)} == {404}
    visitor.post(f"/public/{world.link.key}/unlocking", {"password": "correct horse"})
    assert {status(visitor, file) for file in files(world)} == {200}
    withdraw_public_link(actor=world.by_olga, board_id=world.board.pk)
    assert {status(visitor, file) for file in files(world)} == {404}


def test_a_public_link_opens_no_file_by_the_address_of_members(world, visitor):
    visitor.get(f"/public/{world.link.key}")
    answer = visitor.get(f"/attachments/{world.picture.pk}")
    assert (answer.status_code, answer.url.partition("?")[0]) == (302, "/sign-in")
