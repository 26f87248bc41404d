"""Calls for many tasks: each task stands alone, unless the call wants all or nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import transaction

from boards.errors import DomainError, Invalid
from boards.statements import lock_boards
from mcpserver.answers import Answer, tasks_answer
from mcpserver.arguments import Argument, read_arguments
from mcpserver.board_names import BoardNames
from mcpserver.caller import Caller
from mcpserver.messages import encode
from mcpserver.refusals import ToolRefused, sentence_for

MOST = 50
CHANGES = 1000  # of one call, after which it begins no further task: the boards stay locked, on SQLite for everybody
ERROR = 500  # characters
TOO_MUCH = "After {made} changes a call begins no further task, so this one is as it was. Send it in another call."
AS_BEFORE = "As place {place}."
OF_LABELS = ("labels", "addLabels")  # for which labels may be created
OF_THE_CALL = "it belongs beside tasks, not into one of them."
OF_EACH = "it belongs into each of tasks."
BESIDE = dict.fromkeys(("idempotencyKey", "answer", "allOrNothing"), OF_THE_CALL)


def tasks_argument(description: str) -> Argument:
    def read(value: Any, name: str, caller: Caller) -> list[Any]:
        if not isinstance(value, list) or not 1 <= len(value) <= MOST:
            raise Invalid(f"{name} must be a list of 1 to {MOST} objects.", name)
        return value

    schema = {"type": "array", "items": {"type": "object"}, "description": description}
    return Argument("tasks", schema, read, required=True)


class Many:
    """The tasks of one call by their places, and what is wrong with those that failed."""

    def __init__(self, caller: Caller, arguments: dict[str, Any]) -> None:
        self.caller, self.arguments = caller, arguments
        self.items: dict[int, dict[str, Any]] = {}
        self.failed: dict[int, str] = {}
        self.done: dict[int, UUID] = {}
        self.following: dict[int, int] = {}  # the numbers of next occurrences that archiving has created
        self.taken_back = 0  # changes that were made in vain
        self._names: dict[UUID, BoardNames] = {}

    def read(self, known: Iterable[Argument], needs_one_of: tuple[str, ...], elsewhere: Mapping[str, str]) -> None:
        """Read the arguments of each task, as those of a call for it alone are read."""
        if "boardId" in self.arguments:
            self.caller.finder.require_board(self.arguments["boardId"].id)
        shared = {"boardId": self.arguments["boardId"]} if "boardId" in self.arguments else {}
        needed = () if set(needs_one_of) & shared.keys() else needs_one_of
        known = tuple(known)
        for place, sent in enumerate(self.arguments["tasks"]):
            try:
                if not isinstance(sent, dict):
                    raise Invalid("This must be an object.")
                item = read_arguments(known, needed, {**elsewhere, **BESIDE}, sent, self.caller)
                creates = {"createLabels": True} if self._creates_labels(item) else {}
                self.items[place] = {**shared, **creates, **item}
            except Invalid as fault:
                self.fail(place, fault.message)

    def _creates_labels(self, item: Mapping[str, Any]) -> bool:
        return bool(self.arguments.get("createLabels")) and any(name in item for name in OF_LABELS)

    def each(self, do: Callable[[dict[str, Any]], Any], *, places: Iterable[int] | None = None) -> dict[int, Any]:
        """Return what `do` returns for each task that has not failed. One for which it raises a DomainError fails."""
        found = {}
        for place in [*self.items] if places is None else places:
            try:
                found[place] = do(self.items[place])
            except DomainError as error:
                self.fail_by(place, error)
        return found

    def lock(self, board_ids: set[UUID]) -> None:
        """Lock the boards of the tasks. The answer is about all of them: it says what is wrong with tasks that are not changed."""
        self.caller.actor.touched.update(board_ids)
        lock_boards(board_ids)

    def alone(self, place: int, do: Callable[[], UUID]) -> None:
        """Let `do` change one task, and keep its id. If it raises a DomainError, only its changes are taken back."""
        made = len(self.caller.actor.changes) - self.caller.made_before + self.taken_back
        if made >= CHANGES:
            self.fail(place, TOO_MUCH.format(made=made))
            return
        try:
            with self.savepoint():
                self.done[place] = do()
        except DomainError as error:
            self.fail_by(place, error)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Take back the changes inside when a DomainError leaves it, and forget what was read of labels."""
        changes = self.caller.actor.changes
        made = len(changes)
        try:
            with transaction.atomic():
                yield
        except DomainError:
            self.taken_back += len(changes) - made
            del changes[made:]
            self._names.clear()
            raise

    def names(self, board_id: UUID) -> BoardNames:
        """Return the labels and members of a board, which the caller can see."""
        if board_id not in self._names:
            self._names[board_id] = BoardNames(board_id, self.caller.actor)
        return self._names[board_id]

    def fail_by(self, place: int, error: DomainError) -> None:
        self.fail(place, sentence_for(error, self.items[place], self.caller))

    def fail(self, place: int, error: str) -> None:
        self.failed[place] = error if len(error) <= ERROR else f"{error[:ERROR]}…"
        self.items.pop(place, None)

    def answer(self, **more: Any) -> dict[str, Any]:
        """Return what was done. Raises ToolRefused, which takes everything back, when that is nothing or must be."""
        failed = [{"place": place, "error": error} for place, error in self._errors()]
        if failed and (not self.done or self.arguments.get("allOrNothing")):
            raise ToolRefused(encode({"ok": 0, "failed": failed}).decode())
        shown = {"tasks": self._tasks(self.arguments["answer"])} if "answer" in self.arguments else {}
        return {"ok": len(self.done), "failed": failed, **more, **shown}

    def _errors(self) -> Iterator[tuple[int, str]]:
        """Yield what is wrong at each place. The same sentence is told once, then referred to."""
        first: dict[str, int] = {}
        for place, error in sorted(self.failed.items()):
            reference = AS_BEFORE.format(place=first.setdefault(error, place))
            yield place, error if first[error] == place or len(error) <= len(reference) else reference

    def _tasks(self, answer: Answer) -> list[dict[str, Any]]:
        ids = [self.done[place] for place in sorted(self.done)]
        return tasks_answer(ids, answer, self.caller, several=self.caller.moved_boards or None)
