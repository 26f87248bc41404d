"""How cards are shown to agents, which know them as tasks."""

from typing import Any

from boards.dates import timestamp
from boards.models import Card
from boards.richtext import to_markdown


def task_out(card: Card) -> dict[str, Any]:
    return {
        "id": str(card.pk),
        "title": card.title,
        "listId": str(card.list_id),
        "boardId": str(card.board_id),
        "dueDate": timestamp(card.due_at) if card.due_at else None,
        "completed": card.completed_at is not None,
        "description": to_markdown(card.description),
        "url": card.get_absolute_url(),
    }
