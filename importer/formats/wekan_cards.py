"""The cards of WeKan's export, translated one by one."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Protocol
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from boards.losses import Loss
from boards.outlines import CardOutline, ChecklistOutline, CommentOutline, FileOutline, ItemOutline, PersonOutline
from boards.richtext.links import safe_address
from core.text.dates import local_time
from importer.formats.labels import Labels
from importer.formats.shelf import Shelf
from importer.formats.things import Thing
from importer.formats.wekan_colors import hue_of
from importer.formats.words import plain, together, wall_time, with_fields
from importer.report import Report

# Ids, order, and what says nothing about the card itself
IGNORED = {
    "_id", "boardId", "swimlaneId", "sort", "subtaskSort", "type", "dateLastActivity", "userId", "coverId", "isOvertime",
    "linkedId", "parentId", "archivedAt", "place", "cardNumber", "targetId_gantt", "linkType_gantt", "linkId_gantt",
}  # fmt: skip


class Stored(Protocol):
    def size(self, place: int) -> int | None: ...
    def open(self, place: int) -> AbstractContextManager[IO[bytes]]: ...


@dataclass
class WekanContext:
    """The context of the cards of one board."""

    shelf: Shelf
    labels: Labels
    people: Mapping[str, PersonOutline]
    zone: ZoneInfo
    files: Stored
    fields: Mapping[str, Thing]
    lanes: Mapping[str, str]  # keys of labels by those of swimlanes
    archived_lanes: set[str]
    titles: Mapping[str, str]  # of all cards


class Cards:
    """The cards of a board, read from the shelf while they are asked for."""

    def __init__(self, context: WekanContext, report: Report, order: list[str]) -> None:
        self._context, self._report, self._order = context, report, order

    def __iter__(self) -> Iterator[CardOutline]:
        shelf = self._context.shelf
        for key in self._order:
            for where, value in shelf.take("cards", key):
                yield _Card(self._context, Thing(value, where, self._report, self._context.zone)).translated()
        for kind in ("comments", "checklists", "checklistItems", "attachments"):
            if left := shelf.left(kind):
                self._report.lose(Loss.WITHOUT_CARD, kind, left)


class _Card:
    def __init__(self, context: WekanContext, one: Thing) -> None:
        self.context, self.one, self.report, self.key = context, one, one.report, one.key("_id")

    def translated(self) -> CardOutline:
        one = self.one
        due, start = one.moment("dueAt"), one.moment("startAt")
        card = CardOutline(
            list_key=one.key("listId"),
            title=one.line("title"),
            where=one.where,
            key=self.key,
            number=one.whole("cardNumber") or None,
            description=with_fields(one.text("description"), self._fields()),
            due_at=due,
            start_day=local_time(start, self.context.zone).date() if start else None,
            completed_at=one.moment("endAt"),
            archived_at=self._archived_at(),
            cover_hue=self._cover_hue(),
            created_by=self._person("userId"),
            created_at=one.moment("createdAt"),
            updated_at=one.moment("modifiedAt") or one.moment("dateLastActivity"),
            labels=self._labels(),
            assignees=self._people("assignees") or self._people("members"),
            checklists=self._checklists(),
            comments=self._comments(),
            files=self._files(),
        )
        cover = one.key("coverId")
        card.cover_file = cover if any(file.key == cover for file in card.files) else ""
        one.tell_rest(IGNORED)
        return card

    def _archived_at(self) -> datetime | None:
        one = self.one
        if not one.flag("archived") and one.key("swimlaneId") not in self.context.archived_lanes:
            return None
        return (
            one.moment("archivedAt") or one.moment("modifiedAt") or one.moment("dateLastActivity") or datetime.now(UTC)
        )

    def _person(self, name: str) -> str:
        key = self.one.key(name)
        return key if key in self.context.people else ""

    def _people(self, name: str) -> list[str]:
        found = []
        for key in self.one.keys(name):
            if key in self.context.people:
                found.append(key)
            else:
                self.report.lose(Loss.UNKNOWN_REFERENCE, self.one.at(name))
        return found

    def _labels(self) -> list[str]:
        found = []
        for key in self.one.keys("labelIds"):
            if key in self.context.labels:
                found.append(key)
            else:
                self.report.lose(Loss.UNKNOWN_REFERENCE, self.one.at("labelIds"))
        lane = self.context.lanes.get(self.one.key("swimlaneId"))
        return [*found, lane] if lane else found

    def _cover_hue(self) -> int | None:
        color = self.one.key("color")
        if not color or color == "white":
            return None
        hue, is_exact = hue_of(color)
        if not is_exact:
            self.report.lose(Loss.COLOR_CHANGED, self.one.at("color"))
        return hue

    def _fields(self) -> list[tuple[str, str]]:
        """Return name and Markdown of each field that cards here do not have."""
        one, found = self.one, list(self._custom_fields())
        members, assignees = self._names("members"), self._names("assignees")
        if assignees and members:
            found.append((_("Members"), plain(members)))
            self.report.lose(Loss.FIELD_IN_TEXT, one.at("members"))
        for name, title in (
            ("requestedBy", _("Requested by")),
            ("assignedBy", _("Assigned by")),
            ("spentTime", _("Time spent")),
        ):
            if (text := one.text(name)) and text != "0":
                found.append((title, plain(text)))
                self.report.lose(Loss.FIELD_IN_TEXT, one.at(name))
        if received := one.moment("receivedAt"):
            found.append((_("Received"), self._wall(received)))
            self.report.lose(Loss.FIELD_IN_TEXT, one.at("receivedAt"))
        for name, title in (("parentId", _("Parent card")), ("linkedId", _("Linked card"))):
            if (key := one.key(name)) and key in self.context.titles:
                found.append((title, plain(self.context.titles[key])))
                self.report.lose(Loss.FIELD_IN_TEXT, one.at(name))
        if vote := self._vote():
            found.append((_("Vote"), vote))
        return found

    def _names(self, name: str) -> str:
        return together(self.context.people[key].name for key in self.one.keys(name) if key in self.context.people)

    def _vote(self) -> str:
        vote = self.one.thing("vote")
        question, yes, no = vote.line("question"), len(vote.keys("positive")), len(vote.keys("negative"))
        if not question:
            return ""
        self.report.lose(Loss.FIELD_IN_TEXT, vote.where)
        return plain(_("%(question)s %(yes)s for, %(no)s against") % {"question": question, "yes": yes, "no": no})

    def _custom_fields(self) -> Iterator[tuple[str, str]]:
        for one in self.one.things("customFields"):
            field = self.context.fields.get(one.key("_id"))
            raw = one.raw("value")
            if raw in (None, "", False, []):
                continue
            if field is None:
                self.report.lose(Loss.UNKNOWN_REFERENCE, one.where)
            elif value := self._value(one, field, raw):
                self.report.lose(Loss.FIELD_IN_TEXT, one.where)
                yield field.line("name"), value

    def _value(self, one: Thing, field: Thing, raw: object) -> str:
        kind = field.key("type")
        if raw is True:
            return _("Yes")
        if kind == "date" and (moment := one.moment("value")):
            return self._wall(moment)
        if kind == "dropdown":
            options = field.thing("settings").things("dropdownItems")
            return next((plain(option.line("name")) for option in options if option.key("_id") == raw), "")
        if isinstance(raw, list):
            return plain(together(item for item in raw if isinstance(item, str)))
        return plain(one.text("value"))

    def _wall(self, moment: datetime) -> str:
        return wall_time(moment, self.context.zone)

    def _shelved(self, kind: str, owner: str) -> Iterator[Thing]:
        for where, value in self.context.shelf.take(kind, owner):
            yield Thing(value, where, self.report, self.context.zone)

    def _checklists(self) -> list[ChecklistOutline]:
        found = []
        for one in self._shelved("checklists", self.key):
            items = [
                (item.number("sort") or 0.0, ItemOutline(item.line("title"), item.flag("isFinished")))
                for item in self._shelved("checklistItems", one.key("_id"))
            ]
            ordered = [item for _sort, item in sorted(items, key=lambda pair: pair[0])]
            found.append((one.number("sort") or 0.0, ChecklistOutline(one.line("title"), ordered)))
        return [checklist for _sort, checklist in sorted(found, key=lambda pair: pair[0])]

    def _comments(self) -> list[CommentOutline]:
        found = []
        for one in self._shelved("comments", self.key):
            author, made, changed = one.key("userId"), one.moment("createdAt"), one.moment("modifiedAt")
            edited = changed if made and changed and (changed - made).total_seconds() > 1 else None
            found.append(
                CommentOutline(one.text("text"), author if author in self.context.people else "", made, edited)
            )
        return sorted(found, key=lambda comment: comment.created_at or datetime.min.replace(tzinfo=UTC))

    def _files(self) -> list[FileOutline]:
        found = []
        for one in self._shelved("attachments", self.key):
            place = one.whole("place") or 0
            size = self.context.files.size(place)
            url = safe_address(one.line("url"))
            found.append(
                FileOutline(
                    file_name=one.line("name") or one.line("filename"),
                    open=self._opener(place) if size is not None else None,
                    key=one.key("_id"),
                    url=url,
                    size=size,
                    uploaded_by=one.key("userId"),
                    created_at=one.moment("uploadedAt") or one.moment("createdAt"),
                )
            )
        return found

    def _opener(self, place: int) -> "Opener":
        return Opener(self.context.files, place)


@dataclass
class Opener:
    """Opens the bytes of a file. Not a closure over a card, which would keep it in memory."""

    files: Stored
    place: int

    def __call__(self) -> AbstractContextManager[IO[bytes]]:
        return self.files.open(self.place)
