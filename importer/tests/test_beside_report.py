"""The page asks beside the report for the key and the token with which Trello gives out the files of cards."""

import json
import sys
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.urls import reverse

from boards.models import Attachment, Board
from conftest import run_jobs
from core.tests.web_server import web_server
from importer.formats import trello_files
from importer.models import Import, ImportState
from importer.tests.reading import FILES
from importer.tests.test_pages import upload
from web.tests.browsing import browser, text_of

pytestmark = pytest.mark.django_db(transaction=True)
KEN = "5f00000000000000000000a1"
ASKS = "Enter a key and a token to see which files Trello gives out."


@pytest.fixture
def trello(monkeypatch):
    """A server that gives out the file of the sample."""
    with web_server() as server:
        monkeypatch.setattr(trello_files, "HOSTS", (server.address,))
        monkeypatch.setattr(trello_files, "SERVERS", (server.address,))
        server.give("/plan.png", b"bytes")
        yield server


@pytest.fixture
def row(olga, trello) -> Import:
    """The import of a board with one file, whose report is made."""
    value = json.loads((FILES / "trello.json").read_text())
    for card in value["cards"]:
        card["attachments"] = []
    value["cards"][0]["attachments"] = [
        {"id": "f", "isUpload": True, "name": "x.txt", "url": f"{trello.address}/plan.png"}
    ]
    upload(olga, value)
    return Import.objects.get()


def shown(row):
    return text_of(browser(row.user).get(row.get_absolute_url()))


def send(row, **fields):
    answer = browser(row.user).post(row.get_absolute_url(), fields)
    run_jobs()
    row.refresh_from_db()
    return answer


def start(row, **fields):
    answer = browser(row.user).post(reverse("import_start", args=[row.pk]), fields)
    run_jobs()
    row.refresh_from_db()
    return answer


def place_of(row, key=KEN):
    return next(place for place, one in enumerate(row.report["people"]) if one["key"] == key)


def test_the_report_is_there_before_a_key_is_asked_for(row, trello):
    page = shown(row)
    assert row.state == ImportState.REPORTED
    assert "1 file was kept as a link" in page
    assert ASKS in page
    assert trello.asked == []


def test_with_a_key_and_a_token_the_report_is_made_anew_and_nothing_else(row, trello):
    send(row, key="abc", token="def")
    assert row.state == ImportState.REPORTED
    page = shown(row)
    assert "1 file" in page
    assert "kept as a link" not in page
    assert "This preview was made with your key and token." in page
    assert len(trello.asked) == 1
    assert not Board.objects.exists()


def test_files_that_are_refused_are_counted_in_the_new_report(row, trello):
    trello.give("/plan.png", b"", 401)
    send(row, key="abc", token="def")
    assert "1 file could not be imported." in shown(row)


def test_a_key_that_is_typed_before_the_import_begins_updates_the_report_first(row, trello):
    start(row, key="abc", token="def")
    assert row.state == ImportState.REPORTED
    assert not Board.objects.exists()
    start(row, key="abc", token="")
    assert row.state == ImportState.DONE
    assert Attachment.objects.get().file_name == "x.txt"
    assert row.secrets == {}


def test_without_a_key_the_import_begins_at_once(row):
    start(row, key="", token="")
    assert row.state == ImportState.DONE
    assert not Attachment.objects.exists()


def test_an_empty_token_stays_as_it_was_and_is_on_no_page(row):
    send(row, key="abc", token="hidden123")
    send(row, key="abcd", token="")
    assert row.secrets == {"token": "hidden123"}
    html = browser(row.user).get(row.get_absolute_url()).content.decode()
    assert "hidden123" not in html
    assert "Leave empty to keep your previous entry." in html


def test_without_its_key_files_are_links_again(row):
    send(row, key="abc", token="def")
    start(row, key="", token="")
    assert row.state == ImportState.REPORTED
    assert "1 file was kept as a link" in shown(row)


def test_a_key_that_can_be_none_is_refused_and_what_was_chosen_stays(row, olga):
    answer = send(row, key="a b", token="", **{f"person-{place_of(row)}": str(olga.pk)})
    assert answer.status_code == 422
    assert "letters and digits" in text_of(answer)
    html = answer.content.decode()
    assert 'value="a b"' in html
    assert f'<option value="{olga.pk}" selected>' in html
    assert row.state == ImportState.REPORTED


def test_people_who_were_matched_are_matched_in_the_new_report_too(row, olga):
    send(row, key="abc", token="def", **{f"person-{place_of(row)}": str(olga.pk)})
    assert row.people == {KEN: str(olga.pk)}
    assert f'<option value="{olga.pk}" selected>' in browser(olga).get(row.get_absolute_url()).content.decode()


def test_nobody_can_be_matched_that_way_with_whom_no_board_is_shared(row, stan):
    answer = send(row, key="abc", token="def", **{f"person-{place_of(row)}": str(stan.pk)})
    assert "Choose people with whom you share a board." in text_of(answer)
    assert (row.people, row.state) == ({}, ImportState.REPORTED)


def test_for_a_board_without_files_nothing_is_asked(olga):
    upload(olga, {"name": "Garden", "lists": [{"id": "1", "name": "To do", "idBoard": "5f00000000000000000000e1"}]})
    page = shown(Import.objects.get())
    assert "What will be imported" in page
    assert "API key" not in page


def test_others_cannot_answer(row, vera):
    assert browser(vera).post(row.get_absolute_url(), {"key": "abc", "token": "def"}).status_code == 404


def test_the_command_takes_the_answers_too(olga):
    with pytest.raises(CommandError, match="letters and digits"):
        call_command("import", olga.email, str(FILES / "trello.json"), "--answer", "key=a b", "--dry-run")


@pytest.fixture
def file(row, tmp_path) -> Path:
    """The file of the import, for the command."""
    path = tmp_path / "trello.json"
    with default_storage.open(row.file) as stored:
        path.write_bytes(stored.read())
    return path


@pytest.fixture
def typed(monkeypatch) -> list[str]:
    """Let a person at a terminal type these lines. What is asked is printed."""
    lines: list[str] = []

    def ask(question: str) -> str:
        sys.stdout.write(f"{question}\n")
        return lines.pop(0)

    monkeypatch.setattr("builtins.input", ask)
    monkeypatch.setattr("getpass.getpass", ask)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    return lines


def test_the_command_asks_for_key_and_token_after_the_report_and_makes_it_anew(file, olga, trello, typed, capsys):
    typed[:] = ["a b", "def", "abc", "def", "yes"]
    call_command("import", olga.email, str(file))
    out = capsys.readouterr().out
    assert typed == []
    wanted = [
        "1 file was kept as a link",
        ASKS,
        "Trello API key: ",
        "have only letters and digits",
        "Trello token: ",
        "1 file",
        "This preview was made with your key and token.",
        "Import? [y/N]",
    ]
    places = [out.index(wanted[0])]
    for words in wanted[1:]:
        places.append(out.index(words, places[-1]))
    assert Attachment.objects.get().file_name == "x.txt"
    assert Import.objects.latest("created_at").secrets == {}


def test_without_a_key_the_command_goes_on_with_links(file, olga, trello, typed, capsys):
    typed[:] = ["", "", "yes"]
    call_command("import", olga.email, str(file))
    assert "made with your key" not in capsys.readouterr().out
    assert (Board.objects.count(), Attachment.objects.count(), trello.asked) == (1, 0, [])


@pytest.mark.parametrize("option", ["--dry-run", "--yes"])
def test_where_nobody_is_to_be_asked_the_command_says_how_to_answer(file, olga, typed, option, capsys):
    call_command("import", olga.email, str(file), option)
    out = capsys.readouterr().out
    assert ASKS in out
    assert "--answer key=…  Trello API key" in out


def test_answers_that_were_given_are_not_asked_for(file, olga, trello, typed, capsys):
    typed[:] = ["no"]
    with pytest.raises(CommandError, match="Nothing was imported"):
        call_command("import", olga.email, str(file), "--answer", "key=abc", "--answer", "token=def")
    out = capsys.readouterr().out
    assert "kept as a link" not in out
    assert ASKS not in out
