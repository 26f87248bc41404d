"""WeKan's export of one board as JSON, with the files of cards in it."""

import base64
import binascii
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.colours import Hue
from boards.losses import Loss
from boards.outlines import BoardOutline, ListOutline, PersonOutline
from core.http.ranges import Limited
from importer.formats.json_reading import LONGEST, Piece, pieces
from importer.formats.labels import Labels
from importer.formats.rows import KnownRows, RowCounter
from importer.formats.shelf import Shelf
from importer.formats.source import Question, Source, Unreadable
from importer.formats.things import Thing
from importer.formats.wekan_cards import Cards, WekanContext
from importer.formats.wekan_colors import board_hue, hue_of
from importer.report import Report

TITLE = "WeKan"
HELP = gettext_lazy("In WeKan, open the board's menu and choose Export board, then JSON.")
NEEDS_FILE = True
BESIDE_REPORT = ()

LONGEST_FILE = 75_000_000  # characters of base64: a file of 56 MB, which takes 290 MB of memory to read
BITE = 1_000_000  # characters that are decoded at a time, a multiple of 4
SCALARS = (
    "_format",
    "_id",
    "title",
    "description",
    "color",
    "archived",
    "archivedAt",
    "createdAt",
    "modifiedAt",
    "members",
)
PARTS = (
    "labels",
    "lists",
    "swimlanes",
    "users",
    "cards",
    "checklists",
    "checklistItems",
    "comments",
    "attachments",
    "customFields",
)
FILE = "attachments.item.file"
COUNTED = ("activities", "rules", "subtaskItems")
ROWS = KnownRows(
    things={
        "labels.item": "labels",
        "lists.item": "lists",
        "cards.item": "cards",
        "checklists.item": "checklists",
        "checklistItems.item": "items",
        "comments.item": "comments",
        "attachments.item": "files",
    },
    parts={
        "swimlanes.item",
        "users.item",
        "customFields.item",
        "customFields.item.settings.dropdownItems.item",
        "cards.item.customFields.item",
    },
    left={
        "activities.item": "history, which is counted as such",
        "members.item": "rights at WeKan",
        "orgs.item": "rights at WeKan",
        "teams.item": "rights at WeKan",
        "domains.item": "rights at WeKan",
        "rules.item": "counted as fields",
        "subtaskItems.item": "counted as fields",
        "triggers.item": "parts of rules, which are counted",
        "actions.item": "parts of rules, which are counted",
        "users.item.*.item": "accounts at WeKan",
        "users.item.profile.*.item": "settings of people",
    },
)


def looks_like(source: Source) -> bool:
    return b'"wekan-board' in source.head()


def questions(source: Source) -> list[Question]:
    return []


def read(source: Source, report: Report) -> Iterator[BoardOutline]:
    with Shelf() as shelf, _files(source) as files:
        yield _Board(source, report, shelf, files).read()


class Files:
    """The bytes of attachments, by their place in the file, in an unnamed file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._places: dict[int, tuple[int, int]] = {}
        self._end = 0

    def add(self, place: int, text: str) -> None:
        """Write them bit by bit, as a file of 100 MB would be in memory three times. Raise binascii.Error."""
        first = text.index(",") + 1 if text.startswith("data:") else 0
        self._file.seek(self._end)
        size = 0
        for begin in range(first, len(text), BITE):
            size += self._file.write(base64.b64decode(text[begin : begin + BITE], validate=True))
        self._places[place] = (self._end, size)
        self._end += size

    def size(self, place: int) -> int | None:
        return self._places[place][1] if place in self._places else None

    @contextmanager
    def open(self, place: int) -> Iterator[IO[bytes]]:
        """Open one for reading, before the next is."""
        begin, size = self._places[place]
        self._file.seek(begin)
        yield Limited(self._file, size)  # type: ignore[misc]  # all that is used of a file


@contextmanager
def _files(source: Source) -> Iterator[Files]:
    with TemporaryFile() as kept, source.path.open("rb") as file:
        found = Files(kept)
        for piece in pieces(file, [FILE], longest=LONGEST_FILE, still_wanted=source.still_wanted):
            if isinstance(piece.value, str):
                try:
                    found.add(piece.indexes[0], piece.value)
                except (binascii.Error, ValueError):
                    continue  # it is counted with its card, as a file that has no bytes
        yield found


class _Board:
    """Reads the file, puts the parts of cards on a shelf, and gives the cards from there in their order."""

    def __init__(self, source: Source, report: Report, shelf: Shelf, files: Files) -> None:
        self.source, self.report, self.zone, self.shelf, self.files = (
            source,
            report,
            ZoneInfo(source.time_zone),
            shelf,
            files,
        )
        self.scalars: dict[str, object] = {}
        self.labels = Labels(report)
        self.people: dict[str, PersonOutline] = {}
        self.lists: dict[str, tuple[float, ListOutline]] = {}
        self.swimlanes: dict[str, Thing] = {}
        self.fields: dict[str, Thing] = {}
        self.cards: dict[str, tuple[float, str]] = {}  # place and title
        self.seen: set[tuple[str, str]] = set()
        self.counted: dict[str, int] = {}

    def read(self) -> BoardOutline:
        wanted = [*SCALARS, *(f"{part}.item" for part in PARTS), *(f"{part}.item._id" for part in COUNTED)]
        with self.source.path.open("rb") as file:
            still_wanted = self.source.still_wanted
            rows = RowCounter(ROWS, self.report)
            for piece in pieces(file, wanted, [FILE], LONGEST, LONGEST_FILE, still_wanted, rows):
                self._take(piece)
        rows.tell()
        self.report.find("boards")
        board = Thing(self.scalars, "", self.report, self.zone)
        if not self.lists and not self.cards and "title" not in self.scalars:
            raise Unreadable(_("This file has no WeKan board: it has no title, lists or cards."))
        for part, number in self.counted.items():
            self.report.lose(Loss.HISTORY_LEFT_OUT if part == "activities" else Loss.FIELD_LEFT_OUT, part, number)
        if board.text("description"):
            self.report.lose(Loss.FIELD_LEFT_OUT, "description")
        hue, is_exact = board_hue(board.key("color"))
        if board.key("color") and not is_exact:
            self.report.lose(Loss.COLOR_CHANGED, "color")
        lanes = self._lanes()
        context = WekanContext(
            self.shelf, self.labels, self.people, self.zone, self.files, self.fields, lanes,
            {key for key, lane in self.swimlanes.items() if lane.flag("archived")},
            {key: title for key, (_sort, title) in self.cards.items()},
        )  # fmt: skip
        return BoardOutline(
            title=board.line("title"),
            key=board.key("_id"),
            hue=hue,
            created_at=board.moment("createdAt"),
            archived_at=(board.moment("archivedAt") or board.moment("modifiedAt")) if board.flag("archived") else None,
            people=list(self.people.values()),
            labels=self.labels.all(),
            lists=[one for _sort, one in sorted(self.lists.values(), key=lambda pair: pair[0])],
            cards=Cards(context, self.report, self._order()),
        )

    def _take(self, piece: Piece) -> None:
        part, _dot, rest = piece.path.partition(".")
        if not rest:
            if part != "members":
                self.scalars.setdefault(part, piece.value)
        elif part in COUNTED:
            self.counted[part] = self.counted.get(part, 0) + 1
        else:
            one = Thing(piece.value, piece.where, self.report, self.zone)
            key = one.key("_id")
            if not key or (part, key) in self.seen:
                self.report.lose(Loss.DUPLICATE if key else Loss.ROW_LEFT_OUT, one.where)
                return
            self.seen.add((part, key))
            self._keep(part, key, one, piece.indexes[0])

    def _keep(self, part: str, key: str, one: Thing, place: int) -> None:
        if part in ("checklists", "comments", "attachments"):
            self.shelf.put(part, one.key("cardId"), [one.where, {**one.value, "place": place}])
        elif part == "checklistItems":
            self.shelf.put(part, one.key("checklistId"), [one.where, one.value])
        elif part == "cards":
            self.cards[key] = (one.number("sort") or 0.0, one.line("title"))
            self.shelf.put(part, key, [one.where, one.value])
        elif part == "labels":
            hue, is_exact = hue_of(one.key("color"))
            if not is_exact:
                self.report.lose(Loss.COLOR_CHANGED, one.at("color"))
            self.labels.add(key, one.line("name"), hue, one.where)
        elif part == "lists":
            self._keep_list(key, one)
        elif part == "users":
            username, emails = one.line("username"), [email.line("address") for email in one.things("emails")]
            name = one.thing("profile").line("fullname") or username or key
            self.people[key] = PersonOutline(key, name, username, *emails[:1])
        else:
            {"swimlanes": self.swimlanes, "customFields": self.fields}[part][key] = one

    def _keep_list(self, key: str, one: Thing) -> None:
        limit = one.thing("wipLimit")
        found = ListOutline(key, one.line("title"), limit.whole("value") if limit.flag("enabled") else None)
        if one.flag("archived"):
            found.archived_at = (
                one.moment("archivedAt")
                or one.moment("updatedAt")
                or one.moment("modifiedAt")
                or one.moment("createdAt")
            )
        self.lists[key] = (one.number("sort") or 0.0, found)

    def _lanes(self) -> dict[str, str]:
        """Return the keys of the labels that stand for swimlanes. A board with a single one has none worth a label."""
        if len(self.swimlanes) < 2:
            return {}
        lanes = {}
        for key, lane in self.swimlanes.items():
            lanes[key] = f"swimlane:{key}"
            self.labels.add(lanes[key], lane.line("title"), Hue.SKY, lane.where)
            self.report.find("labels")
            self.report.lose(Loss.SWIMLANE_AS_LABEL, lane.where)
        return lanes

    def _order(self) -> list[str]:
        return sorted(self.cards, key=lambda key: self.cards[key][0])
