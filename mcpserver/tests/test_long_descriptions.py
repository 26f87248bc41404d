"""Only get_task gives a long description whole; elsewhere its beginning is enough."""

import pytest

from boards.models import Card
from mcpserver.tasks import CUT, EXCERPT

LONG = "Some words. " * 1_600


@pytest.fixture
def long(agent, todo):
    return agent.call("create_task", listId=todo.pk, title="Long", description=LONG)["task"]


def test_answers_to_writes_and_searches_are_short(agent, long, doing):
    calls = {
        "update_task": {"title": "Longer"},
        "move_task": {"listId": doing.pk},
        "add_comment": {"text": "x"},
        "complete_task": {},
        "reopen_task": {},
        "archive_task": {},
    }
    answers = [agent.call(tool, taskId=long["id"], **arguments)["task"] for tool, arguments in calls.items()]
    agent.call("archive_task", taskId=long["id"], undo=True)
    for task in [long, *answers, *agent.call("search_tasks")["tasks"]]:
        assert task["description"] == LONG[:EXCERPT] + CUT
        assert len(str(task)) < 1_200


def test_get_task_gives_it_whole(agent, long):
    assert agent.call("get_task", taskId=long["id"])["task"]["description"] == LONG.strip()


def test_a_description_that_is_not_long_is_never_cut(agent, todo):
    task = agent.call("create_task", listId=todo.pk, title="Short", description="x" * EXCERPT)["task"]
    assert task["description"] == "x" * EXCERPT


def test_what_was_cut_does_not_replace_the_whole(agent, long):
    for sent in (f"Better. {long['description']}", f"{long['description']}\n\n- and this"):
        assert "get_task gives it whole" in agent.refused("update_task", taskId=long["id"], description=sent)
    assert LONG.strip() in Card.objects.get().description["content"][0]["content"][0]["text"]
