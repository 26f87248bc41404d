"""Copies of cards with their parts: next occurrences, and copies of cards, lists and boards."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from boards.models import Assignment, Attachment, Card, CardLabel, ChecklistItem, StoredFile
from boards.models.base import BoardRow
from boards.models.card_parts import CARD_PARTS
from boards.richtext import pictures_in, with_pictures

NOT_COPIED = {"id", "board", "version"}
FIELDS = (
    "title",
    "description",
    "search_text",
    "excerpt",
    "due_at",
    "due_day",
    "start_day",
    "cover_hue",
    "recurrence",
    "recurrence_anchor",
)


def copy_of(card: Card, **unlike: Any) -> Card:
    """Return an unsaved card with the same fields, but those in `unlike`."""
    return Card(**{name: getattr(card, name) for name in FIELDS} | unlike)


def copies_of_parts(
    twins: dict[Any, Any],
    cards: Iterable[Card],
    *,
    as_new: bool,
    labels: Mapping[UUID, UUID] | None = None,
    members: Collection[UUID] | None = None,
) -> list[BoardRow]:
    """Return unsaved copies of the parts that card_parts.py marks as repeated, each after those to which it refers.

    `twins` has the new ids of the cards by their old ones. With `as_new`, the fields that differ in the next occurrence
    differ here. Only `members` stay assigned, if these are given.

    With `labels`, by those of the original, the copies are for another board. The board of the original is not locked then:
    what came to be there since its labels, or the lists of its cards, were read is left out.
    """
    ids, copies = [card.pk for card in cards], []
    twins |= labels or {}
    for part in CARD_PARTS:
        if part.repeated is None:
            continue
        for row in part.model._default_manager.filter(card__in=ids).order_by("pk"):  # type: ignore[misc]  # each has one
            if isinstance(row, Assignment) and members is not None and row.user_id not in members:
                continue
            if isinstance(row, CardLabel) and labels is not None and row.label_id not in labels:
                continue
            if isinstance(row, ChecklistItem) and row.checklist_id not in twins:
                continue
            copy = _copy(row, twins, part.repeated if as_new else {})
            twins[row.pk] = copy.pk
            copies.append(copy)
    return copies


def _copy(row: BoardRow, twins: dict[Any, Any], unlike: dict[str, Any]) -> BoardRow:
    """Return an unsaved copy of `row`, with ids replaced by those in `twins` and fields set to those in `unlike`."""
    columns = [field.attname for field in row._meta.concrete_fields if field.name not in NOT_COPIED]
    values = {column: getattr(row, column) for column in columns}
    return type(row)(**{column: twins.get(value, value) for column, value in values.items()} | unlike)


def show_own_files(copy: Card, source: Card, twins: Mapping[Any, Any]) -> None:
    """Let the copy of a card show its own files, where the original showed its. `twins` has their ids."""
    if source.cover_attachment_id:
        copy.cover_attachment_id = twins.get(source.cover_attachment_id)
    shown = pictures_in(copy.description)
    if copy.description and shown:
        own = {pk: twin for pk in shown if (twin := twins.get(UUID(pk)))}
        copy.description = with_pictures(copy.description, {pk: str(own[pk]) if pk in own else None for pk in shown})


def files_in(parts: Iterable[BoardRow]) -> list[StoredFile]:
    """Return the files of the attachments among these parts."""
    return list(StoredFile.objects.filter(pk__in={row.file_id for row in parts if isinstance(row, Attachment)}))


def by_model(rows: Iterable[BoardRow]) -> list[list[BoardRow]]:
    found: dict[type[BoardRow], list[BoardRow]] = {}
    for row in rows:
        found.setdefault(type(row), []).append(row)
    return [*found.values()]
