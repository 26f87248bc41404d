"""How cards are shown to agents, which know them as tasks."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from boards.dates import LAST_SECOND, timestamp
from boards.models import Card
from boards.richtext import to_markdown
from mcpserver.caller import Caller

EXCERPT = 500  # characters of a description in answers that are not about the whole task
CUT = "… [cut; get_task gives it whole]"


def task_out(card: Card, caller: Caller) -> dict[str, Any]:
    """Return the task with only the beginning of a long description, which ends with CUT."""
    description = to_markdown(card.description)
    return {
        "id": str(card.pk),
        "number": card.number,
        "title": card.title,
        "listId": str(card.list_id),
        "boardId": str(card.board_id),
        "dueDate": timestamp(card.due_at) if card.due_at else None,
        "dueLocal": local(card.due_at, caller.zone) if card.due_at else None,
        "completed": card.completed_at is not None,
        "description": description if len(description) <= EXCERPT else description[:EXCERPT] + CUT,
        "url": card.get_absolute_url(),
    }


def local(moment: datetime, zone: ZoneInfo) -> str:
    """Return the time in `zone`, or only the day for its last second: what a date without a time is stored as."""
    there = moment.astimezone(zone)
    is_day = there.replace(hour=0, minute=0, second=0, microsecond=0) + LAST_SECOND == there
    return there.date().isoformat() if is_day else there.isoformat()
