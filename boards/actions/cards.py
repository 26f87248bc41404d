"""Cards: create, edit, complete, reopen, delete."""

import sys
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple, TypedDict, Unpack
from uuid import UUID

from django.utils.translation import gettext as _

from boards.access import no_list_yet, not_found
from boards.actions.batch import batch
from boards.actions.change import Change, change
from boards.actions.guards import require_archived, require_open
from boards.actions.ordering import GAP, bottom_of
from boards.actor import Actor
from boards.errors import Conflict, Invalid
from boards.models import Activity, Board, Card, List, Role, Verb
from boards.models.records import InList
from boards.recurrence import Recurrence
from boards.richtext import Doc, check, from_markdown, to_markdown, to_plain
from boards.text import CARD_TITLE, DESCRIPTION, clean_line, clean_text, fold


class CardFields(TypedDict, total=False):
    """The fields that can be edited. A missing key leaves the field as it is; None clears it."""

    title: str
    description: str | None  # Markdown
    document: object  # the description as a document, from the web editor; if present, `description` is ignored
    due_at: datetime | None
    recurrence: str | None


class CardDraft(NamedTuple):
    """The fields of a new card, cleaned and checked."""

    title: str
    description: Doc | None
    due_at: datetime | None
    recurrence: str


def create_card(
    *,
    actor: Actor,
    title: str,
    list_id: UUID | None = None,
    board_id: UUID | None = None,
    description: str = "",
    due_at: datetime | None = None,
    recurrence: str | None = None,
) -> Card:
    """Create a card at the end of the list; without `list_id`, at the end of the board's first open list.

    Raises Invalid, NotFound (also for an archived list, and a board without lists) and NotAllowed.
    """
    draft = draft_card(title=title, description=description, due_at=due_at, recurrence=recurrence)
    with change(actor, List, list_id) if list_id or not board_id else change(actor, Board, board_id) as c:
        into = open_list(c.row, c.board)
        card = _card(draft, c, into, bottom_of(Card, "list", into.pk))
        c.add(card)
        c.record(Verb.CARD_CREATED, card, InList(list_id=(None, into.pk), list=(None, into.title)))
    return card


def create_cards(*, actor: Actor, list_id: UUID | None, drafts: Iterable[CardDraft]) -> list[Card]:
    """Create many cards at the end of a list, in this order: one change per card, all or none, in few statements."""
    made = []
    with batch(actor, List, list_id) as cards:
        into = open_list(cards.row, cards.board)
        position = bottom_of(Card, "list", into.pk)
        for place, draft in enumerate(drafts):
            with cards.change() as c:
                card = _card(draft, c, into, position + place * GAP)
                c.add(card)
                c.record(Verb.CARD_CREATED, card, InList(list_id=(None, into.pk), list=(None, into.title)))
            made.append(card)
    return made


def draft_card(
    *, title: str, description: str = "", due_at: datetime | None = None, recurrence: str | None = None
) -> CardDraft:
    """Return the checked fields of a new card; `description` is Markdown. Raises Invalid, naming the field at fault."""
    return CardDraft(
        clean_line(title, "title", CARD_TITLE),
        from_markdown(clean_text(description or "", "description", DESCRIPTION)),
        due_at,
        valid_recurrence(recurrence),
    )


def _card(draft: CardDraft, c: Change[Any], into: List, position: int) -> Card:
    return Card(
        board=c.board,
        list=into,
        number=c.next_card_number(),
        position=position,
        title=draft.title,
        description=draft.description,
        search_text=search_text(draft.title, draft.description),
        due_at=draft.due_at,
        recurrence=draft.recurrence,
        recurrence_anchor=draft.due_at if draft.recurrence else None,
        created_by=c.actor.user,
        created_at=c.now,
        updated_at=c.now,
    )


def open_list(row: List | Board, board: Board) -> List:
    """Return the list itself, or the first open list of the board. Raises NotFound for an archived list, or none."""
    if isinstance(row, List):
        if row.archived_at is not None:
            raise not_found()
        return row
    first = List.objects.filter(board=board).open().first()
    if first is None:
        raise no_list_yet()
    return first


def search_text(title: str, document: Doc | None) -> str:
    return fold(f"{title}\n{to_plain(document)}")


def valid_recurrence(value: str | None) -> str:
    if value and value not in Recurrence.values:
        allowed = ", ".join(Recurrence.values)
        raise Invalid.of("recurrence", _("%(field)s must be one of %(allowed)s."), allowed=allowed)
    return value or ""


def update_card(
    *, actor: Actor, card_id: UUID | None, if_version: int | None = None, **fields: Unpack[CardFields]
) -> Card:
    """Edit a card. With `if_version`, raise Conflict when a later change has changed one of these fields."""
    with change(actor, Card, card_id) as c:
        card = c.row
        require_open(card)
        values = _new_values(card, fields)
        if values and if_version is not None:
            _require_unchanged(card, if_version, values.keys())
        if c.set(card, **values):
            c.record(Verb.CARD_CHANGED, card)
    return card


def _new_values(card: Card, fields: CardFields) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if "title" in fields:
        values["title"] = clean_line(fields["title"], "title", CARD_TITLE)
    if "document" in fields:
        values["description"] = _within_limit(check(fields["document"]), card.description)
    elif "description" in fields:
        values["description"] = _document_of(fields["description"], card.description)
    if "due_at" in fields:
        values["due_at"] = fields["due_at"]
    if "recurrence" in fields:
        values["recurrence"] = valid_recurrence(fields["recurrence"])
    values = {name: value for name, value in values.items() if getattr(card, name) != value}
    if "title" in values or "description" in values:
        values["search_text"] = search_text(
            values.get("title", card.title), values.get("description", card.description)
        )
    if "due_at" in values or "recurrence" in values:
        rule = values.get("recurrence", card.recurrence)
        values["recurrence_anchor"] = values.get("due_at", card.due_at) if rule else None
    return values


def _document_of(markdown: str | None, current: Doc | None) -> Doc | None:
    """Return the document for this Markdown; raise Invalid when it is too long.

    The Markdown of the present description is always accepted: writing it can make it longer than what was once sent,
    and a client must be able to send back what it read.
    """
    if current is not None and clean_text(markdown or "", "description", sys.maxsize) == to_markdown(current):
        return current
    return from_markdown(clean_text(markdown or "", "description", DESCRIPTION))


def _within_limit(document: Doc | None, current: Doc | None) -> Doc | None:
    """Return the document; raise Invalid when its Markdown is too long, or too much to be read back."""
    if document != current:
        markdown = clean_text(to_markdown(document), "description", DESCRIPTION)
        if from_markdown(markdown) != document:
            raise Invalid.of("description", _("%(field)s has too much formatting. Remove some, or split the card."))
    return document


def _require_unchanged(card: Card, version: int, fields: Iterable[str]) -> None:
    """Raise Conflict when one of these fields was changed after `version`.

    A version ahead of the board's was read on the board that the card was on before, so it cannot be compared.
    """
    later = Activity.objects.filter(card_id=card.pk, board=card.board_id, version__gt=version)
    if version > card.board.version or later.filter(data__has_any_keys=list(fields)).exists():
        raise Conflict(_("Someone else changed this in the meantime. Compare both versions and choose one."), card)


def complete_card(*, actor: Actor, card_id: UUID | None) -> Card:
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        if c.row.completed_at is None:
            c.set(c.row, completed_at=c.now)
            c.record(Verb.CARD_COMPLETED, c.row)
    return c.row


def reopen_card(*, actor: Actor, card_id: UUID | None) -> Card:
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        if c.row.completed_at is not None:
            c.set(c.row, completed_at=None)
            c.record(Verb.CARD_REOPENED, c.row)
    return c.row


def delete_card(*, actor: Actor, card_id: UUID | None) -> None:
    """Delete a card permanently. Only the owner may, and only an archived card can be deleted."""
    with change(actor, Card, card_id, needs=Role.OWNER) as c:
        require_archived(c.row)
        c.record(Verb.CARD_DELETED, c.row, InList(list_id=(c.row.list_id, None), list=(c.row.list.title, None)))
        c.remove(c.row)
