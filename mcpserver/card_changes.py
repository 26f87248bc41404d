"""Change a whole card: its fields, labels, people, checklists, place and state, by the actions that pages and REST call."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from apiv1.fields import NEEDS_DATE
from boards.actions.cards import card as card_actions
from boards.actions.cards.assignments import assign, unassign
from boards.actions.cards.labels import add_label, remove_label
from boards.actions.cards.moves import move_card
from boards.actions.ordering import BOTTOM, Place
from boards.dates import Due
from boards.errors import Invalid, NoNeighbour
from boards.models import Card
from boards.reading.names import labels_of_cards, people_of_cards
from mcpserver.board_names import LABELS, PEOPLE, BoardNames
from mcpserver.caller import Caller
from mcpserver.card_kinds import Position
from mcpserver.checklist_changes import change_checklists
from mcpserver.finding import Finder, Seen
from mcpserver.tasks import CUT

WAS_CUT = "description has the mark of a long one that was cut in an answer. get_task gives it whole: send that, or leave it out."
NOT_BESIDE = (
    "The task that position names is not in that list. Leave listId out to put the task into the list of that one."
)
NOT_PUT_THERE = (
    "The task that position names should have been moved there by this call, but its own changes failed. Correct those, and "
    "send both tasks again."
)
SAME_NAMES = {"title", "description", "recurrence"}  # as in the actions
OF_BOARD = {*LABELS, *PEOPLE, "listId", "position"}  # for these one must know the task's board
PARTS = OF_BOARD | {"checklists", "completed"}  # each is an action of its own

Read = Callable[[Collection[UUID]], Iterable[tuple[UUID, UUID]]]  # pairs of a card and what it has


class Target(NamedTuple):
    """The place of a task, and the one that a call asks for. Without `list_id` it stays in its list, without `place` where it is."""

    task: Seen
    board_id: UUID
    list_id: UUID | None
    place: Place | None
    not_there: str = NOT_BESIDE  # the sentence for a neighbour that is not in the list after all

    @property
    def leaves_board(self) -> bool:
        return self.board_id != self.task.board_id

    @property
    def put(self) -> Seen:
        """The task where the call wants it. Its number is still that on its own board."""
        return self.task._replace(board_id=self.board_id, list_id=self.list_id or self.task.list_id)


class Present:
    """The labels and people that tasks have, read for many tasks in one statement each."""

    def __init__(self, tasks: Iterable[UUID] = ()) -> None:
        self._tasks = set(tasks)
        self._found: dict[tuple[Read, UUID], set[UUID]] = {}

    def of(self, read: Read, task: UUID) -> set[UUID]:
        if (read, task) not in self._found:
            tasks = self._tasks if task in self._tasks else {task}
            self._found |= {(read, pk): set() for pk in tasks}
            for pk, other in read(tasks):
                self._found[read, pk].add(other)
        return self._found[read, task]

    def forget(self, task: UUID) -> None:
        """Read the labels and people of a task that has left its board alone, and anew."""
        self._tasks.discard(task)
        for read in (labels_of_cards, people_of_cards):
            self._found.pop((read, task), None)


def fields_of(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the card itself that were sent, as the actions take them."""
    fields = {name: arguments[name] for name in SAME_NAMES & arguments.keys()}
    if CUT in fields.get("description", ""):
        raise Invalid(WAS_CUT, "description")
    if "startDate" in arguments:
        fields["start_day"] = arguments["startDate"]
    if "coverColor" in arguments:
        fields["cover_hue"] = arguments["coverColor"]
    if "dueDate" in arguments:
        due: Due | None = arguments["dueDate"]
        fields |= {"due_day": due.day} if due and due.day else {"due_at": due and due.at}
    return fields


def target_of(arguments: dict[str, Any], finder: Finder, put: Callable[[Seen], Seen] = lambda task: task) -> Target:
    """Return where the task is to go. `position` beside a task of another list means that list. Raises NotFound, Invalid.

    `put` says where a task is that others are put beside.
    """
    task = finder.task(arguments["taskId"].id)
    into, board_id = None, task.board_id
    if "listId" in arguments:
        into = arguments["listId"].required()
        board_id = finder.board_of_list(into)
    position: Position | None = arguments.get("position")
    if position is None or position.beside is None:
        place = Place(position.where) if position else BOTTOM if into else None
        return Target(task, board_id, into, place)
    found = finder.neighbour(position.beside, board_id)
    beside = put(found)
    if into not in (None, beside.list_id):
        raise Invalid(NOT_BESIDE, "position")
    not_there = NOT_BESIDE if beside == found else NOT_PUT_THERE
    return Target(task, beside.board_id, beside.list_id, Place(position.where, beside.id), not_there)


def change_card(arguments: dict[str, Any], target: Target, names: BoardNames, present: Present, caller: Caller) -> Card:
    """Make the changes, each by its action. Call it in a transaction that has locked the boards of the target."""
    pk, card = target.task.id, None
    if target.place is not None:
        try:
            card = move_card(actor=caller.actor, card_id=pk, list_id=target.list_id, place=target.place)
        except NoNeighbour:
            raise Invalid(target.not_there, "position") from None
    if target.leaves_board:
        present.forget(pk)
    if found := names.ids(arguments):
        labels, people = [found.get(name) for name in LABELS], [found.get(name) for name in PEOPLE]
        if any(one is not None for one in labels):
            has = present.of(labels_of_cards, pk)
            card = _change_set(labels, has, pk, "label_id", add_label, remove_label, caller) or card
        if any(one is not None for one in people):
            has = present.of(people_of_cards, pk)
            card = _change_set(people, has, pk, "user_id", assign, unassign, caller) or card
    return change_own(pk, arguments, caller) or card or card_actions.update_card(actor=caller.actor, card_id=pk)


def change_own(pk: UUID | None, arguments: dict[str, Any], caller: Caller) -> Card | None:
    """Change what has nothing to do with the task's board: fields, checklists, whether it is done. None: no part was sent."""
    card = None
    if fields_of(arguments):
        card = change_fields(pk, arguments, caller)
    if "checklists" in arguments:
        card = card or card_actions.update_card(actor=caller.actor, card_id=pk)  # which refuses an archived one
        change_checklists(card.pk, arguments["checklists"], caller)
    if "completed" in arguments:
        act = card_actions.complete_card if arguments["completed"] else card_actions.reopen_card
        card = act(actor=caller.actor, card_id=pk)
    return card


def change_fields(pk: UUID | None, arguments: dict[str, Any], caller: Caller) -> Card:
    """Change the fields of the card itself in one change. Raises Invalid for a card that would repeat without a date."""
    fields = fields_of(arguments)
    repeats = fields.get("recurrence") is not None
    with transaction.atomic() if repeats else nullcontext():
        card = card_actions.update_card(actor=caller.actor, card_id=pk, **fields)
        if repeats and card.due_at is None:
            raise Invalid(NEEDS_DATE, "recurrence")
    return card


def _change_set(
    wanted: Sequence[list[UUID] | None],
    present: Collection[UUID],
    pk: UUID,
    name: str,
    add: Callable[..., Card],
    remove: Callable[..., Card],
    caller: Caller,
) -> Card | None:
    """Add and remove rows of the card by these actions: one change for each that differs.

    `wanted` is the whole set, what is added to it, and what is taken out of it; None is what was not sent.
    """
    whole, more, less = wanted
    gone = {*(less or ()), *([] if whole is None else {*present} - {*whole} - {*(more or ())})}
    card = None
    for one in dict.fromkeys([*(whole or ()), *(more or ())]):
        if one not in present and one not in gone:
            card = add(actor=caller.actor, card_id=pk, **{name: one})
    for one in present:
        if one in gone:
            card = remove(actor=caller.actor, card_id=pk, **{name: one})
    return card
