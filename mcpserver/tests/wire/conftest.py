"""Raw bytes to both production servers, on a database of their own."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from apiv1.tests.stacks import Answer, Line, embedded, gunicorn
from taskboard.tests.prepared import prepared_cast, prepared_data
from taskboard.tests.servers import Running

PATH = "/api/v1/mcp"
STACKS = {"embedded": embedded, "gunicorn": lambda environment: gunicorn(environment, "--threads", "4")}


@dataclass
class Wire:
    running: Running
    tokens: list[str]

    @property
    def host(self) -> str:
        return self.running.url.removeprefix("http://")

    def request(self, body: bytes | None = b"", method: str = "POST", path: str = PATH, **headers: str | None) -> bytes:
        """Return a valid request. `headers` replaces headers, and None leaves one out."""
        given: dict[str, str | None] = {"Host": self.host, "Authorization": f"Bearer {self.tokens[0]}"}
        if body is not None:
            given |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{name}: {value}" for name, value in given.items() if value is not None]
        return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1") + (body or b"")

    def raw(self, request: bytes, method: str = "POST") -> Answer:
        with Line(self.running) as line:
            line.send(request)
            answer = line.read(method)
            assert answer is not None, "no answer"
            return answer

    def send(self, body: object, **headers: str | None) -> Answer:
        """Send `body`: bytes as they are, anything else as JSON. Return the answer."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.raw(self.request(content, **headers))

    def ask(self, method: str, params: object = None, **headers: str | None) -> dict[str, Any]:
        """Send a JSON-RPC request; return the JSON-RPC answer."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method} | ({} if params is None else {"params": params})
        answer = self.send(message, **headers)
        assert answer.status == 200, answer
        return json.loads(answer.body)

    def call(self, tool: str, **arguments: object) -> tuple[str, bool]:
        """Call a tool; return the text of its result and whether it is an error."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        [block] = result["content"]
        assert block["type"] == "text"
        return block["text"], result["isError"]


@pytest.fixture(scope="package")
def environment(processes, tmp_path_factory) -> dict[str, str]:
    return {"TASKBOARD_DATA": str(prepared_data(tmp_path_factory.mktemp("wire")))}


@pytest.fixture(scope="package")
def tokens(environment) -> list[str]:
    return prepared_cast(environment)["paula"]["tokens"]


@pytest.fixture(scope="package", params=STACKS)
def wire(request, environment, tokens) -> Iterator[Wire]:
    with STACKS[request.param](environment | {"TASKBOARD_LIMITS": "off"}) as running:
        yield Wire(running, tokens)


def is_failure(answer: Answer, status: int, code: int, id: object = None) -> bool:
    """Tell whether the answer is a JSON-RPC error of this code, with a sentence."""
    assert answer.status == status, answer
    assert answer.headers["content-type"] == "application/json"
    body = json.loads(answer.body)
    assert set(body) == {"jsonrpc", "id", "error"}
    assert body["error"]["message"].endswith(".")
    return (body["jsonrpc"], body["id"], body["error"]["code"]) == ("2.0", id, code)
