"""Reads what an open card shows: each part when it is first rendered, in a fixed number of statements."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from typing import Any
from uuid import UUID

from django.forms import BoundField
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from boards import access
from boards.actions.cards.occurrences import next_due_of
from boards.actions.files.caps import plan_of_owner
from boards.colours import NAMES, Hue, next_hue, palette
from boards.dates import Due, day_of
from boards.models import Attachment, Board, Card, Comment, Label, List, Role
from boards.reading.open_card import read_chosen
from boards.reading.reach import visible_card
from boards.recurrence import Recurrence
from boards.richtext import to_html, to_markdown
from boards.statements import read_labels, read_members, read_open_lists
from core.http import compact_json
from core.http.requests import SignedInRequest
from core.templatetags.kept_tags import include_kept
from core.text.dates import date_in_form
from web.cards.boxes import Boxes
from web.cards.shared_parts import SharedParts
from web.cards.stream import Changes, read_changes
from web.due import due_state_for
from web.http.fields import day_ahead, due_fields
from web.http.forms import ColourField, DomainForm
from web.http.guard import reader

OFFERED = 6  # people beside those who are assigned


class LabelColourForm(DomainForm):
    color = ColourField()


@cache
def _label_color(hue: Hue) -> Callable[[], BoundField]:
    """Return what makes the colours of the form for a new label: always the same, as what is kept is found by it."""
    return lambda: LabelColourForm(initial={"color": hue})["color"]


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
    older_changes: int | None = None  # the number of the newest one that `stream` leaves out; known when that was read
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
        return due_state_for(self.card, self.user)

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
    def label_palette(self) -> SafeString:
        """Return the colours of the form for a new label; one that few have is chosen."""
        hue = next_hue(choice.thing.hue for choice in self.labels)  # type: ignore[union-attr]
        return include_kept("web/partials/kit/palette.html", field=_label_color(hue))

    @cached_property
    def chosen(self) -> set[UUID]:
        return read_chosen(self.card.pk)

    @cached_property
    def labels(self) -> list[Choice]:
        return [Choice(label, label.pk in self.chosen) for label in read_labels(self.card.board_id)]

    @cached_property
    def people(self) -> list[Choice]:
        return [Choice(one.user, one.user_id in self.chosen) for one in read_members(self.card.board_id)]

    @property
    def others(self) -> list["User"]:
        """Return the first members who are not assigned, each to be assigned by one click."""
        return [choice.thing for choice in self.people if not choice.chosen][:OFFERED]  # type: ignore[return-value]

    @property
    def has_labels(self) -> bool:
        return any(choice.chosen for choice in self.labels)

    @property
    def has_people(self) -> bool:
        return any(choice.chosen for choice in self.people)

    @cached_property
    def lists(self) -> list[List]:
        return read_open_lists(self.card.board_id)

    @cached_property
    def stream(self) -> list[Comment | Changes]:
        """The comments of this page and the changes made meanwhile, newest first."""
        changes, self.older_changes = read_changes(self.card, self.comments)
        return sorted([*reversed(self.comments.comments), *changes], key=lambda entry: entry.created_at, reverse=True)


def day_in_words(due: Due | None, user: User) -> str:
    """Return the day with its weekday, for the end of a sentence: without the full stop of an abbreviated month."""
    if due is None:
        return ""
    day = day_of(due, user.zone)
    return f"{date_in_form(day, 'D')}, {date_in_form(day)}".removesuffix(".")


def read_card(request: SignedInRequest, card_id: UUID | None, *, of: Board | None = None, **options: Any) -> CardPage:
    """Read the card page for the request's user. Raise NotFound, also for a card of a board other than `of`."""
    card, role = visible_card(card_id, reader(request))
    if of is not None and card.board_id != of.pk:
        raise access.not_found()
    return CardPage(card, role, request.user, request.GET.dict(), **options)
