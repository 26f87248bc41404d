"""Agents: they hold tokens of the cast and call tools through the core."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import ApiToken, Bounds, User
from accounts.models.token import EVERYTHING
from accounts.tokens import create_token
from apiv1.tests.conftest import base_url as base_url
from boards.models import Card
from mcpserver.caller import Caller
from mcpserver.core import Reply, handle


class Agent:
    """Calls tools with a token of `user`."""

    def __init__(self, user: User, bounds: Bounds = EVERYTHING) -> None:
        token = ApiToken.objects.filter(user=user).first()
        self.token: ApiToken = token or create_token(user, "Robot", bounds=bounds)[0]
        self.caller = Caller(self.token)

    def send(self, message: object, **headers: str) -> Reply:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return handle(body, named, self.caller, lambda name: None)

    def result(self, tool: str, arguments: object) -> dict[str, Any]:
        params = {"name": tool, "arguments": arguments}
        reply = self.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        assert reply.status == 200
        return json.loads(reply.body)["result"]

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Return the answer of a call that succeeds."""
        result = self.result(tool, {name: plain(value) for name, value in arguments.items()})
        assert result["isError"] is False, result
        return json.loads(result["content"][0]["text"])

    def refused(self, tool: str, **arguments: object) -> str:
        """Return the sentences of a call that is refused."""
        result = self.result(tool, {name: plain(value) for name, value in arguments.items()})
        assert result["isError"] is True, result
        return result["content"][0]["text"]


def plain(value: object) -> object:
    return value if isinstance(value, bool | str | int | float | list | dict | None) else str(value)


@pytest.fixture
def agent_of(db: None) -> Callable[[User], Agent]:
    return Agent


@pytest.fixture
def agent(olga: User) -> Agent:
    """An agent with a token of Olga's."""
    return Agent(olga)


@pytest.fixture
def other_agent(ed: User) -> Agent:
    """An agent of Ed's."""
    return Agent(ed)


@pytest.fixture
def seen(agent: Agent, card: Card) -> None:
    """The agent has seen everything so far."""
    agent.call("list_changes", markSeen=True)


def lines(agent: Agent, **arguments: object) -> list[dict[str, Any]]:
    """Return the changes that an agent is told."""
    return agent.call("list_changes", **arguments)["changes"]
