"""The answer kept for a key is not given again about a board that the token or its account sees no longer."""

import json

import pytest

from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.lists.list import create_list
from boards.actions.people.members import remove_member
from boards.models import Activity, Board
from conftest import join, web
from mcpserver.tests.conftest import Agent
from mcpserver.tests.test_idempotency import writes

__all__ = ["writes"]

NOT_SEEN = "The answer for this idempotencyKey is about a board that does not exist, or that you have no access to."
KEY = {"idempotencyKey": "once"}


def narrow(agent, board_ids):
    """Limit the token to these boards; None stands for all."""
    agent.token.board_ids = board_ids and [str(pk) for pk in board_ids]
    agent.token.save()
    return Agent(agent.token.user)


@pytest.fixture
def ideas(olga, ed):
    """A list on another board of Olga's, of which Ed is a member."""
    garden = create_board(actor=web(olga), title="Garden")
    join(ed, garden)
    return create_list(actor=web(olga), board_id=garden.pk, title="Ideas")


def test_no_tool_gives_an_answer_about_a_board_that_the_token_has_lost(agent, olga, writes, subtests):
    for tool, arguments in writes.items():
        with subtests.test(tool=tool):
            first = agent.call(tool, **KEY, **arguments)
            before = Activity.objects.count()
            assert narrow(agent, []).refused(tool, **KEY, **arguments).startswith(NOT_SEEN)
            assert narrow(agent, None).call(tool, **KEY, **arguments) == first
            assert Activity.objects.count() == before


def test_a_former_member_gets_no_kept_answer(other_agent, olga, ed, board, card):
    call = {"task": "#1", "completed": True, **KEY}
    other_agent.call("update_task", **call)
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    told = other_agent.refused("update_task", **call)
    assert told.startswith(NOT_SEEN)
    assert card.title not in told


@pytest.mark.parametrize("lost", ["from", "to"])
def test_a_move_is_about_both_boards(other_agent, olga, ed, board, card, ideas, lost):
    call = {"task": str(card.pk), "list": str(ideas.pk), "answer": "list", **KEY}
    assert other_agent.call("move_task", **call)["task"]["list"] == "Ideas"
    left = board.pk if lost == "from" else ideas.board_id
    remove_member(actor=web(olga), board_id=left, user_id=ed.pk)
    assert other_agent.refused("move_task", **call).startswith(NOT_SEEN)


def test_a_call_for_many_tasks_is_about_all_their_boards_also_of_those_that_failed(other_agent, olga, ed, card, ideas):
    other = create_card(actor=web(olga), list_id=ideas.pk, title="Plant trees")
    tasks = [{"task": str(card.pk), "completed": True}, {"task": str(other.pk), "addLabels": ["Nothing"]}]
    assert other_agent.call("update_tasks", tasks=tasks, **KEY)["ok"] == 1
    remove_member(actor=web(olga), board_id=ideas.board_id, user_id=ed.pk)
    assert other_agent.refused("update_tasks", tasks=tasks, **KEY).startswith(NOT_SEEN)


def test_new_tasks_are_about_the_boards_of_those_that_failed_too(other_agent, olga, ed, card, ideas):
    tasks = [{"list": "To do", "title": "One"}, {"list": "Ideas", "title": "Two", "labels": ["Nothing"]}]
    assert other_agent.call("create_tasks", tasks=tasks, **KEY)["ok"] == 1
    remove_member(actor=web(olga), board_id=ideas.board_id, user_id=ed.pk)
    assert other_agent.refused("create_tasks", tasks=tasks, **KEY).startswith(NOT_SEEN)


def test_losing_another_board_keeps_no_answer_back(agent, olga, board, card, ideas):
    call = {"task": str(card.pk), "completed": True, **KEY}
    first = agent.call("update_task", **call)
    assert narrow(agent, [board.pk]).call("update_task", **call) == first


def test_a_title_that_means_another_board_by_now_makes_nothing_there(other_agent, olga, ed, board, todo):
    call = {"board": "Launch", "title": "Print", **KEY}
    other_agent.call("create_task", **call)
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    create_board(actor=web(ed), title="Launch", template="kanban")
    assert other_agent.refused("create_task", **call).startswith(NOT_SEEN)
    assert not Board.objects.latest("created_at").cards.exists()


def test_the_refusal_is_the_same_for_a_board_that_is_gone(agent, olga, card):
    call = {"title": "New", **KEY}
    made = agent.call("create_board", **call)["board"]["id"]
    lost = narrow(agent, [card.board_id]).refused("create_board", **call)
    Board.objects.filter(pk=made).delete()
    gone = narrow(agent, None).refused("create_board", **call)
    assert gone == lost
    assert json.dumps(gone).count("New") == 0
