"""The activity of a board over REST."""

import json
from datetime import datetime

import pytest

from apiv1.activity.shapes import activity_out
from apiv1.tests.calls import is_refused, token_of
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.comments import add_comment, delete_comment, edit_comment
from boards.actions.cards.labels import create_label, update_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list, limit_list
from boards.actions.undo import undo_change
from boards.models import Activity, Board
from boards.reader import Reader
from boards.reading.activity import ActivityFilters, read_activity
from boards.tests.world import CASES, World, taken_back
from conftest import join, web


@pytest.fixture
def path(board):
    return f"/api/v1/boards/{board.pk}/activity"


def lines(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()["activity"]


def newest(client, path):
    return lines(client, f"{path}?limit=1")[0]


def verbs(client, path):
    return [line["verb"] for line in lines(client, path)]


def version_of(board):
    return Board.objects.get(pk=board.pk).version


def test_a_change_says_who_did_what_when_and_how(as_vera, as_ed, ed, board, card, path):
    as_ed.patch(f"/api/v1/cards/{card.pk}", json={"title": "Announce"})
    [token] = ed.tokens.all()
    shown = newest(as_vera, path)
    assert shown.pop("at").endswith("Z")
    assert shown == {
        "version": version_of(board),
        "verb": "card.changed",
        "person": {"id": str(ed.pk), "name": "Ed"},
        "door": "api",
        "token": {"id": str(token.pk), "name": "Script"},
        "subject": {"kind": "card", "id": str(card.pk), "title": "Announce"},
        "cardId": str(card.pk),
        "changes": {"title": ["Write the announcement", "Announce"]},
        "undoes": None,
        "undone": False,
    }


def test_changes_have_the_names_and_values_of_the_api(as_vera, ed, card, path):
    update_card(
        actor=web(ed),
        card_id=card.pk,
        due_at=datetime.fromisoformat("2030-01-31T12:00:00.5Z"),
        start_day=datetime.fromisoformat("2030-01-05").date(),
        cover_hue=3,
        recurrence="weekly",
        description="Long",
    )
    assert newest(as_vera, path)["changes"] == {
        "dueDate": [None, "2030-01-31T12:00:00.5Z"],
        "startDate": [None, "2030-01-05"],
        "coverColor": [None, "yellow"],
        "recurrence": [None, "weekly"],
        "description": "changed",
    }


def test_of_a_whole_day_the_day_is_told_too(as_vera, ed, card, path):
    update_card(actor=web(ed), card_id=card.pk, due_day=datetime.fromisoformat("2030-01-05").date())
    assert newest(as_vera, path)["changes"] == {
        "dueDate": [None, "2030-01-05T23:59:59Z"],
        "dueDay": [None, "2030-01-05"],
    }


def test_ids_and_names_are_told_beside_each_other(as_vera, olga, ed, todo, doing, board, card, path):
    move_card(actor=web(olga), card_id=card.pk, list_id=doing.pk)
    assert newest(as_vera, path)["changes"] == {
        "listId": [str(todo.pk), str(doing.pk)],
        "list": ["To do", "Doing"],
        "nextId": [None, None],
    }
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    assert newest(as_vera, path)["changes"] == {"assigneeId": [None, str(ed.pk)], "assignee": [None, "Ed"]}
    bug = create_label(actor=web(olga), board_id=board.pk, name="Bug", hue=1)
    create_card(actor=web(olga), list_id=todo.pk, title="New", label_ids=[bug.pk], assignee_ids=[ed.pk])
    made = newest(as_vera, path)["changes"]
    assert made["labelIds"] == [None, [str(bug.pk)]]
    assert made["assigneeIds"] == [None, [str(ed.pk)]]


def test_colors_moments_and_numbers_are_written_as_elsewhere(as_vera, olga, board, todo, card, path):
    bug = create_label(actor=web(olga), board_id=board.pk, name="Bug", hue=1)
    update_label(actor=web(olga), label_id=bug.pk, hue=12)
    assert newest(as_vera, path)["changes"] == {"color": ["red", "coral"]}
    limit_list(actor=web(olga), list_id=todo.pk, card_limit=5)
    assert newest(as_vera, path)["changes"] == {"cardLimit": [None, 5]}
    complete_card(actor=web(olga), card_id=card.pk)
    before, after = newest(as_vera, path)["changes"]["completedAt"]
    assert (before, after[-1]) == (None, "Z")


def test_the_text_of_a_comment_is_not_told(as_vera, ed, card, path):
    comment = add_comment(actor=web(ed), card_id=card.pk, text="A secret")
    edit_comment(actor=web(ed), comment_id=comment.pk, text="Another secret")
    assert newest(as_vera, path)["changes"] == {"body": "changed"}
    delete_comment(actor=web(ed), comment_id=comment.pk)
    assert newest(as_vera, path)["subject"] == {"kind": "comment", "id": str(comment.pk), "title": ""}
    assert "secret" not in as_vera.get(path).text


def test_of_another_board_nothing_is_told(as_vera, olga, board, card, path):
    other = create_board(actor=web(olga), title="Other")
    there = create_list(actor=web(olga), board_id=other.pk, title="There")
    move_card(actor=web(olga), card_id=card.pk, list_id=there.pk)
    assert newest(as_vera, path)["changes"]["boardId"] == [str(board.pk), None]
    back = create_list(actor=web(olga), board_id=board.pk, title="Back")
    move_card(actor=web(olga), card_id=card.pk, list_id=back.pk)
    changes = newest(as_vera, path)["changes"]
    assert (changes["boardId"], changes["number"]) == ([None, str(board.pk)], [None, 2])
    assert str(other.pk) not in as_vera.get(path).text


def test_addresses_are_not_told(as_vera, board, path, stan, ed, olga):
    join(stan, board)
    for user in (stan, ed, olga):
        assert user.email not in as_vera.get(path).text


def test_a_change_that_was_taken_back_says_so(as_vera, ed, board, card, path):
    update_card(actor=web(ed), card_id=card.pk, title="Better")
    first = version_of(board)
    undo_change(actor=web(ed), board_id=board.pk, number=first)
    undoing, undone = lines(as_vera, f"{path}?limit=2")
    assert (undoing["undoes"], undoing["undone"]) == (first, False)
    assert (undone["version"], undone["undone"]) == (first, True)
    undo_change(actor=web(ed), board_id=board.pk, number=first + 1)
    assert [line["undone"] for line in lines(as_vera, f"{path}?limit=3")] == [False, True, False]


def test_a_page_of_old_changes_knows_that_a_new_one_took_one_back(as_vera, ed, board, card, path):
    update_card(actor=web(ed), card_id=card.pk, title="Better")
    first = version_of(board)
    undo_change(actor=web(ed), board_id=board.pk, number=first)
    cursor = as_vera.get(f"{path}?limit=1").json()["nextCursor"]
    assert lines(as_vera, f"{path}?limit=1&cursor={cursor}")[0]["undone"] is True


# Filters


def test_changes_are_filtered_by_card_person_token_door_and_verb(as_vera, as_ed, ed, olga, todo, card, path):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Other")
    as_ed.post(f"/api/v1/cards/{card.pk}/complete")
    [token] = ed.tokens.all()
    assert verbs(as_vera, f"{path}?card={other.pk}") == ["card.created"]
    assert verbs(as_vera, f"{path}?card={other.pk}&card={card.pk}") == [
        "card.completed",
        "card.created",
        "card.created",
    ]
    assert verbs(as_vera, f"{path}?token={token.pk}") == verbs(as_vera, f"{path}?door=api") == ["card.completed"]
    assert verbs(as_vera, f"{path}?person={ed.pk}&door=web") == ["card.created", "member.added"]
    assert verbs(as_vera, f"{path}?person={ed.pk}&person={olga.pk}&verb=card.created&door=web&door=api") == [
        "card.created",
        "card.created",
    ]
    assert verbs(as_vera, f"{path}?verb=card.completed&verb=list.created") == ["card.completed", "list.created"]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("name", ["card", "person", "token"])
@pytest.mark.parametrize("value", ["", "x", "me", "00000000-0000-7000-8000-000000000000"])
def test_an_unknown_id_finds_nothing(as_vera, card, path, name, value):
    assert lines(as_vera, f"{path}?{name}={value}") == []


@pytest.mark.parametrize(
    "query", ["door=window", "door=", "verb=card.*", "verb=card.created&verb=x", "before=3", "limit=0"]
)
def test_unknown_words_and_parameters_are_refused(as_vera, path, query):
    assert is_refused(as_vera.get(f"{path}?{query}"), 400, query.partition("=")[0])


# Pages


def test_changes_come_newest_first_in_pages_while_more_happens(as_vera, ed, board, card, path):
    for number in range(5):
        update_card(actor=web(ed), card_id=card.pk, title=str(number))
    newest_version = version_of(board)
    first = as_vera.get(f"{path}?limit=3&verb=card.changed")
    update_card(actor=web(ed), card_id=card.pk, title="Meanwhile")
    second = as_vera.get(f"{path}?verb=card.changed&cursor={first.json()['nextCursor']}")
    shown = [line["version"] for page in (first, second) for line in page.json()["activity"]]
    assert shown == [newest_version - count for count in range(5)]
    assert (second.json()["nextCursor"], "Link" in second.headers) == (None, False)
    assert 'rel="next"' in first.headers["Link"]
    assert is_refused(as_vera.get(f"{path}?cursor={first.json()['nextCursor']}"), 400, "cursor")


def test_strangers_and_wrong_ids_find_no_board(as_stan, as_vera, path):
    assert is_refused(as_stan.get(path), 404)
    assert is_refused(as_vera.get("/api/v1/boards/x/activity"), 404)


def test_the_activity_of_an_archived_board_is_read(as_olga, olga, board, path):
    archive_board(actor=web(olga), board_id=board.pk)
    assert newest(as_olga, path)["verb"] == "board.archived"


def test_every_change_of_a_board_can_be_shown_with_names_of_the_api_and_without_addresses(olga, ed, vera, stan):
    world = World(olga, ed, vera, stan)
    shown = {}
    for case in CASES:
        if case.is_recorded and case.name != "delete_board":
            with taken_back():
                case.call(world, case.actor(world))
                page = read_activity(Reader(olga), case.board(world).pk, ActivityFilters(), 2, None)
                shown |= {line.verb: activity_out(line, undone=False) for line in page.lines}
    assert len(shown) > 45
    for line in shown.values():
        assert "@" not in json.dumps(line)
        assert all(name.isalpha() for name in line["changes"])


def test_lines_of_an_older_time_are_shown_too(as_vera, board, path):
    latest = Activity.objects.filter(board=board).latest("version")
    Activity.objects.filter(pk=latest.pk).update(token_name="Old", data={"title": None, "archived_at": [None, None]})
    shown = newest(as_vera, path)
    assert shown["token"] == {"id": None, "name": "Old"}
    assert shown["changes"] == {"title": "changed", "archivedAt": [None, None]}


@pytest.mark.parametrize("number", [2, 200])
def test_reading_the_activity_takes_five_statements(connect, vera, ed, board, card, path, statements, number):
    since = version_of(board)
    Activity.objects.bulk_create(
        Activity(
            board=board, card_id=card.pk, version=since + 1 + count, undoes=since + count, user=ed, verb="card.changed"
        )
        for count in range(number)
    )
    client = connect(token_of(vera))
    statements.clear()
    assert len(lines(client, f"{path}?limit=200&verb=card.changed")) == number
    assert len(statements) == 5, statements
