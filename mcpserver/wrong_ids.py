"""Find out which id of a refused call is wrong, and what the caller may have meant."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet

from boards.errors import Invalid
from boards.models import Board, Card, Comment, List
from boards.reader import Reader
from boards.reading.names import owners_of_boards
from boards.text import CARD_TITLE, clean_line
from core.text.folding import fold
from core.text.names import display_name
from core.text.nearest import SHOWN, nearest
from mcpserver.given_ids import GivenId

LIST_BOARDS = "Call list_boards for the ids of boards and lists."
SEARCH = "Call search_tasks for the ids of tasks."
COMMENTS = "Call get_task for the ids of a task's newest comments."
SEND_ID = "Send the id of one."
CANDIDATES = 10

Titled = tuple[UUID, str]
Ids = dict[str, GivenId]


def what_is_wrong(arguments: dict[str, Any], reader: Reader) -> str:
    """Return sentences about each id that the caller cannot use; empty when all can be used.

    They are the same for a row that does not exist and for one that the caller may not see.
    """
    return " ".join(_sentences(arguments, reader))


def is_reachable(name: str, given: GivenId, reader: Reader) -> bool:
    return given.id is not None and REACHABLE[name](reader).filter(pk=given.id).exists()


def some(rows: "QuerySet[Any]", describe: Callable[[Any], str]) -> tuple[list[Any], str]:
    """Return the first of what the caller may have meant, as rows and in words."""
    found = list(rows[: CANDIDATES + 1])
    words = [*map(describe, found[:CANDIDATES]), *(["and others"] if len(found) > CANDIDATES else [])]
    return found, "; ".join(words)


def called(sent: str, rows: Iterable[tuple[UUID, str]]) -> list[UUID]:
    """Return the ids of the rows (id, name) with exactly this name, or else with this name in any case."""
    rows, wanted = list(rows), sent.strip()
    exactly = [pk for pk, name in rows if name == wanted]
    if exactly:
        return exactly
    folded = fold(wanted)
    return [pk for pk, name in rows if fold(name) == folded]


def titled(title: str) -> str:
    return f"'{title if len(title) <= SHOWN else f'{title[:SHOWN]}…'}'"


def there_are(names: Sequence[str]) -> str:
    """Return a sentence with the first of these names, to be put after another one."""
    if not names:
        return " There are none."
    return (
        f" There are {', '.join(map(titled, names[:CANDIDATES]))}{', and others' if len(names) > CANDIDATES else ''}."
    )


def told_apart(boards: Sequence[Titled], reader: Reader) -> str:
    """Return the first of several boards, as (id, title), in words that say whose each is."""
    named = boards[:CANDIDATES]
    owners = owners_of_boards([pk for pk, _title in named])
    words = [f"{titled(title)} (id {pk}, {_whose(owners[pk], reader)})" for pk, title in named if pk in owners]
    return "; ".join([*words, *(["and others"] if len(boards) > CANDIDATES else [])])


def _whose(owner: tuple[UUID, str, str], reader: Reader) -> str:
    pk, name, email = owner
    return "yours" if pk == reader.user.pk else f"owned by {titled(display_name(name, email))}"


def _sentences(arguments: dict[str, Any], reader: Reader) -> Iterator[str]:
    ids = {name: given for name, given in arguments.items() if isinstance(given, GivenId)}
    wrong = {name: given for name, given in ids.items() if not is_reachable(name, given, reader)}
    if "boardId" in wrong and "taskId" in wrong and wrong["taskId"].number is not None:
        del wrong["taskId"]  # the number of a task on that board
    for name, given in wrong.items():
        yield from OF_TITLES.get(name, _no_row)(name, given, ids, reader)


def _no_row(name: str, given: GivenId, ids: Ids, reader: Reader) -> Iterator[str]:
    yield f"There is no {KINDS[name]} with the {name} {titled(given.sent)} that you have access to."
    yield WHERE_IDS_ARE.get(name, LIST_BOARDS)


def _of_task(name: str, given: GivenId, ids: Ids, reader: Reader) -> Iterator[str]:
    titles = _titles_of_tasks(given.sent, ids, reader)
    yield from [titles] if titles else _no_row(name, given, ids, reader)


def _of_board(name: str, given: GivenId, ids: Ids, reader: Reader) -> Iterator[str]:
    """Yield the boards that have this title, or else the one whose title is most like it."""
    boards = [] if given.id else list(REACHABLE[name](reader).order_by("pk").values_list("pk", "title"))
    found = called(given.sent, boards)
    if len(found) > 1:
        described = told_apart([row for row in boards if row[0] in found], reader)
        yield f"{titled(given.sent)} is the title of several boards: {described}. {SEND_ID}"
        return
    yield f"There is no board with the boardId {titled(given.sent)} that you have access to."
    if near := nearest(given.sent, [title for _pk, title in boards]):
        yield f"Did you mean {titled(near)}?"
    yield LIST_BOARDS


def _of_list(name: str, given: GivenId, ids: Ids, reader: Reader) -> Iterator[str]:
    """Yield the lists that have this title, or else those that there are on the board where it was looked for.

    Nothing is wrong with the title of one list, which was not looked for because of another fault.
    """
    if given.id is not None:
        yield from _no_row(name, given, ids, reader)
        return
    rows = REACHABLE[name](reader)
    board = REACHABLE["boardId"](reader).filter(pk=given.board_id or ids.get("boardId", given).id).first()
    on = rows.filter(board=board) if board else rows
    found = called(given.sent, on.values_list("pk", "title"))
    if len(found) > 1:
        several = some(rows.filter(pk__in=found[: CANDIDATES + 1]).order_by("pk"), _described)[1]
        yield f"{titled(given.sent)} is the title of several lists: {several}. {SEND_ID}"
    elif not found and board:
        yield from _no_list_on(board, given.sent, rows, moves="taskId" in ids)
    elif not found:
        yield from _no_row(name, given, ids, reader)


def _no_list_on(board: Board, sent: str, rows: "QuerySet[List]", *, moves: bool) -> Iterator[str]:
    """Yield the lists of the board and, for a task that may move, those of other boards that have the title."""
    here = list(rows.filter(board=board).order_by("position").values_list("title", flat=True))
    near = nearest(sent, here)
    hint = f" Did you mean {titled(near)}?" if near else ""
    yield (
        f"There is no list with the listId {titled(sent)} on the board {titled(board.title)}.{hint}{there_are(here)}"
    )
    if moves and (elsewhere := called(sent, rows.values_list("pk", "title"))):
        described = some(rows.filter(pk__in=elsewhere[: CANDIDATES + 1]).order_by("pk"), _described)[1]
        yield f"On other boards there is {described}. To move the task there, {SEND_ID[0].lower()}{SEND_ID[1:]}"


def _titles_of_tasks(sent: str, ids: Ids, reader: Reader) -> str:
    """Return a sentence with the numbers of the tasks that have exactly this title, open ones first; empty without any."""
    try:
        title = clean_line(sent, "taskId", CARD_TITLE)
    except Invalid:
        return ""
    rows = REACHABLE["taskId"](reader).filter(title=title).select_related("board")
    if (board := ids.get("boardId")) and board.id:
        rows = rows.filter(board=board.id)
    found, described = some(rows.order_by(F("archived_at").asc(nulls_first=True), "pk"), _numbered)
    if not found:
        return ""
    if len(found) == 1:
        return f"{titled(title)} is the title of a task: send {described}."
    return f"{titled(title)} is the title of several tasks. Send one of them: {described}."


def _numbered(card: Card) -> str:
    archived = ", archived" if card.archived_at else ""
    return f"'#{card.number}' on the board {titled(card.board.title)} (id {card.pk}{archived})"


def _described(row: List) -> str:
    return f"{titled(row.title)} on the board {titled(row.board.title)} (id {row.pk})"


KINDS = {"taskId": "task", "listId": "list", "boardId": "board", "commentId": "comment"}
OF_TITLES = {"taskId": _of_task, "boardId": _of_board, "listId": _of_list}
WHERE_IDS_ARE = {"taskId": SEARCH, "commentId": COMMENTS}
REACHABLE: dict[str, Callable[[Reader], "QuerySet[Any]"]] = {
    "taskId": lambda reader: Card.objects.visible_to(reader).of_open_boards(),
    "listId": lambda reader: List.objects.visible_to(reader).open().of_open_boards().select_related("board"),
    "boardId": lambda reader: Board.objects.visible_to(reader).open(),
    "commentId": lambda reader: Comment.objects.filter(
        reader.membership("board__memberships__"), board__archived_at=None
    ),
}
