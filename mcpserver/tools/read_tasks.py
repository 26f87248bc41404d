"""Tools that find and read tasks."""

from itertools import groupby
from operator import itemgetter
from typing import Any

from boards.actions.guards import is_archived
from boards.dates import timestamp
from boards.reading.cards import card_in_full, id_in, time_in
from boards.richtext import to_markdown
from core.text.names import display_name
from mcpserver.caller import Caller
from mcpserver.kinds import a_task
from mcpserver.messages import encode
from mcpserver.registry import Hints, tool
from mcpserver.room import ROOM, that_fit
from mcpserver.tasks import task_out

READS = Hints(read_only=True, idempotent=True)


@tool(
    "Read a task",
    "One task in full, even an archived one: description, checklists, labels, assignees and its 10 newest comments, newest "
    "first (fewer when they are long).",
    *a_task(),
    hints=READS,
)
def get_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    card = card_in_full(arguments["taskId"].id, caller.reader)
    answer = {
        "task": {**task_out(card, caller), "description": to_markdown(card.description)},
        "comments": [],
        "checklists": [_checklist_out(list(rows)) for _pk, rows in groupby(card.item_rows, itemgetter(0))],
        "labels": [{"id": id_in(pk), "name": name} for pk, name in card.label_rows],
        "assignees": [_person_out(*row) for row in card.assignee_rows],
        "recurrence": card.recurrence or None,
        **({"archived": True} if is_archived(card) else {}),
    }
    comments = (_comment_out(*row) for row in card.comment_rows)
    return answer | {"comments": list(that_fit(comments, max(ROOM - len(encode(answer)), ROOM // 2)))}


def _checklist_out(rows: list[Any]) -> dict[str, Any]:
    checklist, title = rows[0][:2]
    items = [{"id": id_in(pk), "text": text, "done": bool(done)} for _list, _title, pk, text, done in rows if pk]
    return {"id": id_in(checklist), "title": title, "items": items}


def _comment_out(pk: str, body: str, created: str, edited: str | None, *author: str) -> dict[str, Any]:
    return {
        "id": id_in(pk),
        "author": _person_out(*author),
        "text": body,
        "createdAt": timestamp(time_in(created)),
        "editedAt": timestamp(time_in(edited)) if edited else None,
    }


def _person_out(pk: str, name: str, email: str) -> dict[str, Any]:
    return {"id": id_in(pk), "name": display_name(name, email)}
