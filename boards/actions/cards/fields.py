"""The fields of a card that can be edited: cleaned, checked, and what follows from them."""

import sys
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, TypedDict
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils.translation import gettext as _

from boards.actions.cards.dates import anchor_of, due_of, new_dates
from boards.actions.cards.mentions import named
from boards.actions.cards.pictures import with_own_pictures
from boards.actor import Actor
from boards.colours import valid_hue
from boards.errors import Conflict, Invalid
from boards.models import Activity, Card, Verb
from boards.recurrence import Recurrence
from boards.richtext import Doc, check, first_line, from_markdown, to_markdown, to_plain
from boards.text import CARD_TITLE, DESCRIPTION, EXCERPT, clean_line, clean_text
from core.text.folding import fold

DATES = {"due_at", "due_day", "start_day"}


class CardFields(TypedDict, total=False):
    """The fields that can be edited. A missing key leaves the field as it is; None clears it.

    The due date is `due_at`, a moment, or `due_day`, a whole day in the actor's zone. Each replaces the other. A card that
    loses its due date stops repeating.
    """

    title: str
    description: str | None  # Markdown
    document: object  # the description as a document, from the web editor; if present, `description` is ignored
    due_at: datetime | None
    due_day: date | None
    start_day: date | None
    cover_hue: int | None
    recurrence: str | None


def last_second(card: Card, values: dict[str, Any]) -> dict[str, Any]:
    """Return what the record lacks of a due date that became a whole day, or ceased to be one, at the same second."""
    return {"due_at": (card.due_at, card.due_at)} if "due_day" in values and "due_at" not in values else {}


def new_values(card: Card, fields: CardFields, actor: Actor) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if "title" in fields:
        values["title"] = clean_line(fields["title"], "title", CARD_TITLE)
    if "document" in fields:
        document = _saved(check(fields["document"]), card)
        values["description"] = _within_limit(document, card.description)
    elif "description" in fields:
        values["description"] = _saved(_document_of(fields["description"], card.description), card)
    if fields.keys() & DATES:
        values |= new_dates(card, fields, actor.user.zone)
    if "cover_hue" in fields:
        values["cover_hue"] = None if fields["cover_hue"] is None else valid_hue(fields["cover_hue"], "cover")
        values["cover_attachment_id"] = None  # a picture would hide the colour
    if "recurrence" in fields:
        values["recurrence"] = valid_recurrence(fields["recurrence"])
    elif "due_at" in values and values["due_at"] is None:
        values["recurrence"] = ""
    values = {name: value for name, value in values.items() if getattr(card, name) != value}
    return values | derived(card, values, actor.user.zone)


def derived(card: Card, values: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """Return the derived fields of a card that gets these new values."""
    found: dict[str, Any] = {}
    if "title" in values or "description" in values:
        found["search_text"] = search_text(values.get("title", card.title), values.get("description", card.description))
    if "description" in values:
        found["excerpt"] = first_line(values["description"], EXCERPT)
    if values.keys() & {"due_at", "due_day", "recurrence"}:
        rule = values.get("recurrence", card.recurrence)
        due_at, due_day = values.get("due_at", card.due_at), values.get("due_day", card.due_day)
        found["recurrence_anchor"] = anchor_of(due_of(due_at, due_day, zone)) if rule else None
    return found


def _saved(document: Doc | None, card: Card) -> Doc | None:
    """Return the document with only members mentioned, and only files of the card shown as pictures."""
    return with_own_pictures(named(document, card.board_id, card.description), card.pk, card.description)


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


def require_unchanged(card: Card, version: int, fields: Iterable[str]) -> None:
    """Raise Conflict when one of these fields was changed after `version`.

    A version from before the card arrived, or ahead of the board's, was read on another board, so it cannot be compared.
    """
    later = Activity.objects.filter(card_id=card.pk, board=card.board_id, version__gt=version, subject__id=str(card.pk))
    changed = Q(data__has_any_keys=list(fields)) | Q(verb=Verb.CARD_ARRIVED)
    last = later.filter(changed).select_related("user").first()
    if last is not None and last.verb != Verb.CARD_ARRIVED:
        sentence = _("%(person)s changed this in the meantime. Compare both versions and choose one.")
        if "title" in fields:
            sentence = _("%(person)s changed the title to “%(title)s” in the meantime. Choose one of the two.")
        raise Conflict(sentence % {"person": last.user.display_name, "title": card.title}, card)
    if last is not None or version > card.board.version:
        raise Conflict(_("Someone else changed this in the meantime. Compare both versions and choose one."), card)


def valid_recurrence(value: str | None) -> str:
    if value and value not in Recurrence.values:
        allowed = ", ".join(Recurrence.values)
        raise Invalid.of("recurrence", _("%(field)s must be one of %(allowed)s."), allowed=allowed)
    return value or ""


def search_text(title: str, document: Doc | None) -> str:
    return fold(f"{title}\n{to_plain(document)}")
