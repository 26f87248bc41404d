"""Clients that others wrote for servers like this one: conformance runners, the Inspector, and real clients in both
eras of the protocol.

`bin/peers` installs them; without them these tests are skipped.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mcpserver.prompt_texts import PROMPTS
from mcpserver.tests.peers.proxy import adding_a_token
from mcpserver.tools import TOOLS
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PATIENCE, Running, serving

pytestmark = pytest.mark.timeout(400)  # other people's suites may be slow

HERE = Path(__file__).parent
PYTHON = HERE / ".venv" / "bin" / "python"
PYTHON_BEFORE = HERE / "before" / ".venv" / "bin" / "python"
RUNNERS = {"2025-06-18": "conformance", "2025-11-25": "clients", "2026-07-28": "clients"}
VERSION_FLAG = {"2025-06-18": "--spec-version", "2025-11-25": "--requirements", "2026-07-28": "--requirements"}
MUST_PASS = {  # scenarios
    "2025-06-18": ("server-initialize", "ping", "tools-list", "prompts-list"),
    "2025-11-25": ("server-initialize", "ping", "tools-list", "prompts-list", "dns-rebinding-protection"),
    "2026-07-28": (*("tools-list", "prompts-list", "dns-rebinding-protection", "http-header-validation"),),
}
UNTESTABLE = {  # checks of scenarios that are listed only because these need resources, or tools of the runner's own server
    "server-stateless": {
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
    },
    "caching": {"sep-2549-resources-list-caching-hints", "sep-2549-resources-templates-list-caching-hints"},
}
OLDER = ("legacy", "/api/v1/mcp", "2025-11-25")  # mode of the client, address, the version that comes of it
MODERN = ("auto", "/mcp", "2026-07-28")
CLIENTS = {
    "typescript": [HERE / "clients" / "node_modules" / ".bin" / "node", HERE / "clients" / "bridge.mjs"],
    "python": [PYTHON, HERE / "bridge_mcp.py"],
    "fastmcp": [PYTHON, HERE / "bridge_fastmcp.py"],
    "python-before": [PYTHON_BEFORE, HERE / "bridge_mcp_before.py"],  # it speaks no other version than the older ones
}
SESSIONS = [
    *(pytest.param(kind, *OLDER, id=f"{kind}-older") for kind in CLIENTS),
    *(pytest.param(kind, *MODERN, id=f"{kind}-modern") for kind in CLIENTS if kind != "python-before"),
]


@pytest.fixture(scope="module")
def environment(peers, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {"TASKBOARD_DATA": str(prepared_data(tmp_path_factory.mktemp("data")))}


@pytest.fixture(scope="module")
def running(environment) -> Iterator[Running]:
    with serving(environment) as running:
        yield running


@pytest.fixture(scope="module")
def olga(running, environment) -> Iterator[Person]:
    with settle(environment, running.url, "olga") as people:
        yield people["olga"]


def node(folder: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """Return the command that runs a program of the folder's packages with the Node among them."""
    binaries = HERE / folder / "node_modules" / ".bin"
    path = f"{binaries}:{os.environ['PATH']}"
    command = [str(binaries / "node"), *map(str, arguments)]
    return subprocess.run(
        command, env=os.environ | {"PATH": path}, cwd=HERE / folder, capture_output=True, text=True, timeout=300
    )


@pytest.mark.parametrize("version", RUNNERS)
def test_the_conformance_runner_finds_only_the_failures_that_are_listed(running, olga, version, tmp_path):
    runner = HERE / RUNNERS[version] / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    listed = HERE / f"expected-failures-{version}.yaml"
    with adding_a_token(running.url, olga.token) as url:
        done = node(
            RUNNERS[version],
            runner,
            "server",
            "--url",
            f"{url}/api/v1/mcp",
            VERSION_FLAG[version],
            version,
            "--expected-failures",
            listed,
            "--output-dir",
            tmp_path,
        )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    for scenario in MUST_PASS[version]:
        assert f"✓ {scenario}:" in done.stdout

    for scenario, checks in UNTESTABLE.items() if version == "2026-07-28" else ():
        [found] = tmp_path.glob(f"server-{scenario}-*/checks.json")
        failed = {check["id"] for check in json.loads(found.read_text()) if check["status"] == "FAILURE"}
        assert failed == checks


def test_tests_that_must_not_fail_are_not_listed():
    for version in RUNNERS:
        listed = (HERE / f"expected-failures-{version}.yaml").read_text().splitlines()
        scenarios = {line.removeprefix("  - ") for line in listed if line.startswith("  - ")}
        assert not scenarios & set(MUST_PASS[version])


@pytest.mark.parametrize("path", ["/api/v1/mcp", "/mcp"])
def test_the_inspector_finds_nothing_wrong_with_the_tools(running, olga, path):
    done = node(
        "clients",
        HERE / "clients" / "node_modules" / ".bin" / "mcp-inspector",
        "--cli",
        f"{running.url}{path}",
        "--transport",
        "http",
        "--header",
        f"Authorization: Bearer {olga.token}",
        "--method",
        "tools/list",
        "--strict",
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert [tool["name"] for tool in json.loads(done.stdout)["tools"]] == list(TOOLS)


class Client:
    """A client of others, called by one JSON line at a time."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.told = self._line()

    def _line(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate(timeout=PATIENCE)[1]
        return json.loads(line)

    def send(self, name: str, **arguments: object) -> tuple[str, bool]:
        answer = self._ask({"name": name, "arguments": arguments})
        return answer["text"], answer["isError"]

    def prompt(self, name: str, **arguments: str) -> str:
        return self._ask({"prompt": name, "arguments": arguments})["text"]

    def _ask(self, message: dict[str, Any]) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        return self._line()

    def call(self, name: str, **arguments: object) -> dict[str, Any]:
        text, is_error = self.send(name, **arguments)
        assert is_error is False, text
        return json.loads(text)

    def refused(self, name: str, **arguments: object) -> str:
        text, is_error = self.send(name, **arguments)
        assert is_error is True, text
        return text


@contextmanager
def started(kind: str, url: str, token: str, mode: str) -> Iterator[Client]:
    environment = os.environ | {"URL": url, "TOKEN": token, "MODE": mode}
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen([str(part) for part in CLIENTS[kind]], env=environment, text=True, **pipes)
    try:
        client = Client(process)
        yield client
        _out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, "Traceback" in err) == (0, False), err
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.mark.parametrize("kind, mode, path, version", SESSIONS)
def test_a_session_of_work_shows_on_an_open_page(running, olga, kind, mode, path, version):
    with started(kind, f"{running.url}{path}", olga.token, mode) as client:
        assert client.told == {"version": version, "tools": list(TOOLS), "prompts": list(PROMPTS)}
        board = client.call("create_board", title=f"By {kind}, {mode}", template="kanban")["board"]
        assert board["id"] in client.prompt("stand_up", board=f"By {kind}, {mode}", language="German")
        assert board in [
            {**one, "url": board["url"]} for one in client.call("list_boards")["boards"] if one["id"] == board["id"]
        ]
        todo, doing, _done = [one["id"] for one in board["lists"]]
        with olga.open(board, since=0) as page:
            page.message()
            extra = client.call("create_list", boardId=board["id"], title="Later")["list"]
            task = client.call(
                "create_task", listId=todo, title="Überfällig ☕", description="**now**", dueDate="2026-12-01T09:00:00Z"
            )["task"]
            seen = page.message()
            while not any(thing["id"] == task["id"] for thing in seen["changed"]):
                seen = page.message()
        found = task | {"labels": [], "assignees": []}
        assert client.call("search_tasks", query="ÜBERFÄLLIG", boardId=board["id"])["tasks"] == [found]
        changed = client.call("update_task", taskId=task["id"], title="Sooner", dueDate=None)["task"]
        assert changed == {**task, "title": "Sooner", "dueDate": None, "dueLocal": None}
        assert client.call("complete_task", taskId=task["id"])["task"]["completed"] is True
        assert client.call("reopen_task", taskId=task["id"])["task"]["completed"] is False
        assert client.call("move_task", taskId=task["id"], listId=doing, position="top")["task"]["listId"] == doing
        assert client.call("move_task", taskId=task["id"], listId=extra["id"])["task"]["listId"] == extra["id"]
        client.call("add_comment", taskId=task["id"], text="Half way")
        assert [one["text"] for one in client.call("get_task", taskId=task["id"])["comments"]] == ["Half way"]
        assert "does_not_exist" not in client.refused("get_task", taskId="does-not-exist")
        assert client.call("archive_task", taskId=task["id"])["task"]["id"] == task["id"]
        assert client.call("get_task", taskId=task["id"])["archived"] is True
        assert client.call("search_tasks", boardId=board["id"])["tasks"] == []
        client.process.stdin.close()  # type: ignore[union-attr]
        client.process.stdin = None
