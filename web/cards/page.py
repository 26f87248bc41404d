"""Reads what an open card shows: each part when it is first rendered, in a fixed number of statements."""

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any
from uuid import UUID

from django.forms import BoundField
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from boards import access
from boards.actions.cards.occurrences import next_due_of
from boards.actions.files.caps import plan_of_owner
from boards.colours import NAMES, Hue, palette
from boards.dates import Due, day_of, end_of_day
from boards.models import Assignment, Attachment, Board, Card, CardLabel, Comment, Label, List, Membership, Role
from boards.reading.reach import visible_card
from boards.recurrence import Recurrence
from boards.richtext import to_html, to_markdown
from core.http import compact_json
from core.http.requests import SignedInRequest
from core.text.dates import date_in_form
from web.cards.boxes import Boxes
from web.cards.shared_parts import SharedParts
from web.cards.stream import Changes, read_changes
from web.door.fields import day_ahead, due_fields
from web.door.forms import ColourField, DomainForm
from web.door.guard import reader
from web.fragments import due_state


class LabelColourForm(DomainForm):
    color = ColourField()


@dataclass(slots=True)
class Choice:
    """A label or user of the board. `chosen`: the card has it."""

    thing: "Label | User"
    chosen: bool


@dataclass
class CardPage(SharedParts):
    card: Card
    role: Role
    user: User
    asked: dict[str, str] = field(default_factory=dict)  # the query: which comments and items to show
    new: frozenset[UUID] = frozenset()  # parts that the page does not show yet
    has_more_changes: bool = False  # than `stream` holds; known when that was read
    changed_by: "dict[str, User]" = field(default_factory=dict)  # who changed a field last, since the page showed it

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
        return to_html(self.card.description, *([Boxes(self.card)] if self.can_edit else []))

    @property
    def markdown(self) -> str:
        return to_markdown(self.card.description)

    @property
    def document(self) -> str:
        """Return the description as JSON, from which the editor starts; "" when there is none."""
        return compact_json.dumps(self.card.description) if self.card.description else ""

    @property
    def due_state(self) -> str:
        """Return the state for this reader: a whole day is over when it is over in their zone."""
        if self.card.due is None:
            return ""
        day = self.card.due_day
        end = end_of_day(day, self.user.zone) if day else self.card.due.at
        return due_state(end, done=self.card.completed_at is not None)

    @property
    def days_ahead(self) -> list[tuple[str, str, date]]:
        """Return the days that a button sets: the word that it sends, its name, and the day."""
        names = {"today": _("Today"), "tomorrow": _("Tomorrow"), "next-week": _("Next week")}
        return [(word, name, day_ahead(word, self.user)) for word, name in names.items()]

    @property
    def due_fields(self) -> tuple[str, str]:
        return due_fields(self.card.due)

    @cached_property
    def next_day(self) -> str:
        """Say when the next occurrence of a recurring card would be due; "" if there is none."""
        return day_in_words(next_due_of(self.card), self.user)

    @property
    def recurrences(self) -> list[tuple[str, str]]:
        return [(rule.value, str(rule.label)) for rule in Recurrence]

    @cached_property
    def most_bytes(self) -> int | None:
        """Return how large a file may be on this board."""
        return plan_of_owner(self.card.board_id).max_file_bytes

    @property
    def cover_hue(self) -> int | None:
        """Return the colour that is shown: none where a picture is."""
        return None if self.card.cover_attachment_id else self.card.cover_hue

    @property
    def cover_name(self) -> str:
        return str(NAMES[Hue(self.card.cover_hue)]) if self.card.cover_hue else ""

    @property
    def pictures(self) -> list[Attachment]:
        return [attachment for attachment in self.attachments if attachment.is_picture]

    @property
    def palette(self) -> list[tuple[int, str]]:
        return palette()

    @property
    def label_color(self) -> BoundField:
        """Return the colours of the form for a new label."""
        return LabelColourForm()["color"]

    @cached_property
    def labels(self) -> list[Choice]:
        worn = set(CardLabel.objects.filter(card=self.card).values_list("label_id", flat=True))
        return [Choice(label, label.pk in worn) for label in Label.objects.filter(board=self.card.board_id)]

    @cached_property
    def people(self) -> list[Choice]:
        assigned = set(Assignment.objects.filter(card=self.card).values_list("user_id", flat=True))
        members = Membership.objects.filter(board=self.card.board_id).select_related("user")
        return [Choice(one.user, one.user_id in assigned) for one in members.order_by("created_at", "id")]

    @property
    def has_labels(self) -> bool:
        return any(choice.chosen for choice in self.labels)

    @property
    def has_people(self) -> bool:
        return any(choice.chosen for choice in self.people)

    @cached_property
    def lists(self) -> list[List]:
        return list(List.objects.filter(board=self.card.board_id, archived_at=None).order_by("position"))

    @cached_property
    def stream(self) -> list[Comment | Changes]:
        """The comments of this page and the changes made meanwhile, newest first."""
        changes, self.has_more_changes = read_changes(self.card, self.comments)
        return sorted([*reversed(self.comments.comments), *changes], key=lambda entry: entry.created_at, reverse=True)


def day_in_words(due: Due | None, user: User) -> str:
    """Return the day with its weekday; with the year, if that is not the present one."""
    if due is None:
        return ""
    day = day_of(due, user.zone)
    is_this_year = day.year == timezone.localdate().year
    return f"{date_in_form(day, 'D')}, {date_in_form(day, 'MONTH_DAY_FORMAT' if is_this_year else 'DATE_FORMAT')}"


def read_card(request: SignedInRequest, card_id: UUID | None, *, of: Board | None = None, **options: Any) -> CardPage:
    """Read the card page for the request's user. Raise NotFound, also for a card of a board other than `of`."""
    card, role = visible_card(card_id, reader(request))
    if of is not None and card.board_id != of.pk:
        raise access.not_found()
    return CardPage(card, role, request.user, request.GET.dict(), **options)
