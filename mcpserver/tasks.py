"""Show cards to agents, which know them as tasks."""

from typing import Any
from zoneinfo import ZoneInfo

from boards.dates import Due, timestamp
from boards.models import Card
from boards.richtext import to_markdown
from core.text.dates import local_time
from mcpserver.caller import Caller

EXCERPT = 500  # characters of a description in answers that are not about the whole task
CUT = "… [cut; get_task gives it whole]"


def task_out(card: Card, caller: Caller) -> dict[str, Any]:
    """Return the task with only the beginning of a long description, which ends with CUT."""
    return {
        "id": str(card.pk),
        "number": card.number,
        "title": card.title,
        "listId": str(card.list_id),
        "boardId": str(card.board_id),
        "dueDate": timestamp(card.due_at) if card.due_at else None,
        "dueDay": card.due_day and card.due_day.isoformat(),
        "dueLocal": local(card.due, caller.zone) if card.due else None,
        "startDate": card.start_day and card.start_day.isoformat(),
        "completed": card.completed_at is not None,
        "description": excerpt(card.description),
        "url": card.get_absolute_url(),
    }


def excerpt(document: Any) -> str:
    """Return a description as Markdown; of a long one only the beginning, which ends with CUT."""
    description = to_markdown(document)
    return description if len(description) <= EXCERPT else description[:EXCERPT] + CUT


def local(due: Due, zone: ZoneInfo) -> str:
    """Return the time in `zone`, or the day for a whole day, which is the same day in every zone."""
    return due.day.isoformat() if due.day else local_time(due.at, zone).isoformat()
