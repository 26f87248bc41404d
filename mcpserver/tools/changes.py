"""The tool that tells what happened: changes, folded to a line a card."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_date, parse_datetime

from accounts.last_look import mark_seen
from boards.access import not_found
from boards.dates import Due
from boards.errors import Invalid
from boards.models import Activity
from boards.models.verbs import Door
from boards.reading.brief_cards import BriefCard, brief_cards
from boards.reading.change_pages import Place, first_place, read_page, unpacked
from boards.reading.changes import BoardNow, Span, boards_now, spans_since, titles_of_several
from boards.reading.comments import bodies_of
from boards.reading.folding import FoldedLine
from boards.richtext import without_ids
from core.text.names import display_name, in_words
from mcpserver.answers import short_due
from mcpserver.caller import Caller
from mcpserver.cursors import cursor_for, place_of
from mcpserver.kinds import LAST, a_board, a_choice, a_flag, a_since, a_text
from mcpserver.looks import seen_versions
from mcpserver.registry import Hints, tool
from mcpserver.room import FRAME, ROOM, that_fit

BOARDS = 100  # changed boards that one cursor holds; its bytes count against the answer
CURSOR = 10_000
YOU = "you"
ME, OTHERS = "me", "others"
NOT_SEEN = "markSeen would hide what others did, which by: me leaves out. Leave one of the two out."
NEW = ("created", "came from another board")
OF_STATE = {"completed_at", "archived_at"}
NEWEST = 10  # comments of a task
EXCERPT = 400  # characters of a comment


@tool(
    "List changes",
    "What happened, a line a task: who did what; list, due, state and others as [old, new].",
    a_board("Only on this board."),
    a_since("since", "last, or left out: since your last look; or ISO 8601; or a version with boardId."),
    a_choice("by", "me: this token's; others: the rest.", (ME, OTHERS)),
    a_flag("comments", "true: also what new comments say."),
    a_flag("markSeen", "true makes the end of this answer your last look."),
    a_text("cursor", "nextCursor of the answer before.", CURSOR),
    hints=Hints(read_only=True, idempotent=True),
)
def list_changes(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    given, by = arguments.get("boardId"), arguments.get("by")
    if by == ME and arguments.get("markSeen"):
        raise Invalid(NOT_SEEN, "markSeen")
    every = boards_now(caller.reader)
    boards = [board for board in every if given is None or board.id == given.id]
    if given and not boards:
        raise not_found()
    since = arguments.get("since", LAST)
    of = ("list_changes", str(since), given and given.id, *([by] if by else []))
    seen = seen_versions(since, boards, caller)
    spans = spans_since(boards, seen)
    cursor = arguments.get("cursor")
    place = unpacked(place_of(cursor, caller, *of)) if cursor else first_place(spans[:BOARDS])
    page = read_page(place, {board.id for board in boards}, _wanted(by, caller))
    titles = {board.id: board.title for board in boards}
    out = _lines_out(page.lines, _Shown(every, given is None, arguments.get("comments", False)), caller)
    lines = list(that_fit(out, ROOM - FRAME - CURSOR, at_least=1))
    following = page.after(len(lines))
    if arguments.get("markSeen"):
        told = following.told_versions() if following else seen | {span.board_id: span.upto for span in place.spans}
        mark_seen(caller.token, {pk: version for pk, version in told.items() if pk in titles})
    following = following or first_place(_later(spans, place, boards))
    more = {"nextCursor": cursor_for(following.packed(), caller, *of)} if following.spans else {}
    return {"changes": lines, **({"version": boards[0].version} if given else {}), **more}


def _later(spans: list[Span], place: Place, boards: list[BoardNow]) -> list[Span]:
    """Return the spans of boards behind those of the place, which one cursor could not hold."""
    order = {board.id: number for number, board in enumerate(boards)}
    last = max((order.get(span.board_id, -1) for span in place.spans), default=-1)
    return [span for span in spans if order[span.board_id] > last][:BOARDS] if last >= 0 else []


def _wanted(by: str | None, caller: Caller) -> Callable[[Activity], bool]:
    return lambda change: by is None or (change.token_id == caller.token.pk) is (by == ME)


class _Shown:
    """Names the boards that the caller sees, and says whether comments were asked for."""

    def __init__(self, boards: list[BoardNow], all_boards: bool, comments: bool) -> None:
        self.titles = {board.id: board.title for board in boards}
        self.twins = titles_of_several(boards)
        self.all_boards, self.comments = all_boards and len(boards) > 1, comments

    def board(self, pk: UUID) -> dict[str, Any]:
        ids = {"boardId": str(pk)} if self.titles[pk] in self.twins else {}
        return {"board": self.titles[pk], **ids}


def _lines_out(lines: list[FoldedLine], shown: _Shown, caller: Caller) -> Iterable[dict[str, Any]]:
    cards = {card.id: card for card in brief_cards([line.card_id for line in lines if line.card_id])}
    newest = [UUID(change.subject["id"]) for line in lines for change in line.said[-NEWEST:]] if shown.comments else []
    bodies = bodies_of(newest)
    for line in lines:
        card = cards.get(line.card_id) if line.card_id else None
        here = card if card and card.board_id == line.board_id else None  # of a board out of reach nothing is told
        out = (shown.board(line.board_id) if shown.all_boards else {}) | _line_out(line, here, caller)
        if card and not here and card.board_id in shown.titles:
            out["movedTo"] = {**shown.board(card.board_id), "number": card.number}
        told = [(change, bodies.get(UUID(change.subject["id"]))) for change in line.said[-NEWEST:]]
        if said := [_said(change, found[0], caller) for change, found in told if found and found[1] in shown.titles]:
            out["newComments"] = said
        yield out


def _said(change: Activity, body: str, caller: Caller) -> dict[str, Any]:
    text = without_ids(body)
    cut = text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"
    return {"id": change.subject["id"], "by": _maker(change, caller), "text": cut}


def _line_out(line: FoldedLine, card: BriefCard | None, caller: Caller) -> dict[str, Any]:
    """Return the line; what is empty is left out."""
    number = line.number or (card and card.number)
    if card and line.what[0] == "created" and "list" not in line.pairs:  # a next occurrence
        line.pairs["list"] = (None, card.list_title)
    begun = card if card and "created" in line.what else None  # a change that creates does not name these
    due = _changed(line, "due") if "due" in line.pairs or not begun else (None, _due_of(begun))
    values: dict[str, Any] = {
        **({"number": int(number)} if line.card_id and number else {"kind": line.kind}),
        "title": line.title,
        "by": list(dict.fromkeys(_maker(change, caller) for change in line.makers)),
        "what": line.what,
        "oldTitle": _changed(line, "title")[0],
        "list": _pair(_changed(line, "list")),
        "due": _pair([_due(value, caller) for value in due]),
        "state": _pair(_states(line, card)),
        "start": _pair(_changed(line, "start_day")),
        "recurrence": _pair([value or None for value in _changed(line, "recurrence")]),
        "addedLabels": line.added.get("labels") or (begun and [name for _pk, name in begun.labels]),
        "removedLabels": line.removed.get("labels"),
        "addedAssignees": [*map(in_words, line.added.get("people", ()))]
        or (begun and [display_name(name, email) for _pk, name, email in begun.people]),
        "removedAssignees": [*map(in_words, line.removed.get("people", ()))],
        "comments": line.comments,
    }
    return {name: value for name, value in values.items() if value or name == "title"}


def _changed(line: FoldedLine, name: str) -> tuple[Any, Any]:
    return line.pairs.get(name, (None, None))


def _pair(values: Sequence[Any]) -> list[Any] | None:
    """Return the old and the new value; None where nothing has changed in the end."""
    old, new = values
    return None if old == new else [old, new]


def _maker(change: Activity, caller: Caller) -> str:
    """Return who made the change: YOU with the token of this call, else a name, and that of the token."""
    if change.token_id == caller.token.pk:
        return YOU
    via = f" via {change.token_name}" if change.token_name and change.door in (Door.AGENT, Door.API) else ""
    return f"{change.user.display_name}{via}"


def _due(value: tuple[str | None, str | None] | None, caller: Caller) -> str | None:
    at, day = value or (None, None)
    if not at:
        return None
    moment = parse_datetime(at)
    return short_due(Due(moment, parse_date(day) if day else None), caller) if moment else None


def _due_of(card: BriefCard) -> tuple[str | None, str | None]:
    """Return the due date as a change names it."""
    return card.due_at.isoformat() if card.due_at else None, card.due_day.isoformat() if card.due_day else None


def _states(line: FoldedLine, card: BriefCard | None) -> tuple[str | None, str | None]:
    """Return the old and the new state. What the changes do not say is as it is on the card now."""
    completed = line.pairs.get("completed_at", (card and card.completed_at,) * 2)
    archived = line.pairs.get("archived_at", (card.archived_at if card else "deleted" in line.what,) * 2)
    old, new = (_state(*values) for values in zip(archived, completed, strict=True))
    gone = None if card else line.gone  # it may have come back
    if line.what[0] in NEW:
        is_told = OF_STATE & line.pairs.keys()  # others, whom `by` leaves out, may have changed it
        return None, gone or (new if is_told and new != "open" else None)
    return old, gone or new


def _state(archived: Any, completed: Any) -> str:
    return "archived" if archived else "done" if completed else "open"
