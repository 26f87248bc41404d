"""The files that people get from the exporter, taken as they are into a fresh account, and exported there again."""

import csv
import hashlib
import io
import json
from datetime import date, timedelta
from zipfile import ZipFile

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from accounts.pictures import set_picture
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.files.attachments import attach_file, set_cover_picture
from boards.actions.lists.list import create_list
from boards.models import Card
from boards.tests.world import DOT, a_picture
from conftest import web
from core.files.storage import store
from exporter import making
from exporter.models import Export, Form
from importer.tests.circle import bare
from importer.tests.test_services_end_to_end import reported, written

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def filled(board, todo, doing, olga):
    """A board with files everywhere, and an account with a picture."""
    card = create_card(actor=web(olga), list_id=todo.pk, title="With files")
    picture = attach_file(actor=web(olga), card_id=card.pk, stored=a_picture(), file_name="Größe.png")
    for content in (b"first", b"second", b""):
        attach(olga, card, "same name.txt", content)
    attach(olga, card, "blob", bytes(range(256)) * 1000)
    update_card(actor=web(olga), card_id=card.pk, description=f"See ![a dot](/attachments/{picture.pk}) here")
    add_comment(actor=web(olga), card_id=card.pk, text=f"Here ![again](/attachments/{picture.pk}) 🏡")
    set_cover_picture(actor=web(olga), card_id=card.pk, attachment_id=picture.pk)
    old = create_card(actor=web(olga), list_id=doing.pk, title="Old", description=f"/board/{board.pk}?card={card.pk}")
    attach(olga, old, "same name.txt", b"of another card")
    archive_card(actor=web(olga), card_id=old.pk)
    set_picture(olga, DOT)
    return board


def attach(user, card, name, content):
    return attach_file(actor=web(user), card_id=card.pk, stored=store([content], most=len(content)), file_name=name)


def made(user, folder, form, board=None):
    """Return the path of a file that the exporter has made, under the name that its person gets."""
    export = Export.objects.create(
        user=user, form=form, board_id=board and board.pk, title=board.title if board else ""
    )
    making.make_export.func(str(export.pk))
    export.refresh_from_db()
    path = folder / f"{user.pk}-{export.file_name}"
    with default_storage.open(export.path) as file:
        path.write_bytes(file.read())
    return path


def taken_in(user, path, mine):
    row = reported(user, path)
    assert row.report["losses"] == []
    people = {
        person["key"]: str(user.pk) for person in row.report["people"] if person["key"] in (str(mine.pk), mine.name)
    }
    return written(row, **people)


def files_of(path):
    """Return the SHA-256 of each file in the zip, by the title of its card and its place there, and the JSON."""
    with ZipFile(path) as archive:
        export = json.loads(archive.read("export.json"))
        names = {name.split("/")[1]: name for name in archive.namelist() if name.startswith("files/")}
        digests = {}
        for board in export["boards"]:
            for card in (card for row in board["lists"] for card in row["cards"]):
                for place, one in enumerate(card["attachments"]):
                    digest = hashlib.sha256(archive.read(names.pop(one["id"]))).hexdigest()
                    assert digest == one["sha256"]
                    digests[card["title"], place, one["fileName"]] = digest
        assert names == {}
        return digests, export


def test_a_zip_comes_back_with_the_bytes_of_every_file(filled, olga, stan, tmp_path):
    first = made(olga, tmp_path, Form.ZIP)
    taken_in(stan, first, olga)
    (digests, before), (again, after) = files_of(first), files_of(made(stan, tmp_path, Form.ZIP))
    assert bare(after) == bare(before)
    assert again == digests
    assert len(digests) == 6
    assert digests["With files", 1, "same name.txt"] == hashlib.sha256(b"first").hexdigest()
    assert (before["user"]["picture"], after["user"]["picture"]) == ("picture.webp", None)  # people are not imported


def test_its_pages_are_the_same_again(filled, olga, stan, tmp_path):
    first = made(olga, tmp_path, Form.ZIP)
    taken_in(stan, first, olga)
    with ZipFile(first) as before, ZipFile(made(stan, tmp_path, Form.ZIP)) as after:
        assert [name for name in after.namelist() if not name.startswith("files/")] == [
            name for name in before.namelist() if not name.startswith("files/") and name != "picture.webp"
        ]
        assert after.testzip() is None


def test_a_file_that_two_cards_name_alike_is_the_one_of_each(filled, olga, stan, tmp_path):
    taken_in(stan, made(olga, tmp_path, Form.ZIP), olga)
    old = Card.objects.get(board__memberships__user=stan, title="Old")
    assert [file.file.sha256 for file in old.attachments.all()] == [hashlib.sha256(b"of another card").hexdigest()]
    assert old.archived_at is not None


TITLES = [
    "=1+2",
    "+49 30 123",
    "-5 °C",
    "@home",
    "'quoted'",
    "'=1",
    "''-1",
    "'",
    "a;b,c",
    'She said "yes"',
    '"',
    "＝1＋1",
    "Häuser 🏡 שלום 漢字",
    "1e5",
    "007",
    "true",
    "sep=;",
]
TEXTS = ["=cmd", "-1", "'-1", "One\n\nTwo; \"three\", 'four'", "- a\n- b", "```\n=1;\n\t+2\n```", "@x\n\n@y"]


@pytest.fixture
def table(board, todo, doing, olga):
    """A board whose texts are hard on tables."""
    other = create_list(actor=web(olga), board_id=board.pk, title="-; \"quoted\" 'list'")
    for place, title in enumerate(TITLES):
        create_card(actor=web(olga), list_id=(todo, doing, other)[place % 3].pk, title=title)
    for text in TEXTS:
        card = create_card(actor=web(olga), list_id=other.pk, title=f"Text {text[:3]!r}"[:20], description=text)
    labels = [create_label(actor=web(olga), board_id=board.pk, name=name).pk for name in ("=a, b", 'c;"d"', "'", "-")]
    for label in labels:
        add_label(actor=web(olga), card_id=card.pk, label_id=label)
    add_label(actor=web(olga), card_id=create_card(actor=web(olga), list_id=todo.pk, title="A").pk, label_id=labels[0])
    checklist = create_checklist(actor=web(olga), card_id=card.pk, title='=Sum; "of" it\'s')
    for text in ("-1", "[x] not a box", "@done, really", "'"):
        item = add_item(actor=web(olga), checklist_id=checklist.pk, text=text)
    update_item(actor=web(olga), item_id=item.pk, done=True)
    update_card(actor=web(olga), card_id=card.pk, start_day=date(2026, 2, 3), due_day=date(2026, 11, 12))
    timed = create_card(actor=web(olga), list_id=todo.pk, title="Timed", due_at=timezone.now() + timedelta(days=3))
    complete_card(actor=web(olga), card_id=timed.pk)
    archive_card(actor=web(olga), card_id=timed.pk)
    return board


def test_the_json_comes_back(table, olga, stan, tmp_path):
    first = made(olga, tmp_path, Form.JSON)
    taken_in(stan, first, olga)
    before, after = (json.loads(path.read_text()) for path in (first, made(stan, tmp_path, Form.JSON)))
    assert bare(after) == bare(before)


def test_the_json_says_which_files_are_not_in_it(filled, olga, stan, tmp_path):
    row = reported(stan, made(olga, tmp_path, Form.JSON))
    assert [(one["loss"], one["count"]) for one in row.report["losses"]] == [("file-left-out", 6)]


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [{name: row[name] for name in row if name not in OTHERWISE} for row in csv.DictReader(file)]


# People, and where the board is.
OTHERWISE = ("Created by", "Address", "Assignees")


def test_the_csv_of_a_board_holds_what_it_can_hold(table, olga, stan, tmp_path):
    path = made(olga, tmp_path, Form.CSV, table)
    taken_in(stan, path, olga)
    copy = stan.memberships.get().board
    titles = Card.objects.filter(board=copy).values_list("title", flat=True)
    assert set(TITLES) <= set(titles)
    assert rows_of(made(stan, tmp_path, Form.CSV, copy)) == rows_of(path)


def test_a_csv_that_a_spreadsheet_saved_with_semicolons_is_the_same(table, olga, stan, tmp_path):
    path = made(olga, tmp_path, Form.CSV, table)
    before = rows_of(path)
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    saved = tmp_path / "saved.csv"
    saved.write_bytes(b"\xef\xbb\xbf" + text.getvalue().encode())
    taken_in(stan, saved, olga)
    assert rows_of(made(stan, tmp_path, Form.CSV, stan.memberships.get().board)) == before
