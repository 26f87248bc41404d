"""The tool for the beginning of a day: how many tasks wait in each list of all boards."""

from collections.abc import Container, Iterable
from typing import Any
from uuid import UUID

from boards import text
from boards.models.renumbering import present
from boards.reading.changes import BoardNow, boards_now, spans_since, titles_of_several
from boards.reading.overviews import CountedList, counted_lists, week_of
from mcpserver.caller import Caller
from mcpserver.cursors import cursor_for, place_of
from mcpserver.kinds import LAST, a_text, some_lines
from mcpserver.looks import seen_versions
from mcpserver.messages import encode
from mcpserver.names import boards_called
from mcpserver.registry import Hints, tool

ROOM = 4_096  # bytes of an answer
FRAME = 360  # of ROOM, for what stands around the boards
BOARDS = 100  # more do not fit, so more are not counted

After = tuple[int, int]  # the position of a list, and the version that its board then had


@tool(
    "Overview",
    "Each list with counts of open tasks: overdue, due today, due in the named week (also overdue), nobody's, changed "
    "since your last look; 4 kB.",
    some_lines("boards", "Titles or ids; all when left out.", text.BOARD_TITLE, 100),
    a_text("cursor", "nextCursor of the answer before.", 1000),
    hints=Hints(read_only=True, idempotent=True),
)
def overview(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    boards = boards_now(caller.reader)
    twins = titles_of_several(boards)
    of = ("overview", arguments.get("boards"))
    if wanted := arguments.get("boards"):
        boards = boards_called(wanted, boards, caller.reader)
    start, after = _place(arguments.get("cursor"), boards, caller, of)
    part = boards[start : start + BOARDS]
    spans = spans_since(part, seen_versions(LAST, part, caller))
    lists = counted_lists([board.id for board in part], spans, caller.user)
    if part and after is not None:
        lists[part[0].id] = [row for row in lists[part[0].id] if row.position > after]
    told, place = _that_fit(part, lists, twins)
    week = [day.isoformat() for day in week_of(caller.user)]
    if place is None and start + len(part) == len(boards):
        return {"week": week, "boards": told}
    number, last = place or (len(part), None)
    board = boards[start + number]
    left = len(boards) - start - number
    return {
        "week": week,
        "boards": told,
        "more": f"{left} more board{'' if left == 1 else 's'}: call again with the same arguments and this nextCursor.",
        "nextCursor": cursor_for([start + number, board.id.hex, last], caller, *of),
    }


def _place(cursor: str | None, boards: list[BoardNow], caller: Caller, of: Iterable[object]) -> tuple[int, int | None]:
    """Return the number of the board to begin with, and the position among its lists after which to go on."""
    if not cursor:
        return 0, None
    number, board, after = place_of(cursor, caller, *of)
    found = next((place for place, one in enumerate(boards) if one.id == UUID(board)), None)
    if found is None:
        return min(number, len(boards)), None
    return found, present(UUID(board), *after) if after else None


def _that_fit(
    boards: Iterable[BoardNow], lists: dict[UUID, list[CountedList]], twins: Container[str]
) -> tuple[list[dict[str, Any]], tuple[int, After | None] | None]:
    """Return what fits; a board whose title another one has too gets its id. If not all fits, return where it ended: the number of the board, and its last list."""
    told: list[dict[str, Any]] = []
    room = ROOM - FRAME
    for number, board in enumerate(boards):
        ids = {"id": str(board.id)} if board.title in twins else {}
        shown: dict[str, Any] = {**ids, "title": board.title, "lists": []}
        room -= len(encode(shown)) + 1
        after: After | None = None
        for row in lists[board.id]:
            out = {"title": row.title, **{name: count for name, count in row.counts._asdict().items() if count}}
            room -= len(encode(out)) + 1
            if room < 0:
                break
            shown["lists"].append(out)
            after = row.position, row.board_version
        if room < 0 and not shown["lists"]:
            return told, (number, None)
        told.append(shown)
        if room < 0:
            return told, (number, after)
    return told, None
