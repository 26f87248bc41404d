"""The cost of an agent's afternoon, through the real handler: calls, and bytes of arguments and of results' texts."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts.tokens import create_token
from boards.actions.cards.card import create_card
from boards.actions.cards.labels import create_label
from boards.models import Assignment, Card, CardLabel, Comment
from conftest import web

KB = 1024


class Conversation:
    """Calls tools by HTTP, and counts."""

    def __init__(self, user: Any) -> None:
        self.value = create_token(user, "Robot")[1]
        self.calls = self.bytes = 0

    def call(self, tool: str, **arguments: Any) -> Any:
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": self.calls, "method": "tools/call", "params": params}
        headers = {"Authorization": f"Bearer {self.value}"}
        reply = Client(headers=headers).post("/api/v1/mcp", message, content_type="application/json")
        result = reply.json()["result"]
        assert result["isError"] is False, result
        text = result["content"][0]["text"]
        self.calls += 1
        sent = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
        self.bytes += len(sent.encode()) + len(text.encode())
        return json.loads(text)


@pytest.fixture
def triage(olga, board, todo, doing):
    for name in ("Bug", "Feature"):
        create_label(actor=web(olga), board_id=board.pk, name=name)
    for number in range(1, 31):
        text = "What happens, and what should happen instead. " * 10
        create_card(actor=web(olga), list_id=todo.pk, title=f"Report {number} of a customer", description=text)
    return Conversation(olga)


def test_triage_of_thirty_cards_takes_eight_calls_and_ten_kilobytes(triage):
    read = triage.call("get_board", board="Launch")
    assert all(f"Report {number} of a customer" in json.dumps(read) for number in range(1, 31))
    decide(triage)
    assert triage.calls <= 8
    assert triage.bytes <= 10 * KB


def test_the_changes_of_a_triage_take_five_kilobytes(triage):
    decide(triage)
    assert triage.calls <= 7
    assert triage.bytes <= 5 * KB


def decide(triage: Conversation) -> None:
    """Give each card a label, a person and a due date, move ten and comment on three."""
    tasks = [
        {
            "task": f"#{number}",
            "addLabels": ["Bug" if number % 2 else "Feature"],
            "assignees": ["Ed" if number % 3 else "me"],
            "dueDate": f"2026-12-{number:02}",
            **({"list": "Doing"} if number <= 10 else {}),
        }
        for number in range(1, 31)
    ]
    assert triage.call("update_tasks", board="Launch", tasks=tasks) == {"ok": 30, "failed": []}
    for number in (3, 14, 25):
        triage.call(
            "add_comment", task=f"#{number}", text="Which version is that? Please attach a log.", answer="brief"
        )
    assert (CardLabel.objects.count(), Assignment.objects.count(), Comment.objects.count()) == (30, 30, 3)
    assert Card.objects.filter(due_day__isnull=False).count() == 30
    assert Card.objects.filter(list__title="Doing").count() == 10


def test_a_breakdown_into_a_checklist_is_one_call(triage):
    steps = ["Reproduce it", "Find the change that broke it", "Write a test", "Mend it", "Tell the customer"]
    triage.call("update_task", task="#1", checklists=[{"title": "Steps", "items": steps}], answer="brief")
    assert [item.text for item in Card.objects.get(number=1).checklist_items.order_by("position")] == steps
    assert (triage.calls, triage.bytes <= KB // 2) == (1, True)
