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
from core.text.nearest import SHOWN
from mcpserver.given_ids import GivenId

LIST_BOARDS = "Call list_boards for the ids of boards and lists."
SEARCH = "Call search_tasks for the ids of tasks."
COMMENTS = "Call get_task for the ids of a task's newest comments."
CANDIDATES = 10

Titled = tuple[UUID, str]


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
        if name == "taskId" and (titles := _titles_of_tasks(given.sent, ids, reader)):
            yield titles
            continue
        yield f"There is no {KINDS[name]} with the {name} {titled(given.sent)} that you have access to."
        yield _meant(name, given.sent, ids, reader) or WHERE_IDS_ARE.get(name, LIST_BOARDS)


def _meant(name: str, sent: str, ids: dict[str, GivenId], reader: Reader) -> str:
    """Return a sentence with the ids of the boards or lists whose title was sent as an id; empty when there are none.

    If a board was sent too, lists of other boards are left out.
    """
    if name not in TITLED:
        return ""
    rows = REACHABLE[name](reader)
    if name == "listId" and (board := ids.get("boardId")) and board.id:
        rows = rows.filter(board=board.id)
    there = called(sent, rows.values_list("pk", "title"))
    found, described = some(rows.filter(pk__in=there[: CANDIDATES + 1]).order_by("pk"), _described)
    if not found:
        return ""
    if len(found) > 1 and name == "boardId":
        described = told_apart([(row.pk, row.title) for row in found], reader)
    if len(found) == 1:
        return f"{titled(sent)} is the title of a {KINDS[name]}: its id is {found[0].pk}."
    return f"{titled(sent)} is the title of several {KINDS[name]}s: {described}."


def _titles_of_tasks(sent: str, ids: dict[str, GivenId], reader: Reader) -> str:
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


def _described(row: Board | List) -> str:
    on = f" on the board {titled(row.board.title)}" if isinstance(row, List) else ""
    return f"{titled(row.title)}{on} (id {row.pk})"


KINDS = {"taskId": "task", "listId": "list", "boardId": "board", "commentId": "comment"}
TITLED = {"listId", "boardId"}
WHERE_IDS_ARE = {"taskId": SEARCH, "commentId": COMMENTS}
REACHABLE: dict[str, Callable[[Reader], "QuerySet[Any]"]] = {
    "taskId": lambda reader: Card.objects.visible_to(reader).of_open_boards(),
    "listId": lambda reader: List.objects.visible_to(reader).open().of_open_boards().select_related("board"),
    "boardId": lambda reader: Board.objects.visible_to(reader).open(),
    "commentId": lambda reader: Comment.objects.filter(
        reader.membership("board__memberships__"), board__archived_at=None
    ),
}
