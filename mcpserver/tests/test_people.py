"""People see what an agent does, at once on open pages, and under its name in the history."""

import json
from collections.abc import Iterator

import pytest

from taskboard.tests.people import Person, settle, titles
from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.servers import serving
from web.tests.browsing import browser, text_of


def test_the_history_and_the_comments_name_the_agent(agent, olga, board, card):
    agent.call("complete_task", taskId=card.pk)
    agent.call("add_comment", taskId=card.pk, text="Half done")
    history = text_of(browser(olga).get(f"/board/{board.pk}/activity"))
    assert "Olga marked Write the announcement #1 as done" in history
    assert history.count("via agent · Robot") == 2
    assert "via agent · Robot" in text_of(browser(olga).get(f"/board/{board.pk}?card={card.pk}"))


@pytest.fixture
def people(any_database, tmp_path) -> Iterator[dict[str, Person]]:
    with prepared_services() as services:
        environment = {**services, "TASKBOARD_DATA": str(prepared_data(tmp_path))}
        with serving(environment) as running, settle(environment, running.url, "olga") as people:
            yield people


def test_every_change_arrives_on_an_open_page(people):
    olga = people["olga"]
    board = olga.new_board()
    todo, doing = (row["id"] for row in board["lists"][:2])

    def call(tool: str, **arguments: object) -> dict:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        result = olga.script.post("/api/v1/mcp", json=message).json()["result"]
        assert result["isError"] is False, result
        return json.loads(result["content"][0]["text"])

    with olga.open(board, since=1) as socket:
        task = call("create_task", listId=todo, title="Print")["task"]
        assert titles(socket.message()) == ["Print"]
        call("update_task", taskId=task["id"], title="Print it")
        assert titles(socket.message()) == ["Print it"]
        for tool, arguments in {
            "move_task": {"listId": doing},
            "complete_task": {},
            "add_comment": {"text": "x"},
        }.items():
            call(tool, taskId=task["id"], **arguments)
            assert task["id"] in [thing["id"] for thing in socket.message()["changed"]]
        call("archive_task", taskId=task["id"])
        assert {"kind": "card", "id": task["id"]} in socket.message()["removed"]
        call("create_list", boardId=board["id"], title="Later")
        assert "Later" in json.dumps(socket.message()["changed"])
