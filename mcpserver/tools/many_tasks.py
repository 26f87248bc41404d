"""Tools that create and change many tasks in one call, which is one transaction."""

from contextlib import nullcontext
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import Placed, create_cards_on, draft_card
from boards.actions.cards.comments import add_comment
from boards.actions.cards.dates import require_order
from boards.actions.files.caps import lock_owners
from boards.errors import DomainError
from boards.models import Card
from boards.statements import read_ids
from mcpserver.caller import Caller
from mcpserver.card_changes import Present, Target, change_card
from mcpserver.finding import Seen
from mcpserver.kinds import a_board, a_flag
from mcpserver.many import OF_EACH, Many, tasks_argument
from mcpserver.new_cards import board_for, new_fields, require_date
from mcpserver.planning import planned
from mcpserver.registry import Hints, tool
from mcpserver.tools.card_arguments import (
    A_CHANGE,
    A_CHANGE_OF_MANY,
    CREATES_LABELS_OF_ALL,
    ELSEWHERE,
    ELSEWHERE_OF_MANY,
    KEY,
    NEW_TASK,
    ONE_OF_MANY,
    a_form,
)

BOARD = a_board("The board for all.")
ALL_OR_NOTHING = a_flag("allOrNothing", "One fault changes nothing.")
TWICE = "This task is in tasks twice. Send its changes together."
MOVED_AWAY = "This task was moved to another board at this moment. Try again."


@tool(
    "Create many tasks",
    "Create up to 50 tasks. Answers {ok, failed: [{place, error}], numbers}.",
    tasks_argument("Each with the fields of create_task."),
    BOARD,
    CREATES_LABELS_OF_ALL,
    ALL_OR_NOTHING,
    KEY,
    a_form("no tasks"),
    elsewhere=dict.fromkeys((argument.name for argument in NEW_TASK), OF_EACH),
    many=True,
)
def create_tasks(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    many = Many(caller, arguments)
    many.read(NEW_TASK, ("listId", "boardId"), ELSEWHERE)
    boards = many.each(lambda item: _board_of_new(item, caller))
    numbers: list[int | None] = [None] * len(arguments["tasks"])
    with transaction.atomic():
        many.lock(set(boards.values()))
        for board_id in dict.fromkeys(boards.values()):
            places = [place for place, board in boards.items() if board == board_id]
            for place, card in _create(many, board_id, places).items():
                numbers[place] = card.number
        return many.answer(numbers=numbers)


def _board_of_new(item: dict[str, Any], caller: Caller) -> UUID:
    require_date(item)
    caller.finder.find(item)
    return board_for(item, caller.finder)


def _create(many: Many, board_id: UUID, places: list[int]) -> dict[int, Card]:
    """Create these tasks of one board together; one by one where that is refused, to find out which are at fault."""
    try:
        with many.savepoint():
            placed = many.each(lambda item: _placed(many, board_id, item), places=places)
            cards = [*placed.values()]
            made = create_cards_on(actor=many.caller.actor, board_id=board_id, cards=cards) if cards else []
    except DomainError:
        return _create_one_by_one(many, board_id, [place for place in places if place in many.items])
    found = dict(zip(placed, made, strict=True))
    many.done |= {place: card.pk for place, card in found.items()}
    return found


def _create_one_by_one(many: Many, board_id: UUID, places: list[int]) -> dict[int, Card]:
    found = {}

    def create(place: int) -> UUID:
        placed = _placed(many, board_id, many.items[place])
        [found[place]] = create_cards_on(actor=many.caller.actor, board_id=board_id, cards=[placed])
        return found[place].pk

    for place in places:
        many.alone(place, partial(create, place))
    return found


def _placed(many: Many, board_id: UUID, item: dict[str, Any]) -> Placed:
    """Return the checked card. One that is refused leaves no labels."""
    with many.savepoint() if item.get("createLabels") else nullcontext():
        draft = draft_card(**new_fields(item, many.names(board_id)))
        require_order(draft.start_day, item.get("dueDate"), many.caller.zone)
    return Placed(draft, item["listId"].id if "listId" in item else None)


@tool(
    "Update many tasks",
    "Change up to 50 tasks. Answers {ok, failed}.",
    tasks_argument("Each with the fields of update_task, comment (Markdown) and archive: true."),
    BOARD,
    CREATES_LABELS_OF_ALL,
    ALL_OR_NOTHING,
    KEY,
    a_form("no tasks"),
    elsewhere=dict.fromkeys((argument.name for argument in ONE_OF_MANY), OF_EACH),
    hints=Hints(destructive=True),
    many=True,
)
def update_tasks(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    many = Many(caller, arguments)
    many.read(ONE_OF_MANY, A_CHANGE_OF_MANY, ELSEWHERE_OF_MANY)
    caller.finder.read_tasks(many.items.values())
    tasks = many.each(lambda item: _task(item, caller))
    _refuse_twins(many, tasks)
    targets = planned(many, {place: tasks[place] for place in many.items})
    present = Present(target.task.id for target in targets.values())
    with transaction.atomic():
        _lock(many, targets)
        for place, target in targets.items():
            if place in many.items:
                many.alone(place, partial(_change, many, place, target, present))
        following = [{"place": place, "number": number} for place, number in sorted(many.following.items())]
        return many.answer(**({"next": following} if following else {}))


def _task(item: dict[str, Any], caller: Caller) -> Seen:
    caller.finder.find(item)
    return caller.finder.task(item["taskId"].id)


def _refuse_twins(many: Many, tasks: dict[int, Seen]) -> None:
    """Let no task be changed twice: what its second change found would not be there any more."""
    seen = set()
    for place, task in tasks.items():
        if task.id in seen:
            many.fail(place, TWICE)
        seen.add(task.id)


def _lock(many: Many, targets: dict[int, Target]) -> None:
    """Lock all boards of the call in the order of their ids, after the accounts whose caps of files count there.

    A task that has left its board before that fails.
    """
    lock_owners({target.board_id for target in targets.values() if target.leaves_board})
    homes = {target.task.board_id for target in targets.values()}
    many.lock(homes | {target.board_id for target in targets.values()})
    ids = {target.task.id for target in targets.values()}
    there = {pk for home in homes for pk in read_ids(Card, "board_id", home, ids)}
    for place, target in targets.items():
        if place in many.items and target.task.id not in there:
            many.fail(place, MOVED_AWAY)


def _change(many: Many, place: int, target: Target, present: Present) -> UUID:
    item, pk, actor = many.items[place], target.task.id, many.caller.actor
    if item.keys() & {*A_CHANGE}:
        change_card(item, target, many.names(target.board_id), present, many.caller)
    if "comment" in item:
        add_comment(actor=actor, card_id=pk, text=item["comment"])
    if "archive" in item:
        _card, following = archive_card(actor=actor, card_id=pk)
        if following:
            many.following[place] = following.number
    return pk
