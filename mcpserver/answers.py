"""The forms in which tools show tasks: `brief`, `full`, or the fields that the caller names."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from boards.dates import Due, timestamp
from boards.errors import Invalid
from boards.models import Card
from boards.models.card import card_address
from boards.reading.brief_cards import BriefCard, brief_cards
from core.text.dates import local_time
from core.text.names import display_name
from core.text.nearest import nearest, shown
from mcpserver.arguments import Argument
from mcpserver.caller import Caller
from mcpserver.tasks import excerpt, local, task_out


class Answer(NamedTuple):
    """A form: the names of the fields in their order, and whether those that are empty are left out."""

    fields: tuple[str, ...]
    leaves_out_empty: bool = False


Show = Callable[[BriefCard, Caller], Any]
FIELDS: Mapping[str, Show] = {
    "id": lambda card, caller: str(card.id),
    "number": lambda card, caller: card.number,
    "title": lambda card, caller: card.title,
    "listId": lambda card, caller: str(card.list_id),
    "boardId": lambda card, caller: str(card.board_id),
    "dueDate": lambda card, caller: timestamp(card.due_at) if card.due_at else None,
    "dueDay": lambda card, caller: card.due_day and card.due_day.isoformat(),
    "dueLocal": lambda card, caller: local(card.due, caller.zone) if card.due else None,
    "startDate": lambda card, caller: card.start_day and card.start_day.isoformat(),
    "completed": lambda card, caller: card.completed_at is not None,
    "description": lambda card, caller: excerpt(card.description),
    "url": lambda card, caller: card_address(card.board_id, card.id),
    "labels": lambda card, caller: [name for _pk, name in card.labels],
    "assignees": lambda card, caller: [display_name(name, email) for _pk, name, email in card.people],
    "list": lambda card, caller: card.list_title,
    "board": lambda card, caller: card.board_title,
    "due": lambda card, caller: short_due(card.due, caller),
    "state": lambda card, caller: state_of(card),
    "recurrence": lambda card, caller: card.recurrence or None,
    "comments": lambda card, caller: card.comments,
    "checklist": lambda card, caller: f"{card.ticked}/{card.items}" if card.items else None,
    "files": lambda card, caller: card.files,
}
COUNTS = {"comments", "checklist", "files"}
BRIEF = Answer(("number", "title", "list", "board", "due", "state", "labels", "assignees"), leaves_out_empty=True)
FULL = Answer(tuple(FIELDS)[: tuple(FIELDS).index("list")])
FORMS = {"brief": BRIEF, "full": FULL}


def an_answer(default: str) -> Argument:
    """The form of the tasks in the answer. `default` is the one for a call without it: the tool takes that itself."""
    schema = {"type": "string", "description": f"brief, full, or names of fields with commas; {default} when left out."}
    return Argument("answer", schema, _answer)


def task_answer(card: Card, answer: Answer, caller: Caller, *, several: bool = False) -> dict[str, Any]:
    """Return a task that the caller may see, after a write: in full as `task_out` does, else by one statement.

    The board of a brief task is shown only with `several`.
    """
    if answer == FULL:
        return task_out(card, caller)
    return tasks_answer([card.pk], answer, caller, several=several)[0]


def tasks_answer(
    ids: Sequence[UUID],
    answer: Answer,
    caller: Caller,
    *,
    several: bool | None = None,
) -> list[dict[str, Any]]:
    """Return tasks that the caller may see, in this order, by one statement; those that are gone are left out.

    Brief ones name their board where there are `several`: if that is None, where these tasks are on several.
    """
    return list(tasks_by_id(ids, answer, caller, several=several).values())


def tasks_by_id(
    ids: Sequence[UUID],
    answer: Answer,
    caller: Caller,
    *,
    several: bool | None = None,
    without: Collection[str] = (),
) -> dict[UUID, dict[str, Any]]:
    """Return what `tasks_answer` does, by the ids of the tasks, in their order. `without` names fields of brief ones."""
    wanted = set(answer.fields)
    cards = brief_cards(ids, descriptions="description" in wanted, counts=not wanted.isdisjoint(COUNTS))
    if answer.leaves_out_empty:
        if several is None:
            several = len({card.board_id for card in cards}) > 1
        without = {*without, *(() if several else ("board",))} - {"number", "title"}
        answer = answer._replace(fields=tuple(name for name in answer.fields if name not in without))
    return {card.id: shown_task(card, answer, caller) for card in cards}


def shown_task(card: BriefCard, answer: Answer, caller: Caller) -> dict[str, Any]:
    values = {name: FIELDS[name](card, caller) for name in answer.fields}
    if not answer.leaves_out_empty:
        return values
    return {name: value for name, value in values.items() if value not in (None, [], "")}


def short_due(due: Due | None, caller: Caller) -> str | None:
    """Return the day, or the time in the account's zone to the minute: as `dueDate` takes both."""
    if due is None:
        return None
    return due.day.isoformat() if due.day else f"{local_time(due.at, caller.zone):%Y-%m-%dT%H:%M}"


def state_of(card: BriefCard) -> str:
    if card.is_archived:
        return "archived"
    return "open" if card.completed_at is None else "done"


def _answer(value: Any, name: str, caller: Caller) -> Answer:
    if not isinstance(value, str):
        raise Invalid(f"{name} must be brief, full, or names of fields with commas between them.", name)
    if value.strip() in FORMS:
        return FORMS[value.strip()]
    names = tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
    for one in names:
        if one not in FIELDS:
            raise Invalid(_unknown(one, name), name)
    if not names:
        raise Invalid(f"{name} is empty. Send brief, full, or names of fields: {', '.join(FIELDS)}.", name)
    return Answer(names)


def _unknown(sent: str, name: str) -> str:
    if sent in FORMS:
        return f"{name} can be {sent} only alone. With other fields, name each: {', '.join(FIELDS)}."
    if near := nearest(sent, [*FORMS, *FIELDS]):
        return f"{name} has the unknown field {shown(sent)}; did you mean {near}?"
    return f"{name} has the unknown field {shown(sent)}. There are brief and full, and the fields {', '.join(FIELDS)}."
