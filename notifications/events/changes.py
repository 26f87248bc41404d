"""Turn changes of a board into events, before the followers are known."""

from dataclasses import dataclass
from uuid import UUID

from boards.actions.cards.mentions import named
from boards.models import Activity, Card, Comment, Door, FormerValues, Verb
from boards.richtext import from_markdown, mentions_in
from core.ids import parse_id
from notifications.kinds import Kind

# Order alone, and the repair of a text: nobody is told
NOT_TOLD = {
    Verb.LIST_MOVED,
    Verb.LIST_SORTED,
    Verb.CHECKLIST_MOVED,
    Verb.ITEM_MOVED,
    Verb.COMMENT_CHANGED,
    Verb.COMMENT_DELETED,
    Verb.COMMENT_RESTORED,
    Verb.BOARD_CREATED,
}
WITH_DESCRIPTION = (Verb.CARD_CREATED, Verb.CARD_CHANGED)
WITH_COMMENT = (Verb.COMMENT_CREATED, Verb.COMMENT_CHANGED)


@dataclass(frozen=True, slots=True)
class Event:
    """One change to tell: to those who follow, or to one `user` alone."""

    change: Activity
    kind: Kind
    user: UUID | None = None
    card_id: UUID | None = None
    list_id: UUID | None = None
    old_list_id: UUID | None = None

    @property
    def is_by_agent(self) -> bool:
        return self.change.door == Door.AGENT

    @property
    def by_id(self) -> UUID:
        """Return whose burst it belongs to."""
        return self.change.token_id or self.change.user_id


@dataclass(frozen=True, slots=True)
class Text:
    """A text that may mention somebody: the present description or comment, and the one that a change replaced."""

    change: Activity
    now: set[UUID]
    before: set[UUID]


def events_of(changes: list[Activity]) -> list[Event]:
    """Return what the changes tell. Four statements at most, however many changes."""
    lists = _lists_of(changes)
    told = [event for change in changes for event in _general(change, lists)]
    told += [event for change in changes for event in _direct(change)]
    seen: set[tuple[UUID, str]] = set()
    for text in texts_of(changes):
        for user in text.now - text.before - {text.change.user_id}:
            if (user, text.change.subject["id"]) not in seen:  # of several edits at once, the first one tells
                seen.add((user, text.change.subject["id"]))
                told.append(Event(text.change, Kind.MENTIONED, user, text.change.card_id))
    return [_in_list(event, lists) for event in told]


def _lists_of(changes: list[Activity]) -> dict[UUID, UUID]:
    cards = {change.card_id for change in changes if change.card_id}
    return dict(Card.objects.filter(pk__in=cards).values_list("pk", "list_id")) if cards else {}


def _in_list(event: Event, lists: dict[UUID, UUID]) -> Event:
    if event.list_id or event.card_id not in lists:
        return event
    return Event(event.change, event.kind, event.user, event.card_id, lists[event.card_id], event.old_list_id)


def _general(change: Activity, lists: dict[UUID, UUID]) -> list[Event]:
    """Return what those are told who follow the card, its list (that it left or has come to), or the board."""
    old, new = ids_of(change, "list_id")
    if change.verb in NOT_TOLD or (change.verb == Verb.CARD_MOVED and old == new):
        return []
    kind = Kind.COMMENT if change.verb == Verb.COMMENT_CREATED else Kind.CHANGE
    if change.verb == Verb.CARD_ARRIVED:  # those who follow the card are told by the board that it left
        return [Event(change, kind, list_id=new)]
    if change.card_id is None:
        of_list = parse_id(change.subject["id"]) if change.subject.get("kind") == "list" else None
        return [Event(change, kind, list_id=of_list)]
    return [Event(change, kind, None, change.card_id, new or lists.get(change.card_id), old)]


def _direct(change: Activity) -> list[Event]:
    """Return what single people are told."""
    found: list[Event] = []
    for kind, user in _people_of(change):
        if user is not None and user != change.user_id:
            found.append(Event(change, kind, user, change.card_id))
    return found


def _people_of(change: Activity) -> list[tuple[Kind, UUID | None]]:
    match change.verb:
        case Verb.CARD_ASSIGNED:
            return [(Kind.ASSIGNED, ids_of(change, "assignee_id")[1])]
        case Verb.CARD_UNASSIGNED:
            return [(Kind.UNASSIGNED, ids_of(change, "assignee_id")[0])]
        case Verb.CARD_CREATED:
            return [(Kind.ASSIGNED, user) for user in assigned_by(change)]
        case Verb.MEMBER_CHANGED | Verb.OFFER_CREATED:
            return [(Kind.ACCESS, ids_of(change, "member_id")[1])]
        case Verb.OFFER_WITHDRAWN | Verb.OWNER_CHANGED:
            return [(Kind.ACCESS, ids_of(change, "member_id")[0])]
        case Verb.MEMBER_ADDED:
            return [(Kind.ACCESS, ids_of(change, "member_id")[1]), (Kind.ACCESS, ids_of(change, "inviter_id")[1])]
    return []


def assigned_by(change: Activity) -> list[UUID]:
    """Return to whom this change assigned its card."""
    if change.verb == Verb.CARD_ASSIGNED:
        found = [ids_of(change, "assignee_id")[1]]
    elif change.verb == Verb.CARD_CREATED:
        ids = (change.data.get("assignee_ids") or (None, None))[1] or []
        found = [parse_id(one) for one in ids]
    else:
        found = []
    return [one for one in found if one]


def ids_of(change: Activity, name: str) -> tuple[UUID | None, UUID | None]:
    old, new = change.data.get(name) or (None, None)
    return parse_id(old or ""), parse_id(new or "")


def texts_of(changes: list[Activity]) -> list[Text]:
    """Return the descriptions and comments that these changes wrote, if they are still there."""
    described = [one for one in changes if _wrote_description(one)]
    commented = [one for one in changes if one.verb in WITH_COMMENT]
    edits = [one.pk for one in described + commented if one.verb in (Verb.CARD_CHANGED, Verb.COMMENT_CHANGED)]
    former = dict(FormerValues.objects.filter(pk__in=edits).values_list("pk", "values")) if edits else {}
    found = []
    if described:
        cards = {one.card_id for one in described if one.card_id}
        documents = dict(Card.objects.filter(pk__in=cards).values_list("pk", "description"))
        for one in described:
            before = former.get(one.pk, {}).get("description")
            found.append(Text(one, people_in(documents.get(one.card_id) if one.card_id else None), people_in(before)))
    if commented:
        ids = [one.subject["id"] for one in commented]
        comments = {str(pk): row for pk, row in Comment.objects.filter(pk__in=ids).values_list("pk", "document")}
        for one in commented:
            before = former.get(one.pk, {}).get("body")
            old = named(from_markdown(before), one.board_id) if before else None
            found.append(Text(one, people_in(comments.get(one.subject["id"])), people_in(old)))
    return found


def _wrote_description(change: Activity) -> bool:
    return change.verb == Verb.CARD_CREATED or (change.verb == Verb.CARD_CHANGED and "description" in change.data)


def people_in(document: object) -> set[UUID]:
    found = (parse_id(user) for user, _label in mentions_in(document)) if document else ()  # type: ignore[arg-type]
    return {user for user in found if user}
