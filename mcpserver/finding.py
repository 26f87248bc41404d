"""Find boards, lists and tasks by what people call them: a title, a number such as #5, an address. An id wins over a title."""

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from boards.access import not_found
from boards.errors import Invalid, NotFound
from boards.models import Card
from boards.reader import Reader
from boards.reading.names import board_of_open_list, place_of_card
from mcpserver.given_ids import GivenId
from mcpserver.wrong_ids import REACHABLE, Titled, called, some, titled

NOT_THERE = "The task is not on the board with this boardId. Leave boardId out; move_task moves tasks to other boards."
NO_NEIGHBOUR = "The task that position names does not exist, or you have no access to it."


class Seen(NamedTuple):
    """A task that the caller can see, perhaps an archived one."""

    id: UUID
    number: int
    board_id: UUID
    list_id: UUID


class Finder:
    """Looks up what the calls of one request name, and reads titles once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._boards: list[Titled] | None = None
        self._lists: dict[UUID | None, list[Titled]] = {}
        self._tasks: dict[UUID, Seen] = {}
        self._visible: set[UUID | None] = set()  # boards
        self._board_of_list: dict[UUID, UUID] = {}
        self._numbers: set[int] = set()  # of which all tasks have been read

    def find(self, arguments: dict[str, Any]) -> None:
        """Put ids in the place of titles and numbers in `arguments`, and take out the board that a task's number is of.

        A title that no board or list has, or several, is left without an id, so that the tool does not find it. Raises
        NotFound for a task, and Invalid for the number of several.
        """
        self._find_board(arguments)
        board: GivenId | None = arguments.get("boardId")
        self._find_task(arguments)
        self._find_list(arguments, board)

    def read_tasks(self, many: Iterable[dict[str, Any]]) -> None:
        """Read the tasks that many calls name, in one statement."""
        given: list[GivenId] = [arguments["taskId"] for arguments in many if "taskId" in arguments]
        self._numbers |= {one.number for one in given if one.number is not None}
        self._read(Q(pk__in=[one.id for one in given if one.id]) | Q(number__in=self._numbers))

    def task(self, pk: UUID | None) -> Seen:
        """Return the task with this id, as it was when it was first read. Raises NotFound."""
        if pk is None:
            raise not_found()
        if pk not in self._tasks:
            found = place_of_card(pk, self._reader)
            if found is None:
                raise not_found()
            self._tasks[pk] = Seen(*found)
        return self._tasks[pk]

    def neighbour(self, given: GivenId, board_id: UUID) -> Seen:
        """Return the task beside which another one is to be put. A number is that of a task on this board."""
        if given.number is not None:
            found = self._numbered(given.number, board_id)
            pk = found[0].id if found else None
        else:
            pk = given.id
        try:
            return self.task(pk)
        except NotFound:
            raise Invalid(NO_NEIGHBOUR, "position") from None

    def board_of_list(self, pk: UUID) -> UUID:
        """Return the board of an open list. Raises NotFound."""
        if pk not in self._board_of_list:
            found = board_of_open_list(pk, self._reader)
            if found is None:
                raise not_found()
            self._board_of_list[pk] = found
        return self._board_of_list[pk]

    def require_board(self, pk: UUID | None) -> UUID:
        """Return the id of an open board. Raises NotFound for one that the caller cannot see."""
        if pk not in self._visible and not REACHABLE["boardId"](self._reader).filter(pk=pk).exists():
            raise not_found()
        self._visible.add(pk)
        return pk  # type: ignore[return-value]

    def _find_board(self, arguments: dict[str, Any]) -> None:
        board: GivenId | None = arguments.get("boardId")
        if board is None or board.id is not None:
            return
        if self._boards is None:
            self._boards = list(REACHABLE["boardId"](self._reader).values_list("pk", "title"))
        arguments["boardId"] = _one(board, self._boards)

    def _find_list(self, arguments: dict[str, Any], board: GivenId | None) -> None:
        """Look for the title of a list on the board that was given, or else on the task's own board, then on all."""
        given: GivenId | None = arguments.get("listId")
        if given is None or given.id is not None or (board is not None and board.id is None):
            return
        if board is not None:
            arguments["listId"] = _one(given, self._lists_on(board.id))._replace(board_id=board.id)
            return
        if "taskId" in arguments:
            own = self._lists_on(self.task(arguments["taskId"].id).board_id)
            if called(given.sent, own):
                arguments["listId"] = _one(given, own)
                return
        arguments["listId"] = _one(given, self._lists_on(None))

    def _lists_on(self, board_id: UUID | None) -> list[Titled]:
        if board_id not in self._lists:
            lists = REACHABLE["listId"](self._reader)
            found = lists if board_id is None else lists.filter(board=board_id)
            rows = list(found.values_list("pk", "title", "board_id"))
            self._lists[board_id] = [(pk, title) for pk, title, _board in rows]
            self._board_of_list |= {pk: board for pk, _title, board in rows}
        return self._lists[board_id]

    def _find_task(self, arguments: dict[str, Any]) -> None:
        """An id without a board takes no statement."""
        task: GivenId | None = arguments.get("taskId")
        board: GivenId | None = arguments.get("boardId")
        if task is None or (task.number is None and board is None):
            return
        on = board and board.required()
        if task.number is None:
            found = [seen for seen in [self.task(task.id)] if seen.board_id == on]
            if not found:
                raise NotFound(NOT_THERE)
        else:
            found = self._numbered(task.number, on)
        if not found:
            raise not_found()
        if len(found) > 1:
            raise Invalid(self._several(task))
        arguments["taskId"] = GivenId(task.sent, found[0].id)
        arguments.pop("boardId", None)

    def _numbered(self, number: int, board_id: UUID | None) -> list[Seen]:
        """Return the tasks with this number, on this board or on all of them."""
        if number not in self._numbers:
            self._read(Q(number=number, board=board_id) if board_id else Q(number=number))
        found = [seen for seen in self._tasks.values() if seen.number == number]
        return [seen for seen in found if board_id in (None, seen.board_id)]

    def _read(self, wanted: Q) -> None:
        rows = REACHABLE["taskId"](self._reader).filter(wanted).values_list("pk", "number", "board_id", "list_id")
        self._tasks |= {row[0]: Seen(*row) for row in rows}

    def _several(self, task: GivenId) -> str:
        cards = REACHABLE["taskId"](self._reader).filter(number=task.number).select_related("board").order_by("board")
        described = some(cards, _described)[1]
        return f"Several tasks have the number {task.number}: {described}. Send the id of one as taskId."


def _one(given: GivenId, rows: Iterable[Titled]) -> GivenId:
    """Return what was given with the id of the one row that it is the title of, if there is exactly one."""
    found = called(given.sent, rows)
    return given._replace(id=found[0]) if len(found) == 1 else given


def _described(card: Card) -> str:
    archived = ", archived" if card.archived_at else ""
    return f"{titled(card.title)} on the board {titled(card.board.title)} (id {card.pk}{archived})"
