"""The cards of Trello's export, translated one by one."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from boards.dates import day_of
from boards.losses import Loss
from boards.outlines import CardOutline, ChecklistOutline, CommentOutline, FileOutline, ItemOutline, PersonOutline
from importer.formats.shelf import Shelf
from importer.formats.things import Thing, firsts
from importer.formats.trello_colors import label_hue
from importer.formats.trello_fields import custom_fields, place_of
from importer.formats.trello_files import Files
from importer.formats.trello_labels import BoardLabels
from importer.formats.words import link, together, wall_time, with_fields
from importer.report import Report

# Ids, counts and pictures that Trello keeps beside the content, and settings of the person who exported
IGNORED_OF_CARD = {
    "id", "idBoard", "idShort", "idChecklists", "idAttachmentCover", "idOrganization", "badges", "checkItemStates",
    "creationMethod", "creationMethodError", "creationMethodLoadingStartedAt", "descData", "dueReminder", "email",
    "limits", "manualCoverAttachment", "nodeId", "pos", "shortLink", "shortUrl", "staticMapUrl", "subscribed", "url",
    "checklists", "originator", "faviconUrl", "urlSource", "urlSourceText", "dateClosed", "dateLastActivity", "dateCompleted",
}  # fmt: skip
IGNORED_OF_ITEM = {"id", "idChecklist", "nameData", "pos", "dueReminder", "limits", "creationMethod", "temporaryId"}


class Cards:
    """The cards of a board, read from the shelf while they are asked for."""

    def __init__(self, context: "TrelloContext", report: Report, order: list[tuple[str, str]]) -> None:
        self._context, self._report, self._order = context, report, order

    def __iter__(self) -> Iterator[CardOutline]:
        shelf = self._context.shelf
        for key, _where in self._order:
            for where, value in shelf.take("cards", key):
                yield _Card(self._context, Thing(value, where, self._report, self._context.zone)).translated()
        for kind in ("comments", "checklists"):
            if left := shelf.left(kind):
                self._report.lose(Loss.WITHOUT_CARD, kind, left)


@dataclass
class TrelloContext:
    """The context of the cards of one board."""

    shelf: Shelf
    labels: BoardLabels
    people: dict[str, PersonOutline]
    zone: ZoneInfo
    files: Files
    fields: dict[str, Thing] = field(default_factory=dict)
    creators: dict[str, str] = field(default_factory=dict)
    moments: dict[tuple[str, str], datetime] = field(default_factory=dict)  # when a card was closed or completed


class _Attached(NamedTuple):
    files: list[FileOutline]
    links: list[str]  # Markdown


class _Card:
    def __init__(self, context: TrelloContext, one: Thing) -> None:
        self.context, self.one, self.report = context, one, one.report
        self.key = one.key("id")

    def translated(self) -> CardOutline:
        one = self.one
        attached = self._attached()
        due, start, cover = one.due("due"), one.due("start"), one.thing("cover")
        last_change = one.moment("dateLastActivity") or created_at(self.key)
        card = CardOutline(
            list_key=one.key("idList"),
            title=one.line("name"),
            where=one.where,
            key=self.key,
            number=one.whole("idShort"),
            description=with_fields(one.text("desc"), self._fields(attached)),
            due_at=due.at if due else None,
            due_day=due.day if due else None,
            start_day=day_of(start, self.context.zone) if start else None,
            completed_at=self._moment("dueComplete", "dateCompleted", last_change),
            archived_at=self._moment("closed", "dateClosed", last_change),
            cover_hue=self._cover_hue(cover),
            cover_file=self._cover_file(cover, attached.files),
            created_by=self._creator(),
            created_at=created_at(self.key),
            updated_at=last_change,
            labels=self.context.labels.of_card(one),
            assignees=self._assignees(),
            checklists=self._checklists(),
            comments=self._comments(),
            files=attached.files,
        )
        for name in ("stickers", "pluginData"):
            if number := len(list(one.things(name))):
                self.report.lose(Loss.FIELD_LEFT_OUT, one.at(name), number)
        one.tell_rest(IGNORED_OF_CARD)
        return card

    def _moment(self, flag: str, name: str, otherwise: datetime | None) -> datetime | None:
        """Return when something was done to the card that Trello marks with a flag, None where it is not set."""
        if not self.one.flag(flag):
            return None
        known = self.one.moment(name) or self.context.moments.get((self.key, flag))
        if known is None:
            self.report.lose(Loss.TIME_GUESSED, self.one.at(flag))
        return known or otherwise or datetime.now(UTC)

    def _creator(self) -> str:
        key = self.one.key("idMemberCreator") or self.context.creators.get(self.key, "")
        return key if key in self.context.people else ""

    def _assignees(self) -> list[str]:
        """Return the people whom the file describes."""
        found = []
        for key in self.one.keys("idMembers"):
            if key in self.context.people:
                found.append(key)
            else:
                self.report.lose(Loss.UNKNOWN_REFERENCE, self.one.at("idMembers"))
        return found

    def _fields(self, attached: _Attached) -> list[tuple[str, str]]:
        """Return name and Markdown of each field that cards here do not have."""
        found = custom_fields(self.one, self.context.fields, self.context.zone)
        if place := place_of(self.one):
            found.append((_("Location"), place))
        if votes := len(self.one.keys("idMembersVoted")):
            found.append((_("Votes"), str(votes)))
            self.report.lose(Loss.FIELD_IN_TEXT, self.one.at("idMembersVoted"))
        if attached.links:
            found.append((_("Links"), together(attached.links)))
        return found

    def _attached(self) -> _Attached:
        found = _Attached([], [])
        for key, one in firsts(self.one.things("attachments")):
            address, name = one.line("url"), one.line("fileName") or one.line("name")
            if one.flag("isUpload"):
                found.files.append(self.context.files.outline(key, name, address, one))
            elif address:
                found.links.append(link(address, one.line("name"), self.report, one.at("url")))
                self.report.lose(Loss.FIELD_IN_TEXT, one.where)
                self.report.keep("files")
        return found

    def _cover_hue(self, cover: Thing) -> int | None:
        color = cover.key("color")
        if not color:
            if cover.raw("sharedSourceUrl") or cover.raw("idUploadedBackground"):
                self.report.lose(Loss.FIELD_LEFT_OUT, cover.where)
            return None
        hue, is_exact = label_hue(color)
        if not is_exact:
            self.report.lose(Loss.COLOR_CHANGED, cover.at("color"))
        return hue

    def _cover_file(self, cover: Thing, files: list[FileOutline]) -> str:
        key = cover.key("idAttachment")
        return key if any(file.key == key for file in files) else ""

    def _checklists(self) -> list[ChecklistOutline]:
        shelved = (
            Thing(value, where, self.report, self.context.zone)
            for where, value in self.context.shelf.take("checklists", self.key)
        )
        found = [
            (one.number("pos") or 0.0, ChecklistOutline(one.line("name"), self._items(one)))
            for _key, one in firsts(shelved)
        ]
        return [checklist for _pos, checklist in sorted(found, key=lambda pair: pair[0])]

    def _items(self, checklist: Thing) -> list[ItemOutline]:
        found = []
        for _key, one in firsts(checklist.things("checkItems")):
            text, details = one.line("name"), self._details(one)
            if details:
                self.report.lose(Loss.FIELD_IN_TEXT, one.where)
                text = f"{text} ({details})"
            found.append((one.number("pos") or 0.0, ItemOutline(text or "-", done=one.key("state") == "complete")))
            one.tell_rest(IGNORED_OF_ITEM)
        return [item for _pos, item in sorted(found, key=lambda pair: pair[0])]

    def _details(self, item: Thing) -> str:
        """Return when an item is due, and who does it, which items here do not have."""
        due, person = item.moment("due"), self.context.people.get(item.key("idMember"))
        return together([wall_time(due, self.context.zone) if due else "", person.name if person else ""])

    def _comments(self) -> list[CommentOutline]:
        found = []
        for where, value in self.context.shelf.take("comments", self.key):
            one = Thing(value, where, self.report, self.context.zone)
            data, author = one.thing("data"), one.key("idMemberCreator") or one.thing("memberCreator").key("id")
            author = data.key("idOriginalCommenter") or author
            found.append(
                CommentOutline(
                    text=data.text("text"),
                    author=author if author in self.context.people else "",
                    created_at=one.moment("date"),
                    edited_at=data.moment("dateLastEdited"),
                )
            )
        missing = (self.one.thing("badges").whole("comments") or 0) - len(found)
        if missing > 0:
            self.report.lose(Loss.COMMENTS_MISSING, self.one.where, missing)
        return found[::-1]  # Trello's come newest first


def created_at(key: str) -> datetime | None:
    """Return when something with this id was made: its first eight digits are seconds since 1970."""
    try:
        return datetime.fromtimestamp(int(key[:8], 16), UTC) if len(key) == 24 and key.isalnum() else None
    except (ValueError, OverflowError, OSError):
        return None
