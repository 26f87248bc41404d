"""A command line that starts and polls, and users who approve or deny."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from cliauth.models import Grant
from web.tests.browsing import browser

START, POLL = "/api/v1/cli/auth", "/api/v1/cli/auth/token"


class CommandLine:
    def __init__(self, **options: Any) -> None:
        self.client = Client(**options)

    def start(self, **body: object) -> dict[str, Any]:
        answer = self.client.post(START, body, content_type="application/json")
        assert answer.status_code == 200, answer.content
        self.codes: dict[str, Any] = answer.json()
        return self.codes

    def poll(self) -> Any:
        body = {"deviceCode": self.codes["deviceCode"]}
        return self.client.post(POLL, body, content_type="application/json")

    @property
    def grant(self) -> Grant:
        return Grant.objects.get(user_code=self.codes["userCode"].replace("-", ""))

    def shift(self, **fields: Any) -> None:
        """Change the grant's row, as if time had passed."""
        Grant.objects.filter(pk=self.grant.pk).update(**fields)


@pytest.fixture
def line(db: None) -> CommandLine:
    """A command line that has started."""
    line = CommandLine(REMOTE_ADDR="192.0.2.7", HTTP_USER_AGENT="taskboard-cli/1 (Linux)")
    line.start(clientName="my-laptop")
    return line


@pytest.fixture
def decide() -> Callable[..., Any]:
    def decide(user: User, line: CommandLine, answer: str = "approve") -> Any:
        return browser(user).post("/cli", {"code": line.codes["userCode"], "answer": answer})

    return decide


def is_refused(answer: Any, status: int, *words: str) -> bool:
    assert answer.status_code == status, answer.content
    assert list(answer.json()) == ["error"]
    sentence = answer.json()["error"]
    assert sentence.endswith(".")
    for word in words:
        assert word in sentence
    return True
