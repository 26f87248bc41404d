"""Fold changes: all that happened to one card, or to one other thing of a board, becomes one line."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from boards.models import Activity, Verb

# What a verb of a card's part is called on the line of its card. Other verbs of cards are called by their second word.
CALLED = {
    Verb.CARD_COMPLETED: "done",
    Verb.CARD_LEFT: "moved to another board",
    Verb.CARD_ARRIVED: "came from another board",
    Verb.COMMENT_CREATED: "commented",
}
FIELDS = {
    "title": "title",
    "description": "description",
    "due_at": "due",
    "start_day": "start",
    "recurrence": "recurrence",
    "cover_hue": "cover",
    "cover_attachment_id": "cover",
}
OF_PEOPLE = ("member", "owner", "offer")  # changes of a board, each about somebody
PAIRS = ("title", "list", "due", "start_day", "recurrence", "completed_at", "archived_at")
ENDS = {Verb.CARD_DELETED: "deleted", Verb.CARD_LEFT: "gone", Verb.CARD_ARRIVED: None}
ADDED = {Verb.CARD_LABELLED: ("labels", "label"), Verb.CARD_ASSIGNED: ("people", "assignee")}
REMOVED = {Verb.CARD_UNLABELLED: ("labels", "label"), Verb.CARD_UNASSIGNED: ("people", "assignee")}


@dataclass(slots=True)
class FoldedLine:
    """The changes of one thing, folded. `pairs` has the first old and last new value by name, as the history has them."""

    board_id: UUID
    card_id: UUID | None  # None for other things of the board
    kind: str
    title: str = ""  # as it was last
    number: str = ""  # of a card
    version: int = 0  # of the last of the changes
    makers: list[Activity] = field(default_factory=list)  # the first change of each person and token
    what: list[str] = field(default_factory=list)
    pairs: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    added: dict[str, list[str]] = field(default_factory=dict)  # names of `labels` and `people`
    removed: dict[str, list[str]] = field(default_factory=dict)
    comments: int = 0
    said: list[Activity] = field(default_factory=list)  # the newest change of each comment that came or was edited
    gone: str | None = None  # the word for how the card left the board, if that was last


def fold(changes: Iterable[Activity]) -> list[FoldedLine]:
    """Return a line for each thing that the changes, which come oldest first, were about, the last changed thing last.

    The changes are of one board after the other, and so are the lines.
    """
    lines: dict[tuple[UUID, Any], FoldedLine] = {}

    def line_of(change: Activity, card_id: UUID | None) -> FoldedLine:
        thing = card_id or (_kind(change), _person(change, "member_id") or change.subject.get("id"))
        key = (change.board_id, thing)
        line = lines.pop(key, None) or FoldedLine(change.board_id, card_id, _kind(change))
        lines[key] = line  # behind the others
        return line

    for change in changes:
        _add(line_of(change, change.card_id), change)
        for following, word in _following(change):
            _add_following(line_of(change, following), change, word)
    ordered = list(lines.values())
    places = {board: place for place, board in enumerate(dict.fromkeys(line.board_id for line in ordered))}
    return sorted(ordered, key=lambda line: (places[line.board_id], line.version))


def _kind(change: Activity) -> str:
    return "card" if change.card_id else change.verb.partition(".")[0]


def _add(line: FoldedLine, change: Activity) -> None:
    subject, verb = change.subject, Verb(change.verb)
    line.version = change.version
    line.title = subject.get("card") or _person(change, "member") or subject.get("title", "")
    line.number = subject.get("number", "")
    _add_maker(line, change)
    for word in _words(verb, change):
        if word not in line.what:
            line.what.append(word)
    for name, (old, new) in _pairs(verb, change):
        line.pairs[name] = (line.pairs[name][0] if name in line.pairs else old, new)
    if verb in ADDED:
        kind, name = ADDED[verb]
        _give(line.added, line.removed, kind, _pair(change, name)[1])
    if verb in REMOVED:
        kind, name = REMOVED[verb]
        _give(line.removed, line.added, kind, _pair(change, name)[0])
    if verb in (Verb.COMMENT_CREATED, Verb.COMMENT_CHANGED):
        line.said = [*(one for one in line.said if one.subject["id"] != change.subject["id"]), change]
    if verb in ENDS:
        line.gone = ENDS[verb]
    line.comments += (verb == Verb.COMMENT_CREATED) - (verb == Verb.COMMENT_DELETED and line.comments > 0)


def _add_maker(line: FoldedLine, change: Activity) -> None:
    if not any((maker.user_id, maker.token_id) == (change.user_id, change.token_id) for maker in line.makers):
        line.makers.append(change)


def _following(change: Activity) -> Iterable[tuple[UUID, str]]:
    """Yield the next occurrence that archiving a card has created, or restoring it has taken back, and the word for that."""
    for pk, word in zip(_pair(change, "next_occurrence_id"), ("deleted", "created"), strict=True):
        if pk:
            yield UUID(pk), word


def _add_following(line: FoldedLine, change: Activity, word: str) -> None:
    """Add what the change of a card did with its next occurrence, of which the history has no line."""
    line.version, line.title = change.version, change.subject.get("title", "")
    _add_maker(line, change)
    if word not in line.what:
        line.what.append(word)
    line.gone = "deleted" if word == "deleted" else None


def _give(to: dict[str, list[str]], other: dict[str, list[str]], kind: str, name: str | None) -> None:
    """Note the name on one side; what was on the other side is undone by that."""
    if name and name in other.get(kind, []):
        other[kind].remove(name)
    elif name:
        to.setdefault(kind, []).append(name)


def _words(verb: Verb, change: Activity) -> Iterable[str]:
    noun, _dot, past = verb.partition(".")
    if verb == Verb.CARD_CHANGED:
        yield from (word for name, word in FIELDS.items() if name in change.data)
    elif verb == Verb.CARD_MOVED and len({*_pair(change, "list_id")}) == 1:
        yield "moved within its list"
    elif verb in CALLED:
        yield CALLED[verb]
    elif verb == Verb.ITEM_CHANGED and "done" in change.data:
        yield "item ticked" if _pair(change, "done")[1] else "item unticked"
    elif noun == "card" or not change.card_id:
        yield past
    else:
        yield f"{noun} {past}"


def _pairs(verb: Verb, change: Activity) -> Iterable[tuple[str, tuple[Any, Any]]]:
    """Yield the pairs that a line shows. Of parts of a card none are: their titles are not the card's."""
    if change.card_id and not verb.startswith("card."):
        return
    for name in PAIRS:
        old, new = _pair(change, name)
        if name == "due" and "due_at" in change.data:
            yield name, tuple(zip(_pair(change, "due_at"), _pair(change, "due_day"), strict=True))  # type: ignore[misc]
        elif old != new and isinstance(change.data.get(name), list | tuple):
            yield name, (old, new)


def _person(change: Activity, name: str) -> str | None:
    """Return what a change of a board says of the member whom it was about."""
    if change.card_id or change.verb.partition(".")[0] not in OF_PEOPLE:
        return None
    old, new = _pair(change, name)
    return new or old


def _pair(change: Activity, name: str) -> tuple[Any, Any]:
    old, new = change.data.get(name) or (None, None)
    return old, new
