"""bin/manage import: the report, the boards, and exit codes."""

import json
import os

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Plan
from boards.actions.cards.card import create_card
from boards.actions.cards.comments import add_comment
from boards.models import Comment, Door, Membership
from conftest import web
from importer.models import Import, ImportState
from importer.tests.circle import exported
from importer.tests.reading import FILES


@pytest.fixture
def file(todo, olga, tmp_path, transactional_db):
    card = create_card(actor=web(olga), list_id=todo.pk, title="Plant tulips")
    add_comment(actor=web(olga), card_id=card.pk, text="Deep")
    path = tmp_path / "export.json"
    path.write_text(json.dumps(exported(olga)))
    return path


def test_a_dry_run_prints_the_report_and_makes_nothing(file, stan, capsys):
    call_command("import", stan.email, str(file), "--dry-run")
    out = capsys.readouterr().out
    assert out.startswith("All 4 items in this file will be imported.\nLaunch: 1 list, 1 card, 1 comment\n")
    assert "People: Ed, Olga, Vera" in out
    assert not Membership.objects.filter(user=stan).exists()
    assert Import.objects.get().state == ImportState.CANCELLED


def test_a_file_may_have_a_name_that_is_not_utf_8(stan, tmp_path, transactional_db):
    path = tmp_path / os.fsdecode(b"caf\xe9.csv")
    path.write_text("Title,List\nSow,To do\n")
    call_command("import", stan.email, str(path), "--yes")
    assert Import.objects.get().file_name == "caf.csv"


def test_an_answer_that_nothing_asks_for_is_refused_with_what_is_asked(stan, tmp_path, transactional_db):
    path = tmp_path / "garden.csv"
    path.write_text("Title,List\nSow,To do\n")
    with pytest.raises(CommandError, match=r"--answer titel: .* preset, title, "):
        call_command("import", stan.email, str(path), "--answer", "titel=Garden", "--yes")
    assert not Membership.objects.filter(user=stan).exists()


def test_a_dry_run_begins_with_how_much_of_the_file_is_taken(stan, capsys, transactional_db):
    call_command("import", stan.email, str(FILES / "trello.json"), "--dry-run")
    assert capsys.readouterr().out.startswith("25 items in this file: 23 will be imported, 2 won't.\n")


def test_a_dry_run_tells_that_the_plan_has_no_room(file, stan, capsys):
    Plan.objects.filter(pk=stan.plan_id).update(max_boards=0)
    call_command("import", stan.email, str(file), "--dry-run")
    assert "Your plan has no room for another board, so the import will fail." in capsys.readouterr().out


def test_it_imports_with_yes_and_says_who_people_are(file, stan, capsys):
    call_command("import", stan.email, str(file), "--yes", "--map", f"Olga={stan.email}")
    assert "Imported boards: 1." in capsys.readouterr().out
    comment = Comment.objects.get(board__memberships__user=stan)
    assert (comment.body, comment.door) == ("Deep", Door.IMPORT)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["--map", "Nobody=stan@example.com"], "no person called Nobody"),
        (["--map", "Olga=olga@example.com"], "neither this account nor somebody"),
        (["--map", "Olga"], "not of the form"),
        ([], "Add --yes"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_made(file, stan, arguments, sentence, monkeypatch):
    with pytest.raises(CommandError, match=sentence):
        call_command("import", stan.email, str(file), *arguments)
    assert not Membership.objects.filter(user=stan).exists()
    assert not Import.objects.filter(state=ImportState.REPORTED).exists()


def test_an_unknown_account_and_file_are_refused(file, stan, tmp_path):
    with pytest.raises(CommandError, match="no active account"):
        call_command("import", "nobody@example.com", str(file))
    with pytest.raises(CommandError, match="No such file"):
        call_command("import", stan.email, str(tmp_path / "missing.json"))
