"""The pages of an import, from the file to taking it back."""

import copy
import json
import os

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.card import create_card
from boards.actions.cards.comments import add_comment
from boards.models import Activity, Board, Card, Comment, Door, Invitation, Membership, Verb
from boards.reading.history import lines
from conftest import join, run_jobs, web
from core.limits.queues import own_queue
from importer import steps
from importer.models import Import, ImportState
from importer.tests.circle import exported
from jobs.backend import HEAVY
from jobs.models import Task
from notifications.models import Notification
from security.models import EventKind, SecurityEvent
from web.tests.browsing import browser, text_of

ADDRESS = "/settings/data/import"


@pytest.fixture
def export(todo, olga, ed, transactional_db):
    card = create_card(actor=web(ed), list_id=todo.pk, title="Plant tulips", description="Deep enough")
    add_comment(actor=web(ed), card_id=card.pk, text="Done by **Friday**")
    add_comment(actor=web(olga), card_id=card.pk, text="Good")
    run_jobs()
    return exported(olga)


def upload(user, content, name="export.json", **more):
    sent = content if isinstance(content, bytes) else json.dumps(content).encode()
    answer = browser(user).post(ADDRESS, {"file": SimpleUploadedFile(name, sent), "format": "", **more})
    run_jobs()
    return answer


def imported(user, content, **choices):
    """Upload, start with these choices, and let the worker do it."""
    answer = upload(user, content)
    assert answer.status_code == 302, text_of(answer)
    row = Import.objects.filter(user=user).first()
    assert row.state == ImportState.REPORTED, row.error
    answer = browser(user).post(reverse("import_start", args=[row.pk]), choices)
    assert answer.status_code == 302, text_of(answer)
    run_jobs()
    row.refresh_from_db()
    return row


def test_a_report_says_what_will_be_made_and_makes_nothing(export, stan):
    answer = upload(stan, export)
    page = text_of(browser(stan).get(answer["Location"]))
    assert "Launch" in page
    assert "All 5 items in this file will be imported." in page
    assert "1 list, 1 card, 2 comments" in page
    assert "Nothing. Everything in the file will be imported as it is." in page
    assert not Membership.objects.filter(user=stan).exists()


def test_answers_lose_what_no_database_holds(stan, transactional_db):
    page = browser(stan).post(ADDRESS, {"format": "planka"})["Location"]
    browser(stan).post(page, {"address": "https://planka.example.com\0", "token": "ab\0c"})
    row = Import.objects.get()
    assert (row.choices, row.secrets) == ({"address": "https://planka.example.com"}, {"token": "abc"})


def test_the_boards_are_there_after_the_import_and_belong_to_who_imported_them(export, stan):
    row = imported(stan, export)
    assert row.state == ImportState.DONE
    board = Membership.objects.get(user=stan, role="owner").board
    assert [one["id"] for one in row.made] == [str(board.pk)]
    page = text_of(browser(stan).get(row.get_absolute_url()))
    assert "The import is finished." in page
    assert "Launch" in page
    assert browser(stan).get(board.get_absolute_url()).status_code == 200


def test_zeros_in_the_texts_of_a_file_are_passed_over(export, stan):
    """PostgreSQL holds them neither in JSON nor in a text."""
    [board] = export["boards"]
    board |= {"id": f"{board['id']}\0", "title": "Gar\0den", "odd\0": [{}]}
    board["labels"] = [{"id": "1", "name": "\0" * 60 + "Tools", "color": "red"}, {"id": "2", "name": "x" * 60 + "\0"}]
    board["members"][0] |= {"id": "1\0", "name": "Ken\0"}
    row = imported(stan, export)
    assert row.state == ImportState.DONE
    assert "\\u0000" not in json.dumps([row.report, row.made])
    assert row.made[0]["title"] == "Garden"


def test_the_history_has_one_line_that_says_so(export, stan):
    imported(stan, export)
    board = Membership.objects.get(user=stan).board
    [line] = lines(Activity.objects.filter(board=board), of_board=True)
    assert line.text == "Stan imported the board Launch"
    assert line.details == ["From Taskboard, with 1 card"]
    assert line.activity.door == Door.IMPORT
    assert {row.version for row in Card.objects.filter(board=board)} == {board.version} == {1}


def test_names_of_people_who_are_matched_with_nobody_stay_in_the_texts(export, stan):
    imported(stan, export)
    first, second = Comment.objects.filter(board__memberships__user=stan)
    assert (first.author, second.author) == (stan, stan)
    assert first.body == "**Ed** wrote:\n\nDone by **Friday**"
    assert second.body == "**Olga** wrote:\n\nGood"
    assert Card.objects.get(board__memberships__user=stan).excerpt == "Added by Ed."


def test_what_i_wrote_there_is_mine_if_i_say_so(export, stan, ed):
    upload(stan, export)
    people = Import.objects.get().report["people"]
    place = next(number for number, one in enumerate(people) if one["name"] == "Ed")
    imported(stan, export, **{f"person-{place}": str(stan.pk)})
    assert [row.body for row in Comment.objects.filter(board__memberships__user=stan)] == [
        "Done by **Friday**",
        "**Olga** wrote:\n\nGood",
    ]


def test_others_are_invited_and_not_added(export, stan, ed):
    shared = create_board(actor=web(stan), title="Shared")
    join(ed, shared)
    upload(stan, export)
    people = Import.objects.get().report["people"]
    place = next(number for number, one in enumerate(people) if one["name"] == "Ed")
    row = imported(stan, export, **{f"person-{place}": str(ed.pk)})
    board = Board.objects.get(pk=row.made[0]["id"])
    assert [one.user for one in board.memberships.all()] == [stan]
    assert [one.invitee for one in Invitation.objects.filter(board=board)] == [ed]
    assert "**Ed** wrote:" in Comment.objects.filter(board=board).first().body


def test_nobody_can_be_named_with_whom_no_board_is_shared(export, stan, olga):
    upload(stan, export)
    row = Import.objects.get()
    answer = browser(stan).post(reverse("import_start", args=[row.pk]), {"person-0": str(olga.pk)})
    assert answer.status_code == 422
    assert "Choose people with whom you share a board." in text_of(answer)
    row.refresh_from_db()
    assert row.state == ImportState.REPORTED


def test_boards_can_be_left_out(export, stan, olga):
    create_board(actor=web(olga), title="Second")
    both = exported(olga)
    row = imported(stan, both, **{"choose-boards": "1", "board-1": "on"})
    assert [one["title"] for one in row.made] == ["Second"]
    upload(stan, both)
    row = Import.objects.first()
    answer = browser(stan).post(reverse("import_start", args=[row.pk]), {"choose-boards": "1"})
    assert "Choose at least one board." in text_of(answer)


def test_nobody_is_told_but_who_imported(export, stan, olga, ed, vera):
    before = set(Notification.objects.values_list("pk", flat=True))
    row = imported(stan, export)
    [told] = Notification.objects.exclude(pk__in=before)
    assert told.user == stan
    assert told.data["link"] == row.get_absolute_url()
    assert told.data["state"] == "done"


def test_the_start_stands_in_the_security_log(export, stan):
    imported(stan, export)
    assert SecurityEvent.objects.get(kind=EventKind.IMPORTED).details == {"name": "export.json", "boards": 1}


def test_the_whole_import_is_taken_back_after_asking(export, stan):
    row = imported(stan, export)
    board = Board.objects.get(pk=row.made[0]["id"])
    create_card(actor=web(stan), list_id=board.lists.get().pk, title="Since")
    address = reverse("import_taking_back", args=[row.pk])
    page = text_of(browser(stan).get(address))
    assert "1 change since the import will be lost. 1 card was added or changed." in page
    assert Board.objects.filter(pk=board.pk).exists()
    browser(stan).post(address)
    run_jobs()
    assert not Board.objects.filter(pk=board.pk).exists()
    row.refresh_from_db()
    assert row.state == ImportState.TAKEN_BACK
    assert Board.objects.filter(title="Launch").count() == 1  # Olga's


def test_a_board_that_was_given_away_is_not_taken_back(export, stan, ed):
    row = imported(stan, export)
    board = Board.objects.get(pk=row.made[0]["id"])
    Membership.objects.filter(board=board, user=stan).update(user=ed)
    browser(stan).post(reverse("import_taking_back", args=[row.pk]))
    assert Board.objects.filter(pk=board.pk).exists()


def test_others_see_nothing_of_an_import(export, stan, vera):
    row = imported(stan, export)
    for name in ("import", "import_taking_back"):
        assert browser(vera).get(reverse(name, args=[row.pk])).status_code == 404
    for name in ("import", "import_start", "import_cancel", "import_taking_back"):
        assert browser(vera).post(reverse(name, args=[row.pk])).status_code == 404


def test_the_file_is_deleted_when_the_import_is_over(export, stan):
    upload(stan, export)
    file = Import.objects.get().file
    assert default_storage.exists(file)
    row = imported(stan, export)
    assert row.file == ""
    assert not default_storage.exists(file)
    assert default_storage.listdir("imports")[1] == []


def test_a_new_file_takes_the_place_of_one_that_waits_for_a_decision(export, stan):
    upload(stan, export)
    upload(stan, export)
    assert sorted(Import.objects.values_list("state", flat=True)) == [ImportState.CANCELLED, ImportState.REPORTED]


def test_imports_of_an_account_wait_for_each_other_alone(export, stan):
    browser(stan).post(ADDRESS, {"file": SimpleUploadedFile("export.json", json.dumps(export).encode()), "format": ""})
    assert Task.objects.get().queue_name == own_queue(stan.pk, HEAVY)
    run_jobs()
    Task.objects.all().delete()
    steps.begin_writing(Import.objects.get(), people={}, left_out=[])
    assert Task.objects.get().queue_name == own_queue(stan.pk, HEAVY)


def test_there_is_one_import_at_a_time(export, stan):
    upload(stan, export)
    Import.objects.update(state=ImportState.RUNNING)
    answer = upload(stan, export)
    assert answer.status_code == 422
    assert "Another import is running." in text_of(answer)
    assert len(default_storage.listdir("imports")[1]) == 1


def test_a_cancelled_import_makes_nothing(export, stan):
    upload(stan, export)
    row = Import.objects.get()
    browser(stan).post(reverse("import_start", args=[row.pk]))
    browser(stan).post(reverse("import_cancel", args=[row.pk]))
    run_jobs()
    row.refresh_from_db()
    assert row.state == ImportState.CANCELLED
    assert not Membership.objects.filter(user=stan).exists()


def test_the_cap_of_the_plan_holds_and_what_fitted_stays(export, stan, olga):
    for number in range(2):
        create_board(actor=web(olga), title=f"More {number}")
    stan.plan.max_boards = 2
    stan.plan.save()
    row = imported(stan, exported(olga))
    assert row.state == ImportState.FAILED
    assert "2 owned boards" in row.error
    assert len(row.made) == Membership.objects.filter(user=stan).count() == 2
    assert not Board.objects.filter(version=0).exists()


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "cap, told",
    [
        (0, "Your plan has no room for another board, so the import will fail."),
        (1, "Your plan has room for 1 more board, but this import has 2"),
        (2, None),
        (None, None),
    ],
)
def test_the_report_tells_how_many_boards_fit_into_the_plan(export, stan, olga, cap, told):
    create_board(actor=web(olga), title="More")
    archive_board(actor=web(olga), board_id=create_board(actor=web(olga), title="Old").pk)
    stan.plan.max_boards = cap
    stan.plan.save()
    page = text_of(browser(stan).get(upload(stan, exported(olga))["Location"]))
    assert (told in page) if told else ("Your plan" not in page)


@pytest.mark.parametrize(
    "content, sentence",
    [
        (b"not json at all", "This file was not recognized."),
        (b'{"format": "taskboard-export", "version": 1, "boards": [', "This file is incomplete or isn't valid JSON"),
        (b'{"format": "taskboard-export", "version": 2, "boards": []}', "a newer version"),
        (b'{"format": "taskboard-export", "version": 1, "boards": []}', "There is no board in this file."),
        (b'{"format": "taskboard-export", "version": 1, "boards": [{"id": 3}]}', "boards[0].id must be a text"),
        (b'{"format": "taskboard-export", "version": 1, "boards": ' + b"[" * 5000, "are nested too deeply"),
        (b'{"format": "taskboard-export", "v": "\xff"}', "is incomplete or isn't valid JSON"),
    ],
)
def test_a_file_that_is_wrong_is_refused_in_words_and_changes_nothing(stan, content, sentence, transactional_db):
    answer = upload(stan, content)
    if answer.status_code == 302:
        answer = browser(stan).get(answer["Location"])
    assert sentence in text_of(answer)
    assert not Board.objects.exists()
    assert default_storage.listdir("imports")[1] == []


def test_a_file_may_say_that_a_card_is_of_the_wrong_type(export, stan):
    broken = copy.deepcopy(export)
    broken["boards"][0]["lists"][0]["cards"][0]["title"] = 5
    answer = upload(stan, broken)
    page = text_of(browser(stan).get(answer["Location"]))
    assert "boards[0].lists[0].cards[0].title must be a text" in page


def test_an_upload_beyond_the_cap_is_refused_before_it_is_read(stan, export, monkeypatch):
    monkeypatch.setattr(settings, "IMPORT_MEGABYTES", 1)
    answer = upload(stan, os.urandom(1024 * 1024 + 1))
    assert "At most 1 megabyte." in text_of(answer)


def test_nothing_is_made_when_no_file_is_chosen(stan, transactional_db):
    answer = browser(stan).post(ADDRESS, {"format": ""})
    assert "Choose a file." in text_of(answer)
    assert not Import.objects.exists()


def test_the_own_history_does_not_know_what_others_imported(export, stan, olga):
    imported(stan, export)
    assert not Activity.objects.filter(user=stan).exclude(verb=Verb.BOARD_CREATED).exists()
