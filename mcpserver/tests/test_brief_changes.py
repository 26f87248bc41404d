"""A brief answer to a change shows the same fields each time, those that the call has changed too."""

import pytest

from boards.actions.boards.board import create_board
from boards.actions.lists.list import create_list
from conftest import web


@pytest.fixture
def beds(olga):
    garden = create_board(actor=web(olga), title="Garden")
    return create_list(actor=web(olga), board_id=garden.pk, title="Beds")


def brief(agent, tool, **arguments):
    return agent.call(tool, answer="brief", **arguments)["task"]


def test_what_was_changed_is_shown(agent, card, doing):
    shown = {"number": 1, "title": card.title, "list": "To do", "state": "done"}
    assert brief(agent, "complete_task", task="#1") == shown
    assert brief(agent, "reopen_task", task="#1") == shown | {"state": "open"}
    sent = {"dueDate": "2026-12-01", "addLabels": ["Bug"], "assignees": ["Ed"], "list": "Doing", "createLabels": True}
    shown |= {"list": "Doing", "due": "2026-12-01", "state": "open", "labels": ["Bug"], "assignees": ["Ed"]}
    assert brief(agent, "update_task", task="#1", **sent) == shown
    assert brief(agent, "add_comment", task="#1", text="Well") == shown
    assert brief(agent, "move_task", task="#1", list="To do") == shown | {"list": "To do"}


def test_a_new_task_has_the_fields_too(agent, card, doing):
    shown = {"number": 2, "title": "Print", "list": "Doing", "due": "2026-12-01", "state": "open"}
    assert brief(agent, "create_task", list="Doing", title="Print", dueDate="2026-12-01") == shown


@pytest.mark.parametrize("tool", ["move_task", "update_task"])
def test_a_task_that_moved_to_another_board_names_it(agent, card, doing, beds, tool):
    shown = {"number": 1, "title": card.title, "list": "Beds", "board": "Garden", "state": "open"}
    assert brief(agent, tool, task="#1", list="beds") == shown
    assert brief(agent, "complete_task", task="#1") == {
        name: value for name, value in shown.items() if name != "board"
    } | {"state": "done"}
