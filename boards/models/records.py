"""What each verb writes into its line of history: one record per verb, with pairs of the old and the new value by name.

`…_id` and `…_ids` are for programs: who was assigned, which list a card came from. The same name without the ending is
what that was called at the time, so that people can read the line after it was renamed or deleted. Instead of a pair
there is None where a value may be long: the old one is in `FormerValues`, the new one in the row, or in the former
values of the next change. docs/decisions/history.md has the reasons.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Annotated, NotRequired, TypeAlias, TypedDict, get_type_hints
from uuid import UUID

from boards.models.verbs import Verb

ID = "id"  # marks the fields that hold ids

Id = Annotated[tuple[UUID | None, UUID | None], ID]
Ids = Annotated[tuple[Iterable[UUID] | None, Iterable[UUID] | None], ID]
Name = tuple[str | None, str | None]
Number = tuple[int | None, int | None]
Moment = tuple[datetime | None, datetime | None]
Flag = tuple[bool | None, bool | None]
LongText: TypeAlias = None


class Nothing(TypedDict):
    """No values: the subject says everything."""


class BoardCreated(TypedDict):
    template: Name


class BoardChanged(TypedDict, total=False):
    title: Name
    hue: Number


class BoardDeleted(TypedDict):
    member_ids: Ids
    lists: Number  # how many there were
    cards: Number


class Archived(TypedDict):
    archived_at: Moment


class Member(TypedDict):
    """Former values when a member is removed or leaves: `unassigned_ids`, the cards that they were assigned to."""

    member_id: Id
    member: Name
    role: Name


class Joined(Member):
    """The inviter is absent from lines that were written before people had to accept."""

    inviter_id: NotRequired[Id]
    inviter: NotRequired[Name]


class Offered(TypedDict):
    """The member to whom the board is offered, before and after."""

    member_id: Id
    member: Name


class Titled(TypedDict):
    title: Name


class Moved(TypedDict):
    """A row that moved within its parent."""

    next_id: Id  # the row that came right after it, before and after the move; None where it was or is the last


class InList(TypedDict):
    list_id: Id
    list: Name


class CardChanged(TypedDict, total=False):
    """Former values: `description`, a document; absent when there was none."""

    title: Name
    description: LongText
    due_at: Moment
    recurrence: Name


class CardMoved(InList, Moved):
    pass


class CardLeft(CardMoved):
    """A move to another board, of which this board's history has only the id.

    Former values: `label_ids`, the card's labels here; `unassigned_ids`, assignees who are not members there.
    """

    board_id: Id
    number: Number


class CardArrived(InList):
    board_id: Id
    number: Number


class CardCompleted(TypedDict):
    completed_at: Moment


class CardArchived(Archived):
    """A recurring card passes its recurrence on to the next occurrence, and gets it back when it is restored."""

    recurrence: NotRequired[Name]
    next_occurrence_id: NotRequired[Id]


class CardLabelled(TypedDict):
    label_id: Id
    label: Name


class CardAssigned(TypedDict):
    assignee_id: Id
    assignee: Name


class LabelCreated(TypedDict):
    hue: Number


class LabelChanged(TypedDict, total=False):
    name: Name
    hue: Number


class LabelDeleted(TypedDict):
    """Former values: `card_ids`, the cards that had the label."""

    name: Name
    hue: Number


class ChecklistDeleted(Moved):
    """Former values: `items`, each with `text` and `done`, in their order."""


class ItemCreated(TypedDict):
    checklist_id: Id
    checklist: Name


class ItemChanged(TypedDict, total=False):
    text: Name
    done: Flag


class ItemDeleted(ItemCreated, Moved):
    text: Name
    done: Flag


class CommentChanged(TypedDict):
    """Former values: `body`."""

    body: LongText


class CommentDeleted(CommentChanged):
    """Former values: `body`, `created_at`, `edited_at`, `door`, `token_name`."""

    author_id: Id
    author: Name


RECORDS: dict[Verb, type] = {
    Verb.BOARD_CREATED: BoardCreated,
    Verb.BOARD_CHANGED: BoardChanged,
    Verb.BOARD_ARCHIVED: Archived,
    Verb.BOARD_RESTORED: Archived,
    Verb.BOARD_DELETED: BoardDeleted,
    Verb.MEMBER_ADDED: Joined,
    Verb.MEMBER_CHANGED: Member,
    Verb.MEMBER_REMOVED: Member,
    Verb.MEMBER_LEFT: Member,
    Verb.OWNER_CHANGED: Member,
    Verb.OFFER_CREATED: Offered,
    Verb.OFFER_DECLINED: Offered,
    Verb.OFFER_WITHDRAWN: Offered,
    Verb.LIST_CREATED: Nothing,
    Verb.LIST_CHANGED: Titled,
    Verb.LIST_MOVED: Moved,
    Verb.LIST_ARCHIVED: Archived,
    Verb.LIST_RESTORED: Archived,
    Verb.LIST_DELETED: Nothing,
    Verb.CARD_CREATED: InList,
    Verb.CARD_CHANGED: CardChanged,
    Verb.CARD_MOVED: CardMoved,
    Verb.CARD_LEFT: CardLeft,
    Verb.CARD_ARRIVED: CardArrived,
    Verb.CARD_COMPLETED: CardCompleted,
    Verb.CARD_REOPENED: CardCompleted,
    Verb.CARD_ARCHIVED: CardArchived,
    Verb.CARD_RESTORED: CardArchived,
    Verb.CARD_DELETED: InList,
    Verb.CARD_LABELLED: CardLabelled,
    Verb.CARD_UNLABELLED: CardLabelled,
    Verb.CARD_ASSIGNED: CardAssigned,
    Verb.CARD_UNASSIGNED: CardAssigned,
    Verb.LABEL_CREATED: LabelCreated,
    Verb.LABEL_CHANGED: LabelChanged,
    Verb.LABEL_DELETED: LabelDeleted,
    Verb.CHECKLIST_CREATED: Nothing,
    Verb.CHECKLIST_CHANGED: Titled,
    Verb.CHECKLIST_MOVED: Moved,
    Verb.CHECKLIST_DELETED: ChecklistDeleted,
    Verb.ITEM_CREATED: ItemCreated,
    Verb.ITEM_CHANGED: ItemChanged,
    Verb.ITEM_MOVED: Moved,
    Verb.ITEM_DELETED: ItemDeleted,
    Verb.COMMENT_CREATED: Nothing,
    Verb.COMMENT_CHANGED: CommentChanged,
    Verb.COMMENT_DELETED: CommentDeleted,
}


@lru_cache
def fields_of(verb: Verb) -> tuple[frozenset[str], frozenset[str]]:
    """Return the allowed names in the record of this verb, and the required ones."""
    record = RECORDS[verb]
    return frozenset(record.__annotations__), record.__required_keys__  # type: ignore[attr-defined]


@lru_cache
def ids_in(verb: Verb) -> frozenset[str]:
    """Return the names in the record of this verb that hold ids."""
    hints = get_type_hints(RECORDS[verb], include_extras=True)
    return frozenset(name for name, kind in hints.items() if ID in getattr(kind, "__metadata__", ()))
