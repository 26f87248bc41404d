"""The person of a file who seems to import it is chosen on the page at first, and can be changed."""

import json
from pathlib import Path

import pytest
from django.urls import reverse

from boards.actions.cards.card import create_card
from boards.actions.cards.comments import add_comment
from boards.models import Comment
from boards.outlines import PersonOutline
from conftest import run_jobs, web
from importer.formats import planka_boards, trello, vikunja, wekan
from importer.formats.things import Thing
from importer.models import Import
from importer.reading import own_key
from importer.report import Report
from importer.tests import vikunja_export
from importer.tests.circle import exported
from importer.tests.reading import FILES, read
from importer.tests.test_pages import upload
from web.tests.browsing import browser, text_of

KEN = "5f00000000000000000000a1"
MIA = PersonOutline("m", "Mia", "mia", "mia@example.com")


@pytest.mark.parametrize(
    "people, key",
    [
        ([PersonOutline("1", "OLGA"), MIA], "1"),
        ([PersonOutline("1", "Petrova", "olga"), MIA], "1"),
        ([PersonOutline("1", "Petrova", "op", "Olga@Example.com"), PersonOutline("2", "Olga")], "1"),
        ([PersonOutline("olga@example.com", "olga@example.com"), MIA], "olga@example.com"),
        ([PersonOutline("1", "Olga"), PersonOutline("2", "olga")], ""),
        ([PersonOutline("1", "x", "", "olga@example.com"), PersonOutline("2", "olga@example.com"), PersonOutline("3", "Olga")], ""),
        ([PersonOutline("1", "Olga Petrova"), PersonOutline("2", "Olg")], ""),
        ([], ""),
    ],
    ids=["name", "username", "email before name", "email as name", "two names", "two emails", "part of a name", "nobody"],
)  # fmt: skip
def test_who_has_the_address_or_the_name_of_the_account_alone_is_meant(olga, people, key):
    assert own_key(olga, people) == key


def test_nobody_is_meant_by_an_empty_name(olga):
    olga.name = ""
    assert own_key(olga, [PersonOutline("1", ""), MIA]) == ""


def with_members(tmp_path: Path, name: str, member: str, change: dict[str, object]) -> Path:
    value = json.loads((FILES / name).read_text())
    value[member][0] |= change
    path = tmp_path / name
    path.write_text(json.dumps(value))
    return path


def test_formats_read_usernames_and_addresses(tmp_path):
    path = with_members(tmp_path, "trello.json", "members", {"username": "kenm", "email": "ken@example.com"})
    [board], _losses = read(trello, path)
    assert PersonOutline(KEN, "Ken Mori", "kenm", "ken@example.com") in board.people
    emails = [{"address": "ken@example.com", "verified": True}, {"address": "other@example.com"}]
    [board], _losses = read(wekan, with_members(tmp_path, "wekan.json", "users", {"emails": emails}))
    assert PersonOutline("u1", "Ken Mori", "ken", "ken@example.com") in board.people
    boards, _losses = read(vikunja, vikunja_export.write(tmp_path / "export.zip"))
    assert any(one.username for board in boards for one in board.people)
    users = [{"id": "7", "name": "Ken Mori", "username": "ken", "email": "ken@example.com"}]
    made = planka_boards._Board(Thing({"users": users}, "", Report(), None), {}, None)
    assert made.people == {"7": PersonOutline("7", "Ken Mori", "ken", "ken@example.com")}


@pytest.fixture
def export(board, todo, olga, ed, transactional_db):
    card = create_card(actor=web(ed), list_id=todo.pk, title="Plant tulips")
    add_comment(actor=web(ed), card_id=card.pk, text="Deep")
    run_jobs()
    return exported(olga)


def chosen(html: str) -> list[str]:
    """Return the names of the people who are matched with somebody on the page, in its order."""
    fields = html.split('<label for="person-')[1:]
    return [field.partition(">")[2].partition("<")[0] for field in fields if " selected>" in field]


def test_me_is_chosen_on_the_page_and_stands_first(export, stan):
    stan.name = "vera"
    stan.save()
    answer = upload(stan, export)
    html = browser(stan).get(answer["Location"]).content.decode()
    assert chosen(html) == ["Vera"]
    assert [one["name"] for one in Import.objects.get().report["people"]] == ["Vera", "Ed", "Olga"]


def test_who_exported_is_known_by_their_address_under_another_name(export, olga):
    olga.name = ""
    olga.save()
    upload(olga, export)
    assert Import.objects.get().report["me"] == str(olga.pk)


def test_nobody_is_chosen_for_who_is_not_in_the_file(export, stan):
    answer = upload(stan, export)
    assert chosen(browser(stan).get(answer["Location"]).content.decode()) == []


def test_nothing_is_mine_without_the_field_of_the_page(export, stan):
    stan.name = "Ed"
    stan.save()
    upload(stan, export)
    browser(stan).post(reverse("import_start", args=[Import.objects.get().pk]), {"person-0": ""})
    run_jobs()
    assert Comment.objects.get(board__memberships__user=stan).body == "**Ed** wrote:\n\nDeep"


def test_who_is_unchosen_stays_so_when_the_form_is_refused(export, stan, olga):
    stan.name = "Ed"
    stan.save()
    upload(stan, export)
    answer = browser(stan).post(
        reverse("import_start", args=[Import.objects.get().pk]), {"person-0": "", "person-1": str(olga.pk)}
    )
    assert "Choose people with whom you share a board." in text_of(answer)
    assert "Ed" not in chosen(answer.content.decode())
