"""A board as Planka's API gives it, of version 1 and of version 2."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from boards.losses import Loss
from boards.outlines import (
    BoardOutline,
    CardOutline,
    ChecklistOutline,
    CommentOutline,
    FileOutline,
    ItemOutline,
    ListOutline,
    PersonOutline,
)
from boards.richtext.links import safe_address
from importer.formats.hues import NEUTRAL
from importer.formats.labels import Labels
from importer.formats.planka_colors import hue_of
from importer.formats.rows import KnownRows, RowCounter
from importer.formats.things import Thing, firsts
from importer.formats.words import link, plain, together, with_fields

Opener = Callable[[str], Any]
IGNORED = {
    "id", "boardId", "position", "coverAttachmentId", "type", "isSubscribed", "listChangedAt", "creatorUserId", "prevListId",
    "commentsTotal", "isDueCompleted",
}  # fmt: skip
ROWS = KnownRows(
    things={
        "included.labels.item": "labels",
        "included.cards.item": "cards",
        "included.taskLists.item": "checklists",
        "included.tasks.item": "items",
        "included.attachments.item": "files",
    },
    parts={
        "included.lists.item",  # of which some are no lists
        "included.users.item",
        "included.cardMemberships.item",
        "included.cardLabels.item",
        "included.customFields.item",
        "included.customFieldValues.item",
        "comments.*.item",  # of which some are no comments
    },
    left={
        "included.boardMemberships.item": "rights at Planka",
        "included.customFieldGroups.item": "names around fields, which stand in the texts",
        "included.projects.item": "what boards stand in",
    },
)
ENDLESS = ("archive", "trash")  # lists of version 2 that hold what is archived


def board_of(answer: Thing, comments: Any, opener: Opener) -> BoardOutline:
    item, included = answer.thing("item"), answer.thing("included")
    rows = RowCounter(ROWS, answer.report)
    rows.look_through({**answer.value, "comments": comments})
    rows.tell()
    answer.report.find("boards")
    board = _Board(included, comments if isinstance(comments, dict) else {}, opener)
    return BoardOutline(
        title=item.line("name"),
        key=item.key("id"),
        created_at=item.moment("createdAt"),
        people=list(board.people.values()),
        labels=board.labels.all(),
        lists=board.lists,
        cards=board.cards(),
    )


class _Board:
    def __init__(self, included: Thing, comments: Mapping[str, Any], opener: Opener) -> None:
        self.included, self.report, self.comments, self.opener = included, included.report, comments, opener
        self.people = {
            key: PersonOutline(
                key, one.line("name") or one.line("username") or key, one.line("username"), one.line("email")
            )
            for key, one in firsts(included.things("users"))
        }
        self.labels = Labels(self.report)
        for key, one in firsts(included.things("labels")):
            hue, is_exact = hue_of(one.key("color"))
            if not is_exact:
                self.report.lose(Loss.COLOR_CHANGED, one.at("color"))
            self.labels.add(key, one.line("name"), hue or NEUTRAL, one.where)
        self.archives: set[str] = set()
        self.lists = self._lists()
        self.of_card: dict[str, dict[str, list[Thing]]] = {
            name: self._by(name, "cardId")
            for name in ("cardMemberships", "cardLabels", "taskLists", "attachments", "customFieldValues")
        }
        tasks = list(included.things("tasks"))
        self.tasks: dict[str, list[Thing]] = defaultdict(list)
        for one in tasks:
            self.tasks[one.key("taskListId") or f"card:{one.key('cardId')}"].append(one)
        self.fields = dict(firsts(included.things("customFields")))

    def _by(self, name: str, owner: str) -> dict[str, list[Thing]]:
        found: dict[str, list[Thing]] = defaultdict(list)
        for one in sorted(self.included.things(name), key=_place):
            found[one.key(owner)].append(one)
        return found

    def _lists(self) -> list[ListOutline]:
        found = []
        for key, one in firsts(sorted(self.included.things("lists"), key=_place)):
            if one.key("type") in ENDLESS:
                self.archives.add(key)
            else:
                self.report.find("lists")
                found.append(ListOutline(key, one.line("name")))
        return found

    def cards(self) -> Iterator[CardOutline]:
        for key, one in firsts(sorted(self.included.things("cards"), key=_place)):
            yield self._card(key, one)

    def _card(self, key: str, one: Thing) -> CardOutline:
        list_key, due, changed = one.key("listId"), one.moment("dueDate"), one.moment("updatedAt")
        archived = None
        if list_key in self.archives:
            archived = one.moment("listChangedAt") or changed or datetime.now(UTC)
            before = one.key("prevListId")
            list_key = (
                before if any(row.key == before for row in self.lists) else (self.lists[0].key if self.lists else "")
            )
        files, links = self._files(key)
        card = CardOutline(
            list_key=list_key,
            title=one.line("name"),
            where=one.where,
            key=key,
            description=with_fields(one.text("description"), [*self._fields(key, one), *links]),
            due_at=due,
            completed_at=self._completed_at(one, changed),
            archived_at=archived,
            cover_file=one.key("coverAttachmentId"),
            created_by=one.key("creatorUserId"),
            created_at=one.moment("createdAt"),
            updated_at=changed,
            labels=[this.key("labelId") for this in self.of_card["cardLabels"].get(key, [])],
            assignees=[this.key("userId") for this in self.of_card["cardMemberships"].get(key, [])],
            checklists=self._checklists(key),
            comments=self._comments(key),
            files=files,
        )
        one.tell_rest(IGNORED)
        return card

    def _completed_at(self, one: Thing, changed: datetime | None) -> datetime | None:
        if not (one.flag("isDueCompleted") or one.flag("isClosed")):
            return None
        self.report.lose(Loss.TIME_GUESSED, one.where)
        return changed or datetime.now(UTC)

    def _fields(self, key: str, one: Thing) -> list[tuple[str, str]]:
        found = []
        for this in self.of_card["customFieldValues"].get(key, []):
            field = self.fields.get(this.key("customFieldId"))
            if field is None:
                self.report.lose(Loss.UNKNOWN_REFERENCE, this.where)
            elif content := this.text("content"):
                self.report.lose(Loss.FIELD_IN_TEXT, this.where)
                found.append((field.line("name"), plain(content)))
        seconds = one.thing("stopwatch").whole("total") if isinstance(one.raw("stopwatch"), dict) else 0
        if seconds:
            self.report.lose(Loss.FIELD_IN_TEXT, one.at("stopwatch"))
            found.append((_("Time spent"), f"{seconds // 3600}:{seconds % 3600 // 60:02}"))
        return found

    def _checklists(self, key: str) -> list[ChecklistOutline]:
        found = [
            ChecklistOutline(one.line("name"), self._items(one.key("id")))
            for one in self.of_card["taskLists"].get(key, [])
        ]
        if of_version_1 := self._items(f"card:{key}"):
            self.report.find("checklists")
            found.append(ChecklistOutline(_("Tasks"), of_version_1))
        return found

    def _items(self, owner: str) -> list[ItemOutline]:
        return [
            ItemOutline(one.line("name"), one.flag("isCompleted"))
            for one in sorted(self.tasks.get(owner, []), key=_place)
        ]

    def _files(self, key: str) -> tuple[list[FileOutline], list[tuple[str, str]]]:
        """Return the files of a card, and its links as one field."""
        found, links = [], []
        for one in self.of_card["attachments"].get(key, []):
            data = one.thing("data") if isinstance(one.raw("data"), dict) else one
            address, name = data.line("url") or one.line("url"), one.line("name")
            if one.key("type") == "link":
                links.append(link(address, name, self.report, one.where))
                self.report.lose(Loss.FIELD_IN_TEXT, one.where)
                self.report.keep("files")
                continue
            found.append(
                FileOutline(
                    file_name=name,
                    open=self.opener(address) if address else None,
                    key=one.key("id"),
                    url=safe_address(address),
                    size=int(size) if (size := data.key("sizeInBytes")).isdecimal() and len(size) < 16 else None,
                    uploaded_by=one.key("creatorUserId"),
                    created_at=one.moment("createdAt"),
                )
            )
        return found, [(_("Links"), together(links))] if links else []

    def _comments(self, key: str) -> list[CommentOutline]:
        found = []
        rows = self.comments.get(key)
        for place, value in enumerate(rows if isinstance(rows, list) else []):
            one = Thing(value, f"comments of {key}[{place}]", self.report)
            if one.raw("type") not in (None, "commentCard"):
                self.report.lose(Loss.HISTORY_LEFT_OUT, one.where)
                continue
            self.report.find("comments")
            text = one.thing("data").text("text") if one.raw("type") else one.text("text")
            found.append(CommentOutline(text, one.key("userId"), one.moment("createdAt"), one.moment("updatedAt")))
        return sorted(found, key=lambda comment: comment.created_at or datetime.min.replace(tzinfo=UTC))


def _place(one: Thing) -> float:
    return one.number("position") or 0.0
