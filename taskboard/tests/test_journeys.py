"""One journey through each interface of the service as it is really served, which starts once for all of them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import WebSocket, expect

from taskboard.tests.people import Person, settle, titles
from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.servers import PLAIN_HTTP, ROOT, faults, serving
from taskboard.tests.tabs import card, has_stayed, is_of_board, list_named, tab

__all__ = ["tab"]

HURRIED = ROOT / "clients" / "tests" / "hurried"  # the client waits less between its questions


@dataclass
class Journey:
    url: str
    olga: Person
    otto: Person


@pytest.fixture(scope="module")
def journey(any_database: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journey]:
    """The service, which must not have logged an error after these tests."""
    with prepared_services() as services:
        environment = {**services, "TASKBOARD_DATA": str(prepared_data(tmp_path_factory.mktemp("data")))}
        with serving(environment) as running, settle(environment, running.url, "olga", "otto") as people:
            yield Journey(running.url, people["olga"], people["otto"])
            _code, _out, err = running.stop(15)
            assert faults(err) == []


def test_somebody_signs_up_makes_a_board_and_sees_the_cards_of_a_script_arrive(journey, tab):
    page = tab()
    page.goto(journey.url)
    page.get_by_role("link", name="Sign up").first.click()
    page.get_by_label("Email address").fill(f"nina-{uuid4().hex}@example.com")
    page.get_by_label("Name").fill("Nina")
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_role("button", name="Create account").click()

    page.get_by_role("link", name="New board").click()
    page.get_by_label("Title").fill("Autumn launch")
    page.locator("label.template").filter(has_text="In progress").click()
    sockets: list[WebSocket] = []
    # The page before may still be opening the line of its bell, which ends with that page.
    page.on("websocket", lambda socket: sockets.append(socket) if is_of_board(socket) else None)
    with page.expect_websocket(is_of_board):
        page.get_by_role("button", name="Create board").click()
    expect(page.get_by_role("heading", name="Autumn launch")).to_be_visible()
    expect(list_named(page, "To do").locator(".count")).to_have_text("0")
    page.evaluate("window.stayed = true")
    board_id = page.url.rpartition("/")[2]

    other = tab(context=page.context)
    other.goto(f"{journey.url}/settings/tokens")
    other.get_by_label("Name").fill("laptop")
    other.get_by_role("button", name="Create token").click()
    token = other.locator("#token-value").inner_text()
    other.reload()
    expect(other.locator("#token-value")).to_have_count(0)

    for number in (1, 2):
        answer = httpx.post(
            f"{journey.url}/api/v1/cards",
            json={"boardId": board_id, "title": f"Card {number} of a script", "description": "- [ ] Try it"},
            headers={"Authorization": f"Bearer {token}"},
            **PLAIN_HTTP,
        )
        assert answer.status_code == 201, answer.text
        expect(card(page, f"Card {number} of a script")).to_be_visible()
    expect(list_named(page, "To do").locator(".count")).to_have_text("2")
    assert has_stayed(page)
    assert len(sockets) == 1


def test_a_script_makes_a_board_and_a_card_and_an_open_page_hears_of_it(journey):
    olga = journey.olga
    board = olga.new_board("Scripted")
    with olga.open(board, since=1) as socket:
        olga.new_card(board, "Print", listId=board["lists"][1]["id"])
        assert titles(socket.message()) == ["Print"]
    listed = {one["title"]: one for one in olga.script.get("/api/v1/boards").json()["boards"]}
    assert listed["Scripted"]["id"] == board["id"]
    assert olga.script.post("/api/v1/cards", json={"boardId": board["id"]}).status_code == 400


def test_an_agent_finds_a_board_and_finishes_a_task_on_it(journey):
    olga = journey.olga
    board = olga.new_board("For agents")

    def call(tool: str, **arguments: object) -> dict:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        result = olga.script.post("/api/v1/mcp", json=message).json()["result"]
        assert result["isError"] is False, result
        return json.loads(result["content"][0]["text"])

    task = call("create_task", boardId=board["id"], title="Print")["task"]
    call("complete_task", taskId=task["id"])
    assert "via agent" in olga.browser.get(f"/board/{board['id']}/activity").text


def test_a_command_line_signs_in_with_a_code_that_its_owner_approves(journey, tmp_path):
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LC_ALL": "C", "PYTHONPATH": str(HURRIED)}
    program = [sys.executable, str(ROOT / "clients" / "taskboard.py")]
    login = [*program, "login", journey.url, "--no-browser"]
    waiting = subprocess.Popen(login, env=environment, stdout=-1, stderr=subprocess.PIPE, text=True)
    with waiting:
        code = waiting.stderr.readline().split()[-1]
        journey.olga.post("/cli", code=code, answer="approve")
        assert waiting.wait(60) == 0
    shown = subprocess.run([*program, "whoami"], env=environment, capture_output=True, text=True, timeout=60)
    assert (shown.returncode, journey.olga.email in shown.stdout) == (0, True), shown.stderr
    assert subprocess.run([*program, "logout"], env=environment, timeout=60).returncode == 0


def test_everything_of_an_account_comes_in_one_file(journey):
    olga = journey.olga
    made = olga.new_board("To take along")
    olga.new_card(made, "Kept")
    export = json.loads(olga.browser.get("/api/export").content)
    [board] = [board for board in export["boards"] if board["id"] == made["id"]]
    assert [card["title"] for row in board["lists"] for card in row["cards"]] == ["Kept"]


def test_an_operator_finds_an_account_in_the_admin(journey):
    found = journey.otto.browser.get("/admin/accounts/user/?q=olga")
    assert found.status_code == 200
    assert journey.olga.email in found.text
    assert journey.olga.browser.get("/admin/accounts/user/").status_code != 200
