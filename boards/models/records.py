"""The record that each verb writes into its line of history, with pairs of the old and the new value by name.

`…_id` and `…_ids` are for programs: the assigned user, the list that a card came from. The same name without the ending
holds the name of that time, so that people can read the line after it was renamed or deleted. Instead of a pair there
is None where a value may be long: the old one is in `FormerValues`, the new one in the row, or in the former values of
the next change. docs/decisions/history.md has the reasons.
"""

from collections.abc import Iterable
from datetime import date, datetime
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
Day = tuple[date | None, date | None]
Flag = tuple[bool | None, bool | None]
LongText: TypeAlias = None


class Nothing(TypedDict):
    """No values: the subject says everything."""


class BoardCreated(TypedDict):
    """`source` is the title of the board that was copied; `imported` is what an imported board came from."""

    template: Name
    source: NotRequired[Name]
    imported: NotRequired[Name]
    cards: NotRequired[Number]  # how many were imported


class BoardChanged(TypedDict, total=False):
    title: Name
    hue: Number
    background: Name


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
    group: NotRequired[Name]  # of the OpenID provider, where it decided


class Joined(Member):
    """The inviter is absent from lines that were written before people had to accept."""

    inviter_id: NotRequired[Id]
    inviter: NotRequired[Name]
    link_id: NotRequired[Id]  # the invitation link, where they joined by one
    link: NotRequired[Name]


class GroupGiven(TypedDict):
    """The role that members of a group of the OpenID provider get."""

    role: Name


class LinkMade(TypedDict):
    role: Name
    expires_at: Moment
    uses: Number  # None: no limit


class LinkWithdrawn(TypedDict):
    role: Name


class Offered(TypedDict):
    """The member to whom the board is offered, before and after."""

    member_id: Id
    member: Name


class Shared(TypedDict, total=False):
    """The settings of a public link. Neither its address nor its password is ever recorded."""

    expires_at: Moment
    has_password: Flag
    shows_comments: Flag
    shows_names: Flag
    frames: Name


class Titled(TypedDict):
    title: Name


class Moved(TypedDict):
    """A row that moved within its parent."""

    next_id: Id  # the row that came right after it, before and after the move; None where it was or is the last


class ListLimited(TypedDict):
    card_limit: Number  # None where there is no limit


class ListSorted(TypedDict):
    """Former values: `card_ids`, the open cards in their order."""

    by: Name  # what the cards were sorted by; None before, and after that was taken back


class InList(TypedDict):
    list_id: Id
    list: Name


class CardCreated(InList):
    """Labels and people that a card had from the beginning."""

    label_ids: NotRequired[Ids]
    labels: NotRequired[Name]  # their names
    assignee_ids: NotRequired[Ids]
    assignees: NotRequired[Name]


class CardChanged(TypedDict, total=False):
    """`due_day` is there when the due date is or was a whole day, with `due_at`, its last second.

    Former values: `description`, a document; `recurrence_anchor` when it changed. Each is absent when there was none.
    """

    title: Name
    description: LongText
    due_at: Moment
    due_day: Day
    start_day: Day
    cover_hue: Number
    cover_attachment_id: Id
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
    """Former values: `created_label_ids`, the labels that this board lacked."""

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
    """Former values: `created_at`; `card_ids`, the cards that had the label."""

    name: Name
    hue: Number


class LabelRestored(LabelDeleted):
    """A deleted label that is back, with the cards that still exist."""


class ChecklistDeleted(Moved):
    """Former values: `title`; `items`, each with `id`, `text` and `done`, in their order."""


class ItemCreated(TypedDict):
    checklist_id: Id
    checklist: Name


class ItemChanged(TypedDict, total=False):
    text: Name
    done: Flag


class ItemMoved(Moved):
    """Of an item that moved to another checklist of its card, both checklists."""

    checklist_id: NotRequired[Id]
    checklist: NotRequired[Name]


class ItemDeleted(ItemCreated, Moved):
    text: Name
    done: Flag


class CommentChanged(TypedDict):
    """Former values: `body`, `edited_at`."""

    body: LongText


class CommentDeleted(CommentChanged):
    """Former values: `body`, `created_at`, `edited_at`, `door`, `token_name`."""

    author_id: Id
    author: Name


class CommentRestored(TypedDict):
    author_id: Id
    author: Name


class AttachmentRenamed(TypedDict):
    file_name: Name


class AttachmentDeleted(TypedDict):
    """`cover_attachment_id` is there when it was the cover of its card.

    Former values: `file_id`, `created_at`, `door`, `token_name`.
    """

    file_name: Name
    uploader_id: Id
    uploader: Name
    cover_attachment_id: NotRequired[Id]


class AttachmentRestored(AttachmentDeleted):
    """A deleted attachment that is back, whose file was still kept."""


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
    Verb.INVITATION_LINK_CREATED: LinkMade,
    Verb.INVITATION_LINK_WITHDRAWN: LinkWithdrawn,
    Verb.GROUP_ADDED: GroupGiven,
    Verb.GROUP_CHANGED: GroupGiven,
    Verb.GROUP_REMOVED: GroupGiven,
    Verb.LINK_CREATED: Shared,
    Verb.LINK_CHANGED: Shared,
    Verb.LINK_RENEWED: Nothing,
    Verb.LINK_WITHDRAWN: Nothing,
    Verb.LIST_CREATED: Nothing,
    Verb.LIST_CHANGED: Titled,
    Verb.LIST_LIMITED: ListLimited,
    Verb.LIST_MOVED: Moved,
    Verb.LIST_SORTED: ListSorted,
    Verb.LIST_ARCHIVED: Archived,
    Verb.LIST_RESTORED: Archived,
    Verb.LIST_DELETED: Nothing,
    Verb.CARD_CREATED: CardCreated,
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
    Verb.LABEL_RESTORED: LabelRestored,
    Verb.CHECKLIST_CREATED: Nothing,
    Verb.CHECKLIST_CHANGED: Titled,
    Verb.CHECKLIST_MOVED: Moved,
    Verb.CHECKLIST_DELETED: ChecklistDeleted,
    Verb.CHECKLIST_RESTORED: Moved,
    Verb.ITEM_CREATED: ItemCreated,
    Verb.ITEM_CHANGED: ItemChanged,
    Verb.ITEM_MOVED: ItemMoved,
    Verb.ITEM_DELETED: ItemDeleted,
    Verb.ITEM_RESTORED: ItemDeleted,
    Verb.COMMENT_CREATED: Nothing,
    Verb.COMMENT_CHANGED: CommentChanged,
    Verb.COMMENT_DELETED: CommentDeleted,
    Verb.COMMENT_RESTORED: CommentRestored,
    Verb.ATTACHMENT_CREATED: Nothing,
    Verb.ATTACHMENT_RENAMED: AttachmentRenamed,
    Verb.ATTACHMENT_DELETED: AttachmentDeleted,
    Verb.ATTACHMENT_RESTORED: AttachmentRestored,
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
