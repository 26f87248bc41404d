"""Backgrounds come over from a zip of ours into another account."""

import json
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from boards.actions.boards.background import BACKGROUNDS, set_background_picture
from boards.actions.boards.board import update_board
from boards.backgrounds import picture_of
from boards.models import Board
from conftest import web
from exporter.models import Form
from importer import steps
from importer.models import ImportState
from importer.tests.test_circle_files import made
from importer.tests.test_services_end_to_end import reported, written

pytestmark = pytest.mark.django_db(transaction=True)


def picture(size: tuple[int, int] = (30, 20), kind: str = "WEBP") -> bytes:
    exif = Image.Exif()
    exif[0x010E] = "secret words"
    Image.new("RGB", size, "teal").save(file := BytesIO(), kind, exif=exif)
    return file.getvalue()


def changed(path: Path, background: object, content: bytes | None) -> Path:
    """Return the zip with another background of its only board; without the field where it is None."""
    after = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(after, "w") as archive:
        export = json.loads(before.read("export.json"))
        [board] = export["boards"]
        board.pop("background")
        if background is not None:
            board["background"] = background
        archive.writestr("export.json", json.dumps(export))
        if content is not None:
            archive.writestr(f"backgrounds/{board['id']}.webp", content)
    return after


def board_of(user) -> Board:
    return user.memberships.get().board


def test_a_picture_comes_back_made_anew(board, olga, stan, tmp_path):
    set_background_picture(actor=web(olga), board_id=board.pk, content=picture())
    row = reported(stan, made(olga, tmp_path, Form.ZIP))
    assert row.report["losses"] == []
    written(row)
    name = picture_of(board_of(stan).background)
    assert name != picture_of(Board.objects.get(pk=board.pk).background)
    found = Image.open(BytesIO(BACKGROUNDS.read(name)))
    assert (found.format, found.size, dict(found.getexif())) == ("WEBP", (30, 20), {})


def test_a_gradient_comes_back(board, olga, stan, tmp_path):
    update_board(actor=web(olga), board_id=board.pk, background="sea")
    row = reported(stan, made(olga, tmp_path, Form.ZIP))
    assert row.report["losses"] == []
    written(row)
    assert board_of(stan).background == "sea"


@pytest.mark.parametrize(
    "background, content, loss",
    [
        ("picture", None, "background-left-out"),
        ("picture", b"no picture", "background-left-out"),
        ("picture", b"<svg onload=alert(1)></svg>", "background-left-out"),
        ("picture", picture((8000, 2001), "PNG"), "background-left-out"),
        ("picture", picture() + bytes(10 * 1024**2), "background-left-out"),
        (f"picture:{'x' * 32}", None, "field-left-out"),
        ("url(x)", None, "field-left-out"),
    ],
    ids=["missing", "words", "svg", "pixels", "bytes", "name", "unknown"],
)
def test_what_is_no_picture_is_counted_and_the_board_comes_without(
    board, olga, stan, tmp_path, background, content, loss
):
    row = reported(stan, changed(made(olga, tmp_path, Form.ZIP), background, content))
    assert [(one["loss"], one["count"]) for one in row.report["losses"]] == [(loss, 1)]
    written(row)
    assert board_of(stan).background == "plain"


def test_a_zip_from_before_boards_had_backgrounds_is_read(board, olga, stan, tmp_path):
    row = reported(stan, changed(made(olga, tmp_path, Form.ZIP), None, None))
    assert row.report["losses"] == []
    written(row)
    assert board_of(stan).background == "plain"


def test_a_background_that_no_export_writes_says_where_the_file_is_damaged(board, olga, stan, tmp_path):
    with changed(made(olga, tmp_path, Form.ZIP), 7, None).open("rb") as file:
        row = steps.upload(stan, file, "changed.zip")
    steps.begin_reading(row, at_once=True)
    row.refresh_from_db()
    assert (row.state, "boards[0].background" in row.error) == (ImportState.FAILED, True)
