"""Changes are folded to a line a card."""

import json

import pytest

from accounts.models import Bounds
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, delete_card, reopen_card, update_card
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label, remove_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list, rename_list
from boards.actions.people.members import remove_member
from boards.dates import parse_due
from conftest import web
from mcpserver.tests.conftest import lines


@pytest.mark.usefixtures("seen")
def test_what_happened_to_a_card_is_one_line(agent, olga, ed, card, todo, doing):
    agent.call("list_changes", markSeen=True)
    olga.time_zone = "Europe/Berlin"
    by_ed = web(ed)
    due = parse_due("2026-12-01T08:00:00Z", olga.zone)
    update_card(actor=by_ed, card_id=card.pk, title="Print", due_at=due, description="Now", recurrence="weekly")
    move_card(actor=web(olga), card_id=card.pk, list_id=doing.pk)
    label = create_label(actor=by_ed, board_id=card.board_id, name="Bug")
    add_label(actor=by_ed, card_id=card.pk, label_id=label.pk)
    assign(actor=by_ed, card_id=card.pk, user_id=olga.pk)
    add_comment(actor=by_ed, card_id=card.pk, text="Why?")
    complete_card(actor=by_ed, card_id=card.pk)
    [of_label, of_card] = lines(agent)
    assert of_card == {
        "number": card.number,
        "title": "Print",
        "by": ["Ed", "Olga"],
        "what": ["title", "description", "due", "recurrence", "moved", "labelled", "assigned", "commented", "done"],
        "oldTitle": "Write the announcement",
        "list": ["To do", "Doing"],
        "due": [None, "2026-12-01T09:00"],
        "state": ["open", "done"],
        "recurrence": [None, "weekly"],
        "addedLabels": ["Bug"],
        "addedAssignees": ["Olga"],
        "comments": 1,
    }
    assert of_label == {"kind": "label", "title": "Bug", "by": ["Ed"], "what": ["created"]}


@pytest.mark.usefixtures("seen")
def test_what_was_taken_back_has_no_pair(agent, olga, card, todo, doing):
    by_olga = web(olga)
    label = create_label(actor=by_olga, board_id=card.board_id, name="Bug")
    agent.call("list_changes", markSeen=True)
    move_card(actor=by_olga, card_id=card.pk, list_id=doing.pk)
    move_card(actor=by_olga, card_id=card.pk, list_id=todo.pk)
    complete_card(actor=by_olga, card_id=card.pk)
    reopen_card(actor=by_olga, card_id=card.pk)
    add_label(actor=by_olga, card_id=card.pk, label_id=label.pk)
    remove_label(actor=by_olga, card_id=card.pk, label_id=label.pk)
    what = ["moved", "done", "reopened", "labelled", "unlabelled"]
    assert lines(agent) == [{"number": 1, "title": card.title, "by": ["Olga"], "what": what}]


@pytest.mark.usefixtures("seen")
def test_states_have_names(agent, olga, card, todo):
    by_olga = web(olga)
    done = create_card(actor=by_olga, list_id=todo.pk, title="Done")
    complete_card(actor=by_olga, card_id=done.pk)
    agent.call("list_changes", markSeen=True)
    archive_card(actor=by_olga, card_id=done.pk)
    archive_card(actor=by_olga, card_id=card.pk)
    new = create_card(actor=by_olga, list_id=todo.pk, title="New")
    assert [line.get("state") for line in lines(agent)] == [["done", "archived"], ["open", "archived"], None]
    agent.call("list_changes", markSeen=True)
    restore_card(actor=by_olga, card_id=done.pk)
    delete_card(actor=by_olga, card_id=card.pk)
    complete_card(actor=by_olga, card_id=new.pk)
    assert [line["state"] for line in lines(agent)] == [["archived", "done"], ["archived", "deleted"], ["open", "done"]]


@pytest.mark.usefixtures("seen")
def test_a_new_card_has_the_list_in_which_it_is(agent, olga, todo):
    create_card(actor=web(olga), list_id=todo.pk, title="New")
    assert lines(agent) == [{"number": 2, "title": "New", "by": ["Olga"], "what": ["created"], "list": [None, "To do"]}]


@pytest.mark.usefixtures("seen")
def test_other_things_of_the_board_have_a_line_too(agent, olga, todo):
    rename_list(actor=web(olga), list_id=todo.pk, title="Later")
    assert lines(agent) == [
        {"kind": "list", "title": "Later", "by": ["Olga"], "what": ["changed"], "oldTitle": "To do"}
    ]


@pytest.mark.usefixtures("seen")
def test_an_agent_knows_its_own_changes_from_those_of_others(agent, other_agent, olga, card):
    agent.call("add_comment", taskId=card.pk, text="Mine")
    other_agent.call("add_comment", taskId=card.pk, text="Theirs")
    complete_card(actor=web(olga), card_id=card.pk)
    assert lines(agent)[0]["by"] == ["you", "Ed via Robot", "Olga"]


def test_the_boards_are_told_apart_by_their_titles(agent, olga, card):
    garden = create_board(actor=web(olga), title="Garden")
    create_list(actor=web(olga), board_id=garden.pk, title="Beds")
    assert {line["board"] for line in lines(agent)} == {"Launch", "Garden"}
    assert {line.get("board") for line in lines(agent, boardId=garden.pk)} == {None}


def test_boards_of_one_title_are_told_apart_by_their_ids(agent, olga, card):
    twin = create_board(actor=web(olga), title="Launch")
    create_list(actor=web(olga), board_id=twin.pk, title="Beds")
    assert {line["boardId"] for line in lines(agent)} == {str(card.board_id), str(twin.pk)}


def test_a_card_that_went_to_another_board_tells_nothing_of_it(agent, agent_of, olga, vera, board, card):
    secret = create_board(actor=web(olga), title="Secret")
    row = create_list(actor=web(olga), board_id=secret.pk, title="Vault")
    move_card(actor=web(olga), card_id=card.pk, list_id=row.pk)
    update_card(actor=web(olga), card_id=card.pk, title="Hidden")
    complete_card(actor=web(olga), card_id=card.pk)
    answer = agent_of(vera).call("list_changes")
    assert answer["changes"][-1]["state"] == [None, "gone"]
    assert not {"Secret", "Vault", "Hidden", "done", str(secret.pk)} & set(json.dumps(answer).replace('"', " ").split())
    mine = [(line["board"], line.get("list")) for line in lines(agent) if line.get("number")]
    assert mine == [("Launch", None), ("Secret", [None, "Vault"])]


@pytest.mark.usefixtures("seen")
def test_its_old_state_is_not_what_it_became_on_the_other_board(agent, olga, card):
    secret = create_board(actor=web(olga), title="Secret")
    row = create_list(actor=web(olga), board_id=secret.pk, title="Vault")
    move_card(actor=web(olga), card_id=card.pk, list_id=row.pk)
    complete_card(actor=web(olga), card_id=card.pk)
    assert [line["state"] for line in lines(agent, boardId=card.board_id)] == [["open", "gone"]]


def test_boards_out_of_reach_are_in_no_answer(agent_of, olga, ed, stan, board, card):
    garden = create_board(actor=web(olga), title="Garden")
    bounded = agent_of(olga, Bounds(board_ids=[str(garden.pk)]))
    assert "announcement" not in json.dumps(bounded.call("list_changes", since="2020-01-01"))
    assert bounded.refused("list_changes", boardId=board.pk).startswith("There is no board")
    assert lines(agent_of(stan)) == []
    theirs = agent_of(ed)
    assert lines(theirs)
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert lines(theirs) == []
    assert theirs.refused("list_changes", boardId=board.pk).startswith("There is no board")


def test_archived_boards_are_left_out(agent, olga, board, card):
    archive_board(actor=web(olga), board_id=board.pk)
    assert lines(agent) == []
    assert agent.refused("list_changes", boardId=board.pk).startswith("There is no board")
