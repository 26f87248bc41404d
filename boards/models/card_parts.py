"""What hangs on a card, told once. Moving a card to another board, its next occurrence, the export and the tiles go by this
table, and a test fails when a kind of row that names a card is missing here."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from boards.models.base import BoardRow
from boards.models.card import Assignment, Card, CardLabel
from boards.models.checklist import Checklist, ChecklistItem
from boards.models.comment import Comment


@dataclass(frozen=True, slots=True)
class CardPart:
    model: type[BoardRow]
    exported_as: str  # the key in an exported card that holds these rows, or the rows that hold them
    repeated: dict[str, Any] | None = None  # the next occurrence gets a copy, with these values; None: it gets none
    on_tile: bool = True

    def of(self, card: Card) -> QuerySet[Any]:
        rows: Any = self.model._default_manager
        return rows.filter(card=card.pk)


# A kind that hangs on another one comes after it.
CARD_PARTS = (
    CardPart(CardLabel, exported_as="labelIds", repeated={}),
    CardPart(Assignment, exported_as="assigneeIds", repeated={}),
    CardPart(Checklist, exported_as="checklists", repeated={}, on_tile=False),
    CardPart(ChecklistItem, exported_as="checklists", repeated={"done": False}),
    CardPart(Comment, exported_as="comments"),
)
