"""The export as JSON, written piece by piece. No more than one card is in memory at a time."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import IO, TYPE_CHECKING, Any
from uuid import UUID

from django.utils import timezone

from boards.colours import Hue
from boards.dates import timestamp
from boards.models import Assignment, Board, CardLabel, Checklist, ChecklistItem, Comment
from boards.reader import Reader
from boards.richtext import to_markdown
from core.compact_json import dumps
from core.people import display_name
from exporter.snapshot import snapshot
from exporter.streams import Streams, open_streams

if TYPE_CHECKING:
    from accounts.models import User


def write_export(reader: Reader, file: IO[str]) -> None:
    """Write everything on every board that the reader can access, as of one moment. docs/export.schema.json has the form."""
    with snapshot() as using, open_streams(reader, using) as streams:
        head = {
            "format": "taskboard-export",
            "version": 1,
            "exportedAt": timestamp(timezone.now().replace(microsecond=0)),
            "user": user_out(reader.user),
        }
        file.writelines(opened(head, "boards", boards(streams)))


def boards(streams: Streams) -> Iterator[Iterable[str]]:
    for pk, title, hue, role, created_at, archived_at in streams.boards:
        head = {
            "id": str(pk),
            "title": title,
            "url": Board(pk=pk).get_absolute_url(),
            "color": color(hue),
            "role": role,
            "createdAt": timestamp(created_at),
            "archivedAt": moment(archived_at),
            "members": [{**person(*who), "role": role} for *who, role in streams.members.of(pk)],
            "labels": [
                {"id": str(label), "name": name, "color": color(hue)} for label, name, hue in streams.labels.of(pk)
            ],
        }
        yield opened(head, "lists", lists(pk, streams))


def lists(board: UUID, streams: Streams) -> Iterator[Iterable[str]]:
    for pk, title, archived_at in streams.lists.of(board):
        head = {"id": str(pk), "title": title, "archivedAt": moment(archived_at)}
        yield opened(head, "cards", ([dumps(card_out(row, streams))] for row in streams.cards.of(pk)))


def card_out(row: tuple[Any, ...], streams: Streams) -> dict[str, Any]:
    pk, number, title, description, due, completed, archived, recurrence, created, updated, *creator = row
    return {
        "id": str(pk),
        "number": number,
        "title": title,
        "description": to_markdown(description),
        "dueDate": moment(due),
        "completed": completed is not None,
        "completedAt": moment(completed),
        "archivedAt": moment(archived),
        "recurrence": recurrence or None,
        "createdAt": timestamp(created),
        "updatedAt": timestamp(updated),
        "createdBy": person(*creator),
        "labelIds": [str(label) for (label,) in streams.parts[CardLabel].of(pk)],
        "assigneeIds": [str(user) for (user,) in streams.parts[Assignment].of(pk)],
        "checklists": [
            {
                "id": str(checklist),
                "title": title,
                "items": [
                    {"id": str(item), "text": text, "done": done}
                    for item, text, done in streams.parts[ChecklistItem].of(checklist)
                ],
            }
            for checklist, title in streams.parts[Checklist].of(pk)
        ],
        "comments": [comment_out(*comment) for comment in streams.parts[Comment].of(pk)],
        "attachments": [],
    }


def comment_out(
    pk: UUID, author: UUID, name: str, email: str, body: str, created_at: datetime, edited_at: datetime | None
) -> dict[str, Any]:
    return {
        "id": str(pk),
        "author": person(author, name, email),
        "body": body,
        "createdAt": timestamp(created_at),
        "editedAt": moment(edited_at),
    }


def user_out(user: "User") -> dict[str, Any]:
    return {
        "id": str(user.pk),
        "name": user.display_name,
        "email": user.email,
        "language": user.language_tag,
        "timeZone": user.time_zone,
        "plan": user.plan_id,
    }


def person(pk: UUID, name: str, email: str) -> dict[str, str]:
    """Return the person under the name that pages show, without the email address."""
    return {"id": str(pk), "name": display_name(name, email)}


def color(hue: int) -> str:
    return Hue(hue).name.lower()


def moment(value: datetime | None) -> str | None:
    return timestamp(value) if value else None


def opened(head: dict[str, Any], name: str, parts: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the JSON of the object `head` with one more member `name`: an array with one item for each of `parts`."""
    yield f'{dumps(head)[:-1]},"{name}":['
    for place, part in enumerate(parts):
        if place:
            yield ",\n"
        yield from part
    yield "]}"
