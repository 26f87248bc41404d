"""Reads what an open card shows: each part when it is first rendered, in a fixed number of statements."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from boards import access
from boards.colours import palette
from boards.models import Activity, Assignment, Board, Card, CardLabel, Label, List, Membership, Role
from boards.reading.reach import visible_card
from boards.recurrence import Recurrence
from boards.richtext import to_html, to_markdown
from core.http import SignedInRequest
from web.cards.checklist_pages import ChecklistPages, read_checklists
from web.cards.comment_pages import CommentPage, read_comments
from web.door.fields import due_field
from web.door.guard import reader
from web.fragments import due_state
from web.history import HtmlLine, lines

if TYPE_CHECKING:
    from accounts.models import User

CHANGES = 20


@dataclass(slots=True)
class Choice:
    """A label or user of the board. `chosen`: the card has it."""

    thing: "Label | User"
    chosen: bool


@dataclass
class CardPage:
    card: Card
    role: Role
    user: "User"
    asked: dict[str, str] = field(default_factory=dict)  # the query: which comments and items to show
    new: frozenset[UUID] = frozenset()  # parts that the page does not show yet

    @property
    def board(self) -> Board:
        return self.card.board

    @property
    def is_open(self) -> bool:
        return self.card.archived_at is None and self.card.list.archived_at is None

    @property
    def can_edit(self) -> bool:
        """Return whether the user may edit the card. An archived one can only be restored and commented on."""
        return self.role.can_edit and self.is_open

    @property
    def can_comment(self) -> bool:
        return self.role.can_edit

    @property
    def description_html(self) -> str:
        return to_html(self.card.description)

    @property
    def markdown(self) -> str:
        return to_markdown(self.card.description)

    @property
    def due_state(self) -> str:
        return due_state(self.card.due_at, done=self.card.completed_at is not None) if self.card.due_at else ""

    @property
    def due_field(self) -> str:
        return due_field(self.card.due_at)

    @property
    def recurrences(self) -> list[tuple[str, str]]:
        return [(rule.value, str(rule.label)) for rule in Recurrence]

    @property
    def palette(self) -> list[tuple[int, str]]:
        return palette()

    @cached_property
    def labels(self) -> list[Choice]:
        worn = set(CardLabel.objects.filter(card=self.card).values_list("label_id", flat=True))
        return [Choice(label, label.pk in worn) for label in Label.objects.filter(board=self.card.board_id)]

    @cached_property
    def people(self) -> list[Choice]:
        assigned = set(Assignment.objects.filter(card=self.card).values_list("user_id", flat=True))
        members = Membership.objects.filter(board=self.card.board_id).select_related("user")
        return [Choice(one.user, one.user_id in assigned) for one in members.order_by("created_at", "id")]

    @cached_property
    def checklists(self) -> ChecklistPages:
        return read_checklists(self.card, self.asked)

    @cached_property
    def comments(self) -> CommentPage:
        return read_comments(self.card, self.asked.get("comments", ""))

    @cached_property
    def lists(self) -> list[List]:
        return list(List.objects.filter(board=self.card.board_id, archived_at=None).order_by("position"))

    @cached_property
    def history(self) -> list[HtmlLine]:
        return lines(Activity.objects.filter(board=self.card.board_id, card_id=self.card.pk)[:CHANGES])


def read_card(request: SignedInRequest, card_id: UUID | None, *, of: Board | None = None, **options: Any) -> CardPage:
    """Read the card page for the request's user. Raise NotFound, also for a card of a board other than `of`."""
    card, role = visible_card(card_id, reader(request))
    if of is not None and card.board_id != of.pk:
        raise access.not_found()
    return CardPage(card, role, request.user, request.GET.dict(), **options)
