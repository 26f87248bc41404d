"""Read an open card by fixed statements: cards are opened all day."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from boards.access import not_found
from boards.models import Activity, Assignment, Attachment, Card, CardLabel, FormerValues, Verb
from boards.richtext import Doc
from core import sql
from core.sql import table


def read_chosen(card_id: UUID) -> set[UUID]:
    """Return the ids of the labels of a card and of its assignees."""
    query = (
        f"SELECT label_id FROM {table(CardLabel)} WHERE card_id = %s"  # noqa: S608 (own names)
        f" UNION ALL SELECT user_id FROM {table(Assignment)} WHERE card_id = %s"
    )
    return {sql.key_in(pk) for (pk,) in sql.rows(query, sql.keys([card_id, card_id]))}


def read_attachments(card_id: UUID) -> list[Attachment]:
    """Return the files of a card with their stored files, oldest first."""
    rest = "WHERE this.card_id = %s ORDER BY this.created_at, this.id"
    return sql.select(Attachment, rest, sql.keys([card_id]), "file", "uploaded_by")


def read_changes(
    card: Card,
    most: int,
    *,
    without: Iterable[Verb] = (),
    up_to: int | None = None,
    since: datetime | None = None,
    before: datetime | None = None,
) -> list[Activity]:
    """Return the newest changes of a card with their users, `most` at most, the newest first.

    Those `without` some verbs, up to a number of the board's changes, since a moment, before a moment.
    """
    excluded = [verb.value for verb in without]
    moments = {"this.created_at >= %s": since, "this.created_at < %s": before}
    given: dict[str, Any] = {condition: sql.moment(bound) for condition, bound in moments.items() if bound}
    if up_to is not None:
        given["this.version <= %s"] = up_to
    conditions = ["this.card_id = %s", "this.board_id = %s", *given]
    if excluded:
        conditions.append(f"this.verb NOT IN ({', '.join(['%s'] * len(excluded))})")
    rest = f"WHERE {' AND '.join(conditions)} ORDER BY this.version DESC LIMIT %s"
    return sql.select(Activity, rest, [*sql.keys([card.pk, card.board_id]), *given.values(), *excluded, most], "user")


def read_former_description(card: Card, change_id: UUID) -> tuple[Activity, Doc | None]:
    """Return a change of the card on its board, with its user, and the description that it replaced; None where there was none.

    Raises NotFound if the change is another card's, or did not change the description.
    """
    changes = Activity.objects.filter(board=card.board_id, card_id=card.pk, verb=Verb.CARD_CHANGED)
    line = changes.filter(pk=change_id, data__has_key="description").select_related("user").first()
    if line is None:
        raise not_found()
    former = FormerValues.objects.filter(activity=line).first()
    return line, former.values.get("description") if former else None
