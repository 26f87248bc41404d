"""Spellings that agents may also use, and how faults are reported."""

import pytest

from boards.models import Card
from core.text.nearest import nearest
from mcpserver import arguments


def test_snake_case_is_read_as_camel_case(agent, todo):
    task = agent.call("create_task", list_id=todo.pk, title="Print", due_date="2026-12-01T09:00Z")["task"]
    assert task["dueDate"] == "2026-12-01T09:00:00Z"


@pytest.mark.parametrize("name", ["cardId", "card_id", "task_id"])
def test_a_card_id_is_read_as_a_task_id(agent, card, name):
    assert agent.call("get_task", **{name: card.pk})["task"]["id"] == str(card.pk)


def test_a_whole_number_may_have_a_fraction_of_zero(agent, card):
    assert len(agent.call("search_tasks", limit=1.0)["tasks"]) == 1


def test_one_argument_under_two_names_is_refused(agent, card):
    assert "taskId was sent twice" in agent.refused("get_task", taskId=card.pk, card_id=card.pk)


@pytest.mark.parametrize(
    "sent, told",
    [
        ("titel", "Unknown argument 'titel'; did you mean title?"),
        ("listid", "Unknown argument 'listid'; did you mean listId?"),
        ("due", "Unknown argument 'due'; did you mean dueDate?"),
        ("zzz", "Unknown argument 'zzz'; this tool takes title, listId, boardId,"),
        ("x" * 100, f"Unknown argument '{'x' * 60}…'"),
        ("\ud800", "Unknown argument '?'"),
    ],
)
def test_an_unknown_argument_is_answered_with_the_nearest_name(agent, todo, sent, told):
    assert told in agent.refused("create_task", title="Print", listId=todo.pk, **{sent: "x"})


@pytest.mark.parametrize(
    "sent, tool",
    [
        ({"status": "done"}, "complete_task"),
        ({"done": True}, "complete_task"),
        ({"archived": True}, "archive_task"),
        ({"comment": "x"}, "add_comment"),
    ],
)
def test_a_field_that_another_tool_changes_is_answered_with_that_tool(agent, card, sent, tool):
    [name] = sent
    refusal = agent.refused("update_task", taskId=card.pk, **sent)
    assert refusal.startswith(f"Unknown argument '{name}': {tool} ")
    assert "did you mean" not in refusal
    assert "Give at least one" not in refusal


def test_other_tools_do_not_guess_wildly_either(agent, card):
    assert "this tool takes taskId" in agent.refused("complete_task", taskId=card.pk, status="done")


def test_a_tool_without_arguments_says_so(agent):
    assert agent.refused("list_boards", page=1).startswith("Unknown argument 'page': this tool takes none.")


def test_all_faults_are_reported_at_once(agent):
    sentences = agent.refused("create_task", titel="x", listId=5, dueDate="soon", recurrence="never")
    for words in ("'titel'", "title is missing.", "listId must be", "dueDate must be", "recurrence must be"):
        assert words in sentences


def test_at_most_five_faults_are_reported(agent):
    sentences = agent.refused("get_task", **{f"wrong{number}": 1 for number in range(9)})
    assert sentences.count("Unknown argument") == 5


def test_no_name_is_suggested_for_a_fault_that_is_not_reported(agent, monkeypatch):
    looked_up = []
    monkeypatch.setattr(arguments, "nearest", lambda sent, known: looked_up.append(sent) or nearest(sent, known))
    agent.refused("get_task", **{f"wrong{number}": 1 for number in range(9)})
    assert len(looked_up) == 5


@pytest.mark.parametrize("value", [None, {}])
def test_missing_arguments_count_as_an_empty_object(agent, value):
    assert agent.result("list_boards", value)["isError"] is False


def test_a_result_is_one_block_of_compact_unescaped_text(agent, card):
    result = agent.result("update_task", {"taskId": str(card.pk), "title": "Grüße ✓"})
    [block] = result["content"]
    assert result.keys() == {"content", "isError"}
    assert block.keys() == {"type", "text"}
    assert '"title":"Grüße ✓",' in block["text"]


def test_an_argument_given_twice_in_the_body_is_refused(agent, todo):
    arguments = f'{{"listId": "{todo.pk}", "title": "First", "title": "Last"}}'
    call = f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "create_task", "arguments": {arguments}}}}}'
    reply = agent.send(call.encode())
    assert (reply.status, b"'title' twice" in reply.body) == (400, True)
    assert not Card.objects.exists()
