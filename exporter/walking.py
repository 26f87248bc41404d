"""The boards of a reader, step by step: a board, its lists, the cards of each, the comments of each, in display order.

Nothing but the step at hand is in memory. Every form of the export is written from these steps.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone

from accounts.models import User
from boards.colours import Hue
from boards.dates import timestamp
from boards.models import Assignment, Attachment, Board, CardLabel, Checklist, ChecklistItem, Comment
from boards.richtext import HTML_VERSION, to_markdown
from core.text.names import display_name
from exporter.streams import Streams

BOARD, LIST, CARD, COMMENT = 1, 2, 3, 4  # how deep a step stands in the export


class Step(NamedTuple):
    """`content` is its JSON, without the parts that have steps of their own. `more` is for the other forms:

    of a board its `background`, of a card the `document` of its description, the number of its `comments` and the names
    of its `files` in the storage, in the order of its attachments, of a comment its `html`, "" where it has to be made.
    """

    depth: int
    content: dict[str, Any]
    more: dict[str, Any]


def head_of(user: User) -> dict[str, Any]:
    """Return what stands before the boards."""
    return {
        "format": "taskboard-export",
        "version": 1,
        "exportedAt": timestamp(timezone.now().replace(microsecond=0)),
        "user": {
            "id": str(user.pk),
            "name": user.display_name,
            "email": user.email,
            "language": user.language_tag,
            "timeZone": user.time_zone,
            "plan": user.plan_id,
        },
    }


def steps(streams: Streams) -> Iterator[Step]:
    for pk, title, hue, background, role, created_at, archived_at in streams.boards:
        yield Step(
            BOARD,
            {
                "id": str(pk),
                "title": title,
                "url": Board(pk=pk).get_absolute_url(),
                "color": Hue(hue).word,
                "role": role,
                "createdAt": timestamp(created_at),
                "archivedAt": moment(archived_at),
                "members": [{**person(*who), "role": role} for *who, role in streams.members.of(pk)],
                "labels": [
                    {"id": str(label), "name": name, "color": Hue(hue).word}
                    for label, name, hue in streams.labels.of(pk)
                ],
            },
            {"background": background},
        )
        for list_pk, title, limit, archived_at in streams.lists.of(pk):
            content = {"id": str(list_pk), "title": title, "cardLimit": limit, "archivedAt": moment(archived_at)}
            yield Step(LIST, content, {})
            for row in streams.cards.of(list_pk):
                yield card_step(row, streams)
                for *comment, html, version in streams.parts[Comment].of(row[0]):
                    shown = html if version == HTML_VERSION else ""
                    yield Step(COMMENT, comment_out(*comment), {"html": shown})


def card_step(row: tuple[Any, ...], streams: Streams) -> Step:
    (
        pk,
        number,
        title,
        description,
        due,
        due_day,
        start_day,
        cover,
        cover_attachment,
        completed,
        archived,
        recurrence,
        anchor,
        created,
        updated,
        comments,
        *creator,
    ) = row
    attachments = list(streams.parts[Attachment].of(pk))
    content = {
        "id": str(pk),
        "number": number,
        "title": title,
        "description": to_markdown(description),
        "dueDate": moment(due),
        "dueDay": day(due_day),
        "startDate": day(start_day),
        "coverColor": Hue(cover).word if cover else None,
        "coverAttachmentId": str(cover_attachment) if cover_attachment else None,
        "completed": completed is not None,
        "completedAt": moment(completed),
        "archivedAt": moment(archived),
        "recurrence": recurrence or None,
        "recurrenceAnchor": moment(anchor),
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
        "attachments": [attachment_out(*attachment) for *attachment, _name in attachments],
    }
    stored = [name for *_attachment, name in attachments]
    return Step(CARD, content, {"document": description, "comments": comments, "files": stored})


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


def attachment_out(
    pk: UUID,
    file_name: str,
    content_type: str,
    size: int,
    sha256: str,
    uploader: UUID,
    name: str,
    email: str,
    created_at: datetime,
) -> dict[str, Any]:
    return {
        "id": str(pk),
        "fileName": file_name,
        "contentType": content_type,
        "size": size,
        "sha256": sha256,
        "uploadedBy": person(uploader, name, email),
        "createdAt": timestamp(created_at),
    }


def person(pk: UUID, name: str, email: str) -> dict[str, str]:
    """Return the person under the name that pages show, without the email address."""
    return {"id": str(pk), "name": display_name(name, email)}


def moment(value: datetime | None) -> str | None:
    return timestamp(value) if value else None


def day(value: date | None) -> str | None:
    return value.isoformat() if value else None
