"""The rights of a token decide which tools an agent is shown, and what it is told of what it lacks."""

import json

import pytest

from accounts.models import Access, Bounds
from boards.actions.boards.board import create_board
from boards.models import Activity
from conftest import web
from mcpserver.tools import TOOLS

READING = ["list_boards", "search_tasks", "get_task", "get_board", "overview", "list_changes"]


@pytest.fixture
def reading(agent_of, olga):
    """An agent of Olga's that may only read."""
    return agent_of(olga, Bounds(access=Access.READ))


@pytest.fixture
def confined(agent_of, olga, board):
    """An agent of Olga's for the board *Launch* alone."""
    return agent_of(olga, Bounds(board_ids=[str(board.pk)]))


def names_of_tools(agent):
    reply = agent.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    return [tool["name"] for tool in json.loads(reply.body)["result"]["tools"]]


def test_a_token_that_may_only_read_is_shown_the_reading_tools_only(reading):
    assert names_of_tools(reading) == READING


def test_any_other_token_is_shown_all_tools(confined, agent_of, ed):
    assert names_of_tools(confined) == names_of_tools(agent_of(ed, Bounds(deletes=False)))
    assert names_of_tools(confined) == list(TOOLS)


def test_a_writing_tool_is_refused_to_a_token_that_may_only_read(reading, card):
    before = Activity.objects.count()
    assert reading.refused("complete_task", taskId=card.pk).startswith("This token may only read.")
    assert reading.refused("create_board", title="New").startswith("This token may only read.")
    assert reading.refused("create_board").startswith("This token may only read.")
    assert Activity.objects.count() == before


def test_the_reading_tools_work_for_it(reading, board, card):
    assert reading.call("get_task", taskId=card.pk)["task"]["id"] == str(card.pk)
    assert [found["id"] for found in reading.call("list_boards")["boards"]] == [str(board.pk)]


def test_boards_that_were_not_chosen_do_not_exist(confined, olga, board):
    other = create_board(actor=web(olga), title="Other", template="kanban")
    assert [found["id"] for found in confined.call("list_boards")["boards"]] == [str(board.pk)]
    assert confined.refused("search_tasks", boardId=other.pk).startswith("There is no board")
    assert confined.refused("search_tasks", boardId="Other").startswith("There is no board")
    assert "the title of" not in confined.refused("search_tasks", boardId="Other")
    assert confined.refused("create_task", listId=other.lists.first().pk, title="New").startswith("There is no list")


def test_a_token_of_chosen_boards_creates_none(confined):
    assert confined.refused("create_board", title="New").startswith("This token is limited to some boards")


def test_a_token_that_may_not_delete_archives(agent_of, olga, card):
    agent_of(olga, Bounds(deletes=False)).call("archive_task", taskId=card.pk)
    card.refresh_from_db()
    assert card.archived_at is not None
