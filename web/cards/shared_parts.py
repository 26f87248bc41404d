"""The parts of an open card that members and holders of a public link read in the same way."""

from functools import cached_property

from boards.models import Attachment, Card
from boards.reading.open_card import read_attachments
from web.cards.checklist_pages import ChecklistPages, read_checklists
from web.cards.comment_pages import CommentPage, read_comments


class SharedParts:
    """Each part is read when it is first rendered."""

    card: Card
    asked: dict[str, str]  # the query: which comments and items to show

    @cached_property
    def checklists(self) -> ChecklistPages:
        return read_checklists(self.card, self.asked)

    @cached_property
    def comments(self) -> CommentPage:
        return read_comments(self.card, self.asked.get("comments", ""))

    @cached_property
    def attachments(self) -> list[Attachment]:
        """Return the files of the card with their stored files, oldest first."""
        return read_attachments(self.card.pk)
