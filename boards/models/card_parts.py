"""The parts of a card: every model whose rows belong to one card.

Moving a card to another board, its next occurrence, the export and the tiles all use this table. A test fails when a
model with a `card` field is missing here.
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from boards.models.attachment import Attachment
from boards.models.base import BoardRow
from boards.models.card import Assignment, Card, CardLabel
from boards.models.checklist import Checklist, ChecklistItem
from boards.models.comment import Comment


@dataclass(frozen=True, slots=True)
class CardPart:
    model: type[BoardRow]
    exported_as: str  # the key in an exported card under which these rows are found, possibly nested
    repeated: dict[str, Any] | None = None  # fields to set on copies for the next occurrence; None: no copies
    on_tile: bool = True

    def of(self, card: Card) -> QuerySet[Any]:
        rows: Any = self.model._default_manager
        return rows.filter(card=card.pk)


# A part that refers to another part comes after it.
CARD_PARTS = (
    CardPart(CardLabel, exported_as="labelIds", repeated={}),
    CardPart(Assignment, exported_as="assigneeIds", repeated={}),
    CardPart(Checklist, exported_as="checklists", repeated={}, on_tile=False),
    CardPart(ChecklistItem, exported_as="checklists", repeated={"done": False}),
    CardPart(Comment, exported_as="comments"),
    CardPart(Attachment, exported_as="attachments", repeated={}),
)
