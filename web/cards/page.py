"""Reads everything that an open card shows, in a fixed number of statements."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Prefetch

from boards import access
from boards.colours import palette
from boards.models import (
    Activity,
    Assignment,
    Board,
    Card,
    CardLabel,
    Checklist,
    ChecklistItem,
    Comment,
    Label,
    List,
    Membership,
    Role,
)
from boards.reading.reach import visible_card
from boards.recurrence import Recurrence
from boards.richtext import from_markdown, to_html, to_markdown
from core.http import SignedInRequest
from web.door.fields import due_field
from web.door.guard import reader
from web.fragments import due_state
from web.history import HtmlLine, lines

if TYPE_CHECKING:
    from accounts.models import User

COMMENTS = 50  # shown at once, the newest; the rest on demand
CHANGES = 20


@dataclass(slots=True)
class Choice:
    """A label or user of the board. `chosen`: the card has it."""

    thing: "Label | User"
    chosen: bool


@dataclass(slots=True)
class CardPage:
    card: Card
    board: Board
    role: Role
    user: "User"
    labels: list[Choice]
    people: list[Choice]
    checklists: list[Checklist]
    comments: list[Comment]
    has_more_comments: bool
    lists: list[List]
    history: list[HtmlLine]

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


def read_card(request: SignedInRequest, card_id: UUID | None, *, of: Board | None = None) -> CardPage:
    """Read the card page for the request's user. Raise NotFound, also for a card of a board other than `of`."""
    card, role = visible_card(card_id, reader(request))
    if of is not None and card.board_id != of.pk:
        raise access.not_found()
    comments, has_more_comments = _comments(card, everything=request.GET.get("comments") == "all")
    return CardPage(
        card=card,
        board=card.board,
        role=role,
        user=request.user,
        labels=_labels(card),
        people=_people(card),
        checklists=_checklists(card),
        comments=comments,
        has_more_comments=has_more_comments,
        lists=list(List.objects.filter(board=card.board_id, archived_at=None).order_by("position")),
        history=lines(Activity.objects.filter(board=card.board_id, card_id=card.pk)[:CHANGES]),
    )


def _labels(card: Card) -> list[Choice]:
    worn = set(CardLabel.objects.filter(card=card).values_list("label_id", flat=True))
    return [Choice(label, label.pk in worn) for label in Label.objects.filter(board=card.board_id)]


def _people(card: Card) -> list[Choice]:
    assigned = set(Assignment.objects.filter(card=card).values_list("user_id", flat=True))
    members = Membership.objects.filter(board=card.board_id).select_related("user").order_by("created_at", "id")
    return [Choice(member.user, member.user_id in assigned) for member in members]


def _checklists(card: Card) -> list[Checklist]:
    items = Prefetch("items", ChecklistItem.objects.order_by("position"), to_attr="rows")
    return list(Checklist.objects.filter(card=card).order_by("position").prefetch_related(items))


def _comments(card: Card, *, everything: bool) -> tuple[list[Comment], bool]:
    """Return the newest comments in the order they were written, and whether there are earlier ones."""
    newest = Comment.objects.filter(card=card).select_related("author").order_by("-created_at", "-id")
    found = list(newest if everything else newest[: COMMENTS + 1])
    shown = found if everything else found[:COMMENTS]
    for comment in shown:
        comment.html = to_html(from_markdown(comment.body))  # type: ignore[attr-defined]
    return shown[::-1], len(shown) < len(found)
