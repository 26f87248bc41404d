"""Add labels and people to a new card, in the change that creates it."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from boards.access import not_found
from boards.actions.change import Change
from boards.errors import NotOfBoard
from boards.models import Assignment, Board, Card, CardLabel, Label, List, Membership, Verb
from boards.models.records import CardCreated

if TYPE_CHECKING:
    from accounts.models import User


class Parts(NamedTuple):
    """Labels and people by their ids."""

    labels: dict[UUID, Label]
    people: "dict[UUID, User]"


def read_parts(board: Board, label_ids: Iterable[UUID], user_ids: Iterable[UUID]) -> Parts:
    """Read these labels and members of the board. Raises NotOfBoard when one of them is not of this board."""
    label_ids, user_ids = set(label_ids), set(user_ids)
    labels = Label.objects.filter(board=board, pk__in=label_ids) if label_ids else ()
    members = Membership.objects.filter(board=board, user__in=user_ids).select_related("user") if user_ids else ()
    parts = Parts({label.pk: label for label in labels}, {member.user_id: member.user for member in members})
    if missing := (label_ids - parts.labels.keys()) | (user_ids - parts.people.keys()):
        raise NotOfBoard(not_found().message, frozenset(missing))
    return parts


def add_new_card(
    c: Change[Any], card: Card, into: List, parts: Parts, label_ids: Sequence[UUID], user_ids: Sequence[UUID]
) -> None:
    """Add the card with these of the `parts`, and record its creation."""
    c.add(card)
    record = CardCreated(list_id=(None, into.pk), list=(None, into.title))
    if label_ids:
        record["label_ids"] = (None, list(label_ids))
        record["labels"] = (None, ", ".join(parts.labels[pk].name for pk in label_ids))
    if user_ids:
        record["assignee_ids"] = (None, list(user_ids))
        record["assignees"] = (None, ", ".join(parts.people[pk].display_name for pk in user_ids))
    for pk in label_ids:
        c.add(CardLabel(card=card, label=parts.labels[pk]))
    for pk in user_ids:
        c.add(Assignment(card=card, user=parts.people[pk]))
    c.record(Verb.CARD_CREATED, card, record)
