"""The zip: the JSON, the files, and pages that open without the service."""

import base64
import hashlib
import io
import os
import shutil
import subprocess
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest
from django.core.files.storage import default_storage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.pictures import set_picture
from boards.actions.boards.background import BACKGROUNDS, set_background_picture
from boards.actions.boards.board import archive_board, create_board, update_board
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.comments import add_comment
from boards.actions.files.attachments import attach_file, set_cover_picture
from boards.actions.lists.list import archive_list, create_list
from boards.backgrounds import picture_of
from boards.models import Attachment, Board, Card, Use
from boards.reader import Reader
from boards.tests.world import World
from conftest import web
from core.files.storage import path_of, store
from exporter import zip_export
from exporter.models import Form
from exporter.tests.conftest import cards_of, checked
from exporter.writing import write

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("storage")]
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc00000030101"
    "0018dd8db00000000049454e44ae426082"
)
HOSTILE = [
    "../../x",
    "CON",
    "🎉" * 200,
    "\u202egpj.exe",
    "<script>alert(1)</script>",
    "Same",
    "Same",
    "same",
    "# Head `x` [a](b)",
]


def zipped(user) -> bytes:
    file = io.BytesIO()
    write(Form.ZIP, Reader(user), file)
    return file.getvalue()


def opened(user) -> ZipFile:
    archive = ZipFile(io.BytesIO(zipped(user)))
    assert archive.testzip() is None
    return archive


def text(archive: ZipFile, name: str) -> str:
    return archive.read(name).decode()


def attach(user, card, name: str, content: bytes) -> Attachment:
    return attach_file(actor=web(user), card_id=card.pk, stored=store([content], most=10**8), file_name=name)


def test_it_has_the_json_the_files_and_pages_to_read(olga, card):
    file = attach(olga, card, "plan.txt", b"the plan")
    picture = attach(olga, card, "photo.png", PNG)
    set_cover_picture(actor=web(olga), card_id=card.pk, attachment_id=picture.pk)
    with opened(olga) as archive:
        assert archive.namelist() == [
            "export.json",
            f"files/{file.pk}/plan.txt",
            f"files/{picture.pk}/photo.png",
            "boards/Launch.md",
            "boards/Launch.html",
            "index.html",
        ]
        [exported] = cards_of(checked(archive.read("export.json")))
        assert [row["sha256"] for row in exported["attachments"]] == [
            hashlib.sha256(content).hexdigest() for content in (b"the plan", PNG)
        ]
        assert exported["coverAttachmentId"] == str(picture.pk)
        assert archive.read(f"files/{file.pk}/plan.txt") == b"the plan"
        assert archive.read(f"files/{picture.pk}/photo.png") == PNG
        kinds = {info.filename.rpartition(".")[2]: info.compress_type for info in archive.infolist()}
        assert (kinds["png"], kinds["txt"], kinds["json"]) == (ZIP_STORED, ZIP_DEFLATED, ZIP_DEFLATED)
        assert f"[plan.txt](../files/{file.pk}/plan.txt)" in text(archive, "boards/Launch.md")
        assert f'href="../files/{file.pk}/plan.txt"' in text(archive, "boards/Launch.html")


def test_the_json_in_it_is_that_of_the_plain_export_but_for_the_pictures(olga, ed, vera, stan):
    World(olga, ed, vera, stan)
    plain = io.BytesIO()
    write(Form.JSON, Reader(olga), plain)
    one = checked(plain.getvalue())
    with opened(olga) as archive:
        other = checked(archive.read("export.json"))
    assert other["user"].pop("picture") is None
    assert {board.pop("background") for board in other["boards"]} == {"plain"}
    assert {**one, "exportedAt": ""} == {**other, "exportedAt": ""}


def test_the_picture_of_the_account_is_in_it(olga):
    set_picture(olga, b"a picture")
    olga.refresh_from_db()
    with opened(olga) as archive:
        assert archive.read("picture.webp") == b"a picture"
        assert checked(archive.read("export.json"))["user"]["picture"] == "picture.webp"


def test_the_backgrounds_of_boards_are_in_it(olga, board):
    set_background_picture(actor=web(olga), board_id=board.pk, content=b"hills")
    gone = create_board(actor=web(olga), title="Gone")
    set_background_picture(actor=web(olga), board_id=gone.pk, content=b"dunes")
    BACKGROUNDS.delete(picture_of(Board.objects.get(pk=gone.pk).background))
    update_board(actor=web(olga), board_id=create_board(actor=web(olga), title="Sea").pk, background="sea")
    with opened(olga) as archive:
        boards = checked(archive.read("export.json"))["boards"]
        assert [one["background"] for one in boards] == ["picture", "picture", "sea"]
        assert [name for name in archive.namelist() if name.startswith("backgrounds")] == [
            f"backgrounds/{board.pk}.webp"
        ]
        assert archive.read(f"backgrounds/{board.pk}.webp") == b"hills"


def test_it_is_opened_by_the_usual_programs(processes, olga, card, tmp_path):
    attach(olga, card, "größe 🎉.txt", b"x")
    for title in HOSTILE:
        create_board(actor=web(olga), title=title)
    place = tmp_path / "export.zip"
    place.write_bytes(zipped(olga))
    if shutil.which("unzip") is None:
        pytest.skip("needs unzip")
    tested = subprocess.run(["unzip", "-t", str(place)], capture_output=True, text=True)
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "No errors detected" in tested.stdout
    target = tmp_path / "deep" / "unpacked"
    target.mkdir(parents=True)
    subprocess.run(["unzip", "-q", str(place), "-d", str(target)], check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "export.zip", "files"]
    assert (target / "index.html").is_file()


def test_hostile_titles_stay_in_their_folder_and_are_text_on_the_pages(olga):
    for title in HOSTILE:
        create_board(actor=web(olga), title=title)
    with opened(olga) as archive:
        names = [name for name in archive.namelist() if name.startswith("boards/")]
        assert len(names) == len({name.casefold() for name in names}) == 2 * len(HOSTILE)
        assert all(name.count("/") == 1 and ".." not in name for name in names)
        index = text(archive, "index.html")
        assert "<script" not in index
        assert "&lt;script&gt;" in index
        for name in names:
            assert "<script" not in text(archive, name)[200:] or name.endswith(".md")


def test_texts_on_the_pages_are_escaped(olga, board, todo):
    card = create_card(
        actor=web(olga),
        list_id=todo.pk,
        title="<img src=x onerror=alert(1)>",
        description="# Why\n\n<b>raw</b> [x](javascript:alert(1)) [y](https://example.com)",
    )
    checklist = create_checklist(actor=web(olga), card_id=card.pk, title="<i>")
    add_item(actor=web(olga), checklist_id=checklist.pk, text='"><script>')
    add_comment(actor=web(olga), card_id=card.pk, text="<script>alert(2)</script>\n# not a heading of the file")
    attach(olga, card, '"><svg onload=alert(3)>.txt', b"x")
    with opened(olga) as archive:
        html, markdown = text(archive, "boards/Launch.html"), text(archive, "boards/Launch.md")
    for tag in ("<img", "<b>raw", "<i>", "<script", "<svg", "javascript:"):
        assert tag not in html
    assert 'href="https://example.com"' in html
    assert "#### Why" in markdown
    assert "\n### #1 \\<img src=x onerror=alert(1)>" in markdown
    assert "\n> # not a heading" in markdown or "\n> \\# not a heading" in markdown


def test_the_pages_load_nothing_and_run_nothing(olga, card):
    with opened(olga) as archive:
        for name in ("index.html", "boards/Launch.html"):
            page = text(archive, name)
            style = page.split("<style>")[1].split("</style>")[0]
            digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
            assert "default-src &#x27;none&#x27;" in page
            assert digest in page
            assert " style=" not in page


def test_a_file_that_is_gone_is_named_in_the_json_and_missing_on_the_pages(olga, card):
    gone, there = attach(olga, card, "gone.txt", b"gone"), attach(olga, card, "there.txt", b"there")
    default_storage.delete(path_of(gone.file.name))
    with opened(olga) as archive:
        [exported] = cards_of(checked(archive.read("export.json")))
        assert [row["fileName"] for row in exported["attachments"]] == ["gone.txt", "there.txt"]
        assert [name for name in archive.namelist() if name.startswith("files/")] == [f"files/{there.pk}/there.txt"]
        assert "- gone.txt (deleted while this export was being created)" in text(archive, "boards/Launch.md")
        assert str(gone.pk) not in text(archive, "boards/Launch.html")


def test_a_picture_in_a_text_is_its_name_and_leads_to_its_file(olga, board, todo):
    card = create_card(actor=web(olga), list_id=todo.pk, title="With a picture")
    picture = attach(olga, card, "photo.png", PNG)
    update_card(actor=web(olga), card_id=card.pk, description=f"![a view](/attachments/{picture.pk})")
    with opened(olga) as archive:
        html = text(archive, "boards/Launch.html")
    assert "<img" not in html
    assert f'<a href="../files/{picture.pk}/photo.png"' in html
    assert "a view" in html


def test_a_picture_in_markdown_is_shown_from_its_file(olga, board, todo, settings):
    settings.BASE_URL = "https://here.example"
    card = create_card(actor=web(olga), list_id=todo.pk, title="With a picture")
    picture, gone = attach(olga, card, "photo.png", PNG), attach(olga, card, "gone.png", PNG)
    words = f"![a view](/attachments/{picture.pk}) ![no view](/attachments/{gone.pk})"
    update_card(actor=web(olga), card_id=card.pk, description=words)
    add_comment(actor=web(olga), card_id=card.pk, text=words)
    default_storage.delete(path_of(gone.file.name))
    with opened(olga) as archive:
        markdown = text(archive, "boards/Launch.md")
    shown = f"![a view](../files/{picture.pk}/photo.png) ![no view](https://here.example/attachments/{gone.pk})"
    assert f"\n{shown}\n" in markdown
    assert f"\n> {shown}\n" in markdown


def test_archived_boards_and_cards_say_so(olga, ed, vera, stan):
    world = World(olga, ed, vera, stan)
    with opened(olga) as archive:
        assert "Archived" in text(archive, "index.html")
        assert "This board was archived on" in text(archive, "boards/Attic.md")
        assert "- **Archived:**" in text(archive, f"boards/{world.board.title}.md")


def test_an_archived_board_is_marked_with_its_state_not_with_the_word_for_a_time(olga):
    archive_board(actor=web(olga), board_id=create_board(actor=web(olga), title="Attic").pk)
    olga.language = "ja"
    with opened(olga) as archive:
        assert "アーカイブ済み" in text(archive, "index.html")


def test_an_archived_list_says_so(olga, board, todo, doing):
    archive_list(actor=web(olga), list_id=todo.pk)
    with opened(olga) as archive:
        page, markdown = text(archive, "boards/Launch.html"), text(archive, "boards/Launch.md")
    assert page.count("Archived") == 1
    of_todo, of_doing = markdown.partition("## To do")[2].split("## Doing")
    assert of_todo.strip().startswith("- **Archived:** ")
    assert "Archived" not in of_doing


def test_pages_are_in_the_language_of_the_account(olga, card):
    olga.language = "de"
    olga.save()
    with opened(olga) as archive:
        assert '<html lang="de" dir="ltr">' in text(archive, "index.html")


def test_an_unknown_time_zone_is_no_obstacle(olga, card):
    olga.time_zone = "Nowhere/Land"
    with opened(olga) as archive:
        assert "time zone UTC" in text(archive, "index.html")


def test_an_empty_account_gets_an_empty_zip_that_opens(olga):
    with opened(olga) as archive:
        assert archive.namelist() == ["export.json", "index.html"]


def test_files_are_read_and_written_in_blocks(olga, card, monkeypatch):
    size, read, written = 10 * zip_export.BLOCK, [], []
    attach(olga, card, "large.bin", os.urandom(size))

    class Source(io.FileIO):
        def read(self, size=-1):
            block = super().read(size)
            read.append(len(block))
            return block

    class Target(io.RawIOBase):
        def write(self, data):
            written.append(len(data))
            return len(data)

    monkeypatch.setattr(zip_export, "open_file", lambda name: Source(default_storage.path(path_of(name))))
    write(Form.ZIP, Reader(olga), Target())
    assert (sum(read), max(read)) == (size, zip_export.BLOCK)
    assert max(written) <= 2 * zip_export.BLOCK


TITLES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=30).filter(
    str.strip
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    boards=st.lists(
        st.tuples(TITLES, st.lists(st.tuples(TITLES, st.lists(st.tuples(TITLES, TITLES), max_size=2)), max_size=2)),
        max_size=3,
    )
)
def test_any_boards_make_a_zip_whose_json_fits_the_schema(olga, boards):
    for rows in (Card, Board, Use):
        rows.objects.all().delete()
    for title, lists in boards:
        board = create_board(actor=web(olga), title=title)
        for list_title, cards in lists:
            row = create_list(actor=web(olga), board_id=board.pk, title=list_title)
            for card_title, words in cards:
                card = create_card(actor=web(olga), list_id=row.pk, title=card_title, description=words)
                add_comment(actor=web(olga), card_id=card.pk, text=words)
    with opened(olga) as archive:
        export = checked(archive.read("export.json"))
        assert len(archive.namelist()) == 2 + 2 * len(boards)
    assert [len(board["lists"]) for board in export["boards"]] == [len(lists) for _title, lists in boards]
