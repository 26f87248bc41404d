"""Tools that find and read tasks."""

from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from boards.actions.guards import is_archived
from boards.colours import Hue
from boards.dates import timestamp
from boards.models import Comment
from boards.reading.cards import COMMENTS, card_in_full, id_in, timestamp_in
from boards.reading.comments import comments_before
from boards.richtext import to_markdown
from core.text.names import display_name
from mcpserver.caller import Caller
from mcpserver.cursors import cursor_for, place_of
from mcpserver.kinds import a_task, a_text
from mcpserver.messages import encode
from mcpserver.registry import Hints, tool
from mcpserver.room import FRAME, ROOM, that_fit
from mcpserver.tasks import task_out

CURSOR = 1000
READS = Hints(read_only=True, idempotent=True)


@tool(
    "Read a task",
    "One task in full, even an archived one: description, checklists, labels, assignees and its 10 newest comments, newest "
    "first (fewer when they are long).",
    *a_task(),
    a_text("cursor", "nextCursor, for the older comments alone.", CURSOR),
    hints=READS,
)
def get_task(caller: Caller, arguments: dict[str, Any]) -> dict[str, Any]:
    pk = arguments["taskId"].id
    if cursor := arguments.get("cursor"):
        return _older_comments(caller, pk, cursor)
    card = card_in_full(pk, caller.reader)
    answer = {
        "task": {**task_out(card, caller), "description": to_markdown(card.description)},
        "comments": [],
        "checklists": [_checklist_out(list(rows)) for _pk, rows in groupby(card.item_rows, itemgetter(0))],
        "labels": [{"id": id_in(pk), "name": name} for pk, name in card.label_rows],
        "assignees": [_person_out(*row) for row in card.assignee_rows],
        "recurrence": card.recurrence or None,
        **({"archived": True} if is_archived(card) else {}),
        **({"coverColor": Hue(card.cover_hue).word} if card.cover_hue else {}),
        **({"files": [{"id": id_in(pk), "name": name} for pk, name in card.file_rows]} if card.file_rows else {}),
    }
    comments = [_comment_in_row(*row) for row in card.comment_rows]
    room = max(ROOM - len(encode(answer)), ROOM // 2)
    return answer | _page(comments, room, caller, card.pk)


def _older_comments(caller: Caller, pk: UUID | None, cursor: str) -> dict[str, Any]:
    """Return the comments behind those of an answer, at least one."""
    task = caller.finder.task(pk)
    before = place_of(cursor, caller, "get_task", str(task.id))
    found = comments_before(task.id, COMMENTS + 1, before)
    comments = [_comment_out(*_comment_values(row)) for row in found]
    return _page(comments, ROOM, caller, task.id, at_least=1)


def _page(
    comments: list[dict[str, Any]], room: int, caller: Caller, card_id: UUID, at_least: int = 0
) -> dict[str, Any]:
    """Return the first comments that fit into `room` bytes, and a cursor when there are more."""
    shown = list(that_fit(comments[:COMMENTS], room, at_least))
    if len(shown) == len(comments):
        return {"comments": shown}
    shown = list(that_fit(shown, room - FRAME, at_least))
    place = [shown[-1]["createdAt"], shown[-1]["id"]] if shown else None
    return {"comments": shown, "nextCursor": cursor_for(place, caller, "get_task", str(card_id))}


def _checklist_out(rows: list[Any]) -> dict[str, Any]:
    checklist, title = rows[0][:2]
    items = [{"id": id_in(pk), "text": text, "done": bool(done)} for _list, _title, pk, text, done in rows if pk]
    return {"id": id_in(checklist), "title": title, "items": items}


def _comment_values(row: Comment) -> tuple[UUID, str, str, str | None, UUID, str, str]:
    edited = timestamp(row.edited_at) if row.edited_at else None
    return row.pk, row.body, timestamp(row.created_at), edited, row.author_id, row.author.name, row.author.email


def _comment_in_row(pk: str, body: str, created: str, edited: str | None, author: str, *named: str) -> dict[str, Any]:
    times = timestamp_in(created), edited and timestamp_in(edited)
    return _comment_out(id_in(pk), body, *times, id_in(author), *named)


def _comment_out(
    pk: UUID | str, body: str, created: str, edited: str | None, author: UUID | str, name: str, email: str
) -> dict[str, Any]:
    return {
        "id": str(pk),
        "author": {"id": str(author), "name": display_name(name, email)},
        "text": body,
        "createdAt": created,
        "editedAt": edited,
    }


def _person_out(pk: str, name: str, email: str) -> dict[str, Any]:
    return {"id": id_in(pk), "name": display_name(name, email)}
