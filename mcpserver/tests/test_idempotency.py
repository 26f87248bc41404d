import pytest

from boards.actions.cards.comments import add_comment
from boards.actions.lists.list import rename_list
from boards.models import Activity, Board, Card, List
from conftest import web
from mcpserver.tools import TOOLS


@pytest.fixture
def makers(board, todo):
    return [
        ("create_board", {"title": "Garden"}, Board),
        ("create_list", {"title": "Later", "boardId": board.pk}, List),
        ("create_task", {"title": "Print", "listId": todo.pk}, Card),
    ]


def test_the_same_key_gives_the_first_answer_and_writes_nothing(agent, makers, subtests):
    for tool, arguments, model in makers:
        with subtests.test(tool=tool):
            first = agent.call(tool, idempotencyKey="once", **arguments)
            count = model.objects.count()
            assert agent.call(tool, idempotency_key="once", **arguments) == first
            assert model.objects.count() == count


def test_the_same_key_with_other_arguments_is_refused(agent, makers, subtests):
    for tool, arguments, model in makers:
        with subtests.test(tool=tool):
            agent.call(tool, idempotencyKey="once", **arguments)
            count = model.objects.count()
            refusal = agent.refused(tool, idempotencyKey="once", **arguments | {"title": "Other"})
            assert refusal.startswith("This idempotencyKey was used with other arguments.")
            assert model.objects.count() == count


def test_a_call_that_was_refused_leaves_the_key_free(agent, todo):
    agent.refused("create_task", title="Print", listId="nonsense", idempotencyKey="once")
    agent.call("create_task", title="Print", listId=todo.pk, idempotencyKey="once")
    assert Card.objects.count() == 1


def test_a_key_belongs_to_one_token_and_one_tool(agent, agent_of, ed, board, todo):
    agent.call("create_task", title="Print", listId=todo.pk, idempotencyKey="once")
    agent_of(ed).call("create_task", title="Print", listId=todo.pk, idempotencyKey="once")
    agent.call("create_list", title="Print", boardId=board.pk, idempotencyKey="once")
    assert Card.objects.count() == 2


@pytest.fixture
def writes(card, doing, olga):
    """Every tool that writes, with arguments that fit."""
    comment = add_comment(actor=web(olga), card_id=card.pk, text="Well")
    return {
        "create_board": {"title": "Garden"},
        "create_list": {"title": "Later", "board": "Launch"},
        "create_task": {"title": "Print", "list": "To do"},
        "update_task": {"task": "#1", "title": "Better", "addAssignees": ["me"]},
        "complete_task": {"task": "#1"},
        "reopen_task": {"task": "#1"},
        "move_task": {"task": "#1", "list": "Doing"},
        "archive_task": {"task": "#1"},
        "restore_task": {"task": "#1"},
        "add_comment": {"task": "#1", "text": "Half done"},
        "create_tasks": {"board": "Launch", "tasks": [{"title": "One"}, {"title": ""}]},
        "update_tasks": {"board": "Launch", "tasks": [{"task": "#1", "title": "Best"}]},
        "edit_comment": {"comment": str(comment.pk), "text": "Better"},
    }


def test_every_write_takes_a_key(agent, writes, subtests):
    assert writes.keys() == {tool.name for tool in TOOLS.values() if not tool.hints.read_only}
    for tool, arguments in writes.items():
        with subtests.test(tool=tool):
            first = agent.call(tool, idempotencyKey="once", **arguments)
            before = Activity.objects.count()
            assert agent.call(tool, idempotencyKey="once", **arguments) == first
            assert Activity.objects.count() == before


def test_a_repeat_gets_the_first_answer_though_a_title_has_changed_since(agent, olga, todo):
    call = {"title": "Print", "list": "To do", "idempotencyKey": "once"}
    first = agent.call("create_task", **call)
    rename_list(actor=web(olga), list_id=todo.pk, title="Later")
    assert agent.call("create_task", **call) == first
    assert Card.objects.count() == 1


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 256, 5])
def test_an_impossible_key_is_refused(agent, todo, key):
    assert "1 to 255 visible ASCII" in agent.refused("create_task", title="x", listId=todo.pk, idempotencyKey=key)
