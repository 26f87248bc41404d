"""Agents are told the instructions and the list of tools."""

import json

import pytest
from jsonschema import Draft202012Validator

from mcpserver.tools import TOOLS

READS, WRITES = (True, False, True), (False, False, False)  # read only, destructive, idempotent
HINTS = {
    "list_boards": READS,
    "create_board": WRITES,
    "create_list": WRITES,
    "search_tasks": READS,
    "get_task": READS,
    "create_task": WRITES,
    "update_task": (False, True, True),
    "complete_task": (False, False, True),
    "reopen_task": (False, False, True),
    "move_task": (False, False, True),
    "archive_task": (False, True, True),
    "add_comment": WRITES,
    "get_board": READS,
    "overview": READS,
    "list_changes": READS,
    "create_tasks": WRITES,
    "update_tasks": (False, True, False),
    "restore_task": (False, False, True),
    "edit_comment": (False, True, True),
}


@pytest.fixture
def listed(agent):
    return agent.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})


@pytest.fixture
def tools(listed):
    return json.loads(listed.body)["result"]["tools"]


def test_the_list_is_one_page_in_a_stable_order_the_first_twelve_tools_first(listed, agent):
    assert [tool["name"] for tool in json.loads(listed.body)["result"]["tools"]] == list(HINTS)
    assert json.loads(listed.body)["result"].keys() == {"tools"}
    assert agent.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}) == listed


def test_the_list_has_at_most_16_kb(listed):
    assert len(listed.body) <= 16_384


def test_each_tool_says_what_it_may_do_to_the_data(tools):
    for tool in tools:
        hints = tool["annotations"]
        found = (hints["readOnlyHint"], hints["destructiveHint"], hints["idempotentHint"])
        assert (tool["name"], found, hints["openWorldHint"]) == (tool["name"], HINTS[tool["name"]], False)


def test_each_tool_has_a_title_a_description_and_no_schema_of_its_answer(tools):
    for tool in tools:
        assert tool.keys() == {"name", "title", "description", "inputSchema", "annotations"}
        assert tool["title"]
        assert tool["description"].endswith(".")


def test_schemas_are_plain_objects_whose_arguments_are_all_described(tools):
    for tool in tools:
        schema = tool["inputSchema"]
        Draft202012Validator.check_schema(schema)
        assert schema.keys() <= {"type", "properties", "required", "additionalProperties"}
        assert (schema["type"], schema["additionalProperties"]) == ("object", False)
        for argument in schema["properties"].values():
            assert argument["description"].endswith(".")
            kinds = argument.get("anyOf", [argument])
            assert all(isinstance(kind["type"], str) for kind in kinds)


def test_only_what_null_clears_can_be_null(tools):
    nullable = {
        (tool["name"], name)
        for tool in tools
        for name, argument in tool["inputSchema"]["properties"].items()
        if "anyOf" in argument
    }
    cleared = {("update_task", name) for name in ("dueDate", "startDate", "recurrence", "coverColor")}
    assert nullable == cleared | {("edit_comment", "text")}


def test_the_instructions_are_short_and_name_tools_that_exist(agent, settings):
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    reply = agent.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    instructions = json.loads(reply.body)["result"]["instructions"]
    assert len(instructions) < 500
    assert settings.BASE_URL in instructions
    assert {word for word in instructions.split() if "_" in word} <= TOOLS.keys()
