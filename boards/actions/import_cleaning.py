"""Clean the outlines of an import: shorten, complete and count them, so that every rule of this service holds.

The report before an import and the import itself both run this, so the report says what will happen.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from typing import NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from boards.actions.boards.background import made_anew
from boards.actions.caps import ATTACHMENTS, CHECKLISTS, ITEMS, LABELS, LISTS
from boards.actions.cards.dates import anchor_of, due_of, require_order
from boards.actions.files.previews import ONE_AT_A_TIME
from boards.backgrounds import PICTURE, Background
from boards.colours import NAMES, Hue
from boards.dates import FIRST_YEAR, Due
from boards.errors import Invalid
from boards.losses import Loss, Losses
from boards.models.list import CARD_LIMIT
from boards.outlines import (
    BoardOutline,
    CardOutline,
    ChecklistOutline,
    CommentOutline,
    FileOutline,
    ItemOutline,
    LabelOutline,
    ListOutline,
)
from boards.recurrence import Recurrence, day_anchor
from boards.richtext import from_markdown, to_markdown
from boards.text import (
    BOARD_TITLE,
    CARD_TITLE,
    CHECKLIST,
    COMMENT,
    DESCRIPTION,
    FORBIDDEN,
    LABEL,
    LIST_TITLE,
    clean_file_name,
)
from core.files.pictures import MOST_BYTES
from core.files.storage import PIECE
from core.text.lists import join_with_and

ALL_LISTS = 5000  # of a board that is imported, archived ones too
LAST_NUMBER = 1_000_000_000
UNKNOWN = ""  # the key of the list of cards that name no list
DAY = timedelta(days=1)
UNSAFE = re.compile(r"\]\(\s*(?:<\s*)?(?:javascript|data|vbscript|file|blob)\s*:", re.IGNORECASE)


class Dates(NamedTuple):
    due: Due | None
    start: date | None


@dataclass
class FileRoom:
    """Room for files in bytes: in one file, in all files of the board, and of the account. None: no limit."""

    of_file: int | None = None
    of_board: int | None = None
    of_account: int | None = None
    taken: int = 0

    def take(self, size: int) -> bool:
        """Take room for one more file; False where there is none."""
        if self.of_file is not None and size > self.of_file:
            return False
        caps = [cap for cap in (self.of_board, self.of_account) if cap is not None]
        if any(self.taken + size > cap for cap in caps):
            return False
        self.taken += size
        return True


@dataclass
class Counts:
    """The size of a board that is imported, without the things that are left out."""

    lists: int = 0
    labels: int = 0
    cards: int = 0
    comments: int = 0
    checklists: int = 0
    items: int = 0
    files: int = 0
    bytes: int = 0  # of the files
    archived: int = 0  # of the cards

    def add(self, card: CardOutline) -> None:
        self.cards += 1
        self.comments += len(card.comments)
        self.checklists += len(card.checklists)
        self.items += sum(len(checklist.items) for checklist in card.checklists)
        self.files += len(card.files)
        self.bytes += sum(file.size or 0 for file in card.files)
        self.archived += card.archived_at is not None


@dataclass
class Cleaner:
    """Cleans one board. `mine` has the keys of the people who stand for the importing user; `zone` is that user's."""

    outline: BoardOutline
    losses: Losses
    mine: Collection[str]
    zone: ZoneInfo
    now: datetime
    room: FileRoom
    where: str = ""  # what the board is called in places, as "Garden: "
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        place = f"“{self.outline.title[:60]}”"
        self.title = self.line(self.outline.title, BOARD_TITLE, place, Loss.NAME_SHORTENED) or _("Imported board")
        self.names = {person.key: self._name(person.name) for person in self.outline.people}
        self.labels = {label.key: label for label in self._labels()}
        self.lists = {row.key: row for row in self._lists()}
        self.counts.lists, self.counts.labels = len(self.lists), len({row.name for row in self.labels.values()})
        self._numbers: set[int] = set()
        self._next_number = min(max(0, self.outline.last_number), LAST_NUMBER)
        self._keys: set[str] = set()

    @property
    def hue(self) -> Hue:
        return Hue(self.outline.hue) if self.outline.hue in Hue.values else Hue.BLUE

    def background(self) -> tuple[str, bytes | None]:
        """Return the name of what lies behind the lists, and the picture, made anew, if it is one."""
        kind = self.outline.background
        if kind != PICTURE:
            if kind and kind not in Background.values:
                self.lose(Loss.FIELD_LEFT_OUT, f"background: {kind[:60]}")
            return (kind if kind in Background.values else Background.PLAIN), None
        try:
            picture = self._read_picture()
            with ONE_AT_A_TIME:
                return PICTURE, made_anew(picture)
        except (OSError, ValueError):
            self.lose(Loss.BACKGROUND_LEFT_OUT, f"background: {self.title[:60]}")
            return Background.PLAIN, None

    def _read_picture(self) -> BytesIO:
        if self.outline.picture is None:
            raise FileNotFoundError
        with self.outline.picture() as opened:
            return BytesIO(opened.read(MOST_BYTES + 1))

    def lose(self, loss: Loss, where: str, number: int = 1) -> None:
        self.losses.lose(loss, f"{self.where}{where}", number)

    # Texts

    def line(self, text: str, limit: int, where: str, loss: Loss) -> str:
        """Return the text as one line of at most `limit` characters."""
        clean = " ".join(self._storable(text, where).split("\n")).strip()
        if len(clean) > limit:
            self.lose(loss, where)
            clean = f"{clean[: limit - 1].rstrip()}…"
        return clean

    def text(self, text: str, limit: int, where: str, head: str = "") -> str:
        """Return a longer text with `head` before it. One that this service wrote may be as long as it then was."""
        clean = self._storable(text, where).strip("\n")
        if UNSAFE.search(clean):
            self.lose(Loss.UNSAFE_LINK, where, len(UNSAFE.findall(clean)))
        whole = "\n\n".join(filter(None, (head, clean)))
        if len(whole) > limit and not (len(whole) <= 2 * limit and to_markdown(from_markdown(whole)) == whole):
            self.lose(Loss.TEXT_SHORTENED, where)
            whole = f"{whole[: limit - 1].rstrip()}…"
        return whole

    def _storable(self, text: str, where: str) -> str:
        clean = text.replace("\r\n", "\n").replace("\r", "\n")
        if FORBIDDEN.search(clean):
            self.lose(Loss.CHARACTERS_REMOVED, where, len(FORBIDDEN.findall(clean)))
            clean = FORBIDDEN.sub("", clean)
        return clean

    def _name(self, name: str) -> str:
        clean = " ".join(FORBIDDEN.sub("", name).split())[:100]
        return clean or _("Someone")

    # Times

    def past(self, at: datetime | None, where: str) -> datetime | None:
        """Return a time that has been, in UTC; nothing imported happens in the future."""
        found = self.moment(at, where)
        return min(found, self.now) if found else None

    def moment(self, at: datetime | None, where: str) -> datetime | None:
        if at is None:
            return None
        try:
            found = (at if at.tzinfo else at.replace(tzinfo=self.zone)).astimezone(UTC)
        except (OverflowError, ValueError):
            found = None
        if found is None or found.year < FIRST_YEAR:
            self.lose(Loss.UNREADABLE_DATE, where)
            return None
        return found

    def day(self, day: date | None, where: str) -> date | None:
        if day is not None and day.year < FIRST_YEAR:
            self.lose(Loss.UNREADABLE_DATE, where)
            return None
        return day

    # What a board has

    def _labels(self) -> Iterator[LabelOutline]:
        """Yield the labels. Two with the same name, which a board cannot have, become one."""
        first: dict[str, LabelOutline] = {}
        for label in self.outline.labels:
            where = f"labels: {label.name[:60]}"
            hue = Hue(label.hue) if label.hue in Hue.values else Hue.BLUE
            name = self.line(label.name, LABEL, where, Loss.NAME_SHORTENED) or str(NAMES[hue])
            if name not in first and len(first) >= LABELS:
                self.lose(Loss.TOO_MANY, where)
                continue
            twin = first.setdefault(name, LabelOutline(label.key, name, hue))
            yield LabelOutline(label.key, name, twin.hue)

    def _lists(self) -> Iterator[ListOutline]:
        keys: set[str] = set()
        left = LISTS
        for row in self.outline.lists:
            where = f"lists: {row.title[:60]}"
            if row.key in keys or row.key == UNKNOWN:
                self.lose(Loss.DUPLICATE, where)
                continue
            if len(keys) >= ALL_LISTS:
                self.lose(Loss.TOO_MANY, where)
                continue
            keys.add(row.key)
            archived_at = self.past(row.archived_at, where)
            left -= archived_at is None
            if left < 0 and archived_at is None:
                self.lose(Loss.LISTS_ARCHIVED, where)
                archived_at = self.now
            limit = row.card_limit if row.card_limit and 1 <= row.card_limit <= CARD_LIMIT else None
            if row.card_limit and not limit:
                self.lose(Loss.FIELD_LEFT_OUT, where)
            title = self.line(row.title, LIST_TITLE, where, Loss.NAME_SHORTENED)
            yield ListOutline(row.key, title or _("Untitled"), limit, archived_at)

    def list_of(self, card: CardOutline, where: str) -> ListOutline:
        """Return the list of the card, or one for all cards that name none of the board."""
        if card.list_key not in self.lists:
            self.lose(Loss.UNKNOWN_LIST, where)
            if UNKNOWN not in self.lists:
                self.lists[UNKNOWN] = ListOutline(UNKNOWN, _("Imported cards"))
                self.counts.lists += 1
        return self.lists.get(card.list_key) or self.lists[UNKNOWN]

    def cards(self) -> Iterator[CardOutline]:
        """Yield the cards as they will be, and count them."""
        for place, card in enumerate(self.outline.cards, 1):
            where = card.where or _("card %(number)s") % {"number": place}
            if card.key and card.key in self._keys:
                self.lose(Loss.DUPLICATE, where)
                continue
            if card.key:
                self._keys.add(card.key)
            cleaned = self._card(card, where)
            self.counts.add(cleaned)
            yield cleaned

    def _card(self, card: CardOutline, where: str) -> CardOutline:
        title = self.line(card.title, CARD_TITLE, where, Loss.TITLE_SHORTENED)
        head = [self._people_of(card)]
        if len(card.title.strip()) > CARD_TITLE and title.endswith("…"):
            head.append(plain(" ".join(FORBIDDEN.sub("", card.title).split())))
        if not title:
            self.lose(Loss.EMPTY_TITLE, where)
        files, links = self._files(card, where)
        created_at = self.past(card.created_at, where) or self.now
        dates = self._dates(card, where)
        recurrence = self._recurrence(card.recurrence, where)
        body = "\n\n".join(filter(None, (card.description.strip("\n"), links)))
        return CardOutline(
            list_key=self.list_of(card, where).key,
            title=title or _("Untitled"),
            where=where,
            key=card.key,
            number=self._number(card.number, where),
            description=self.text(body, DESCRIPTION, where, "\n\n".join(filter(None, head))),
            due_at=dates.due and dates.due.at,
            due_day=dates.due and dates.due.day,
            start_day=dates.start,
            completed_at=self.past(card.completed_at, where),
            archived_at=self.past(card.archived_at, where),
            recurrence=recurrence,
            recurrence_anchor=self._anchor(card.recurrence_anchor, dates.due, where) if recurrence else None,
            cover_hue=Hue(card.cover_hue) if card.cover_hue in Hue.values else None,
            cover_file=next((file.key for file in files if file.key and file.key == card.cover_file), ""),
            created_at=created_at,
            updated_at=max(self.past(card.updated_at, where) or created_at, created_at),
            labels=list(dict.fromkeys(self.labels[key].name for key in card.labels if key in self.labels)),
            assignees=[key for key in dict.fromkeys(card.assignees) if key in self.mine],
            checklists=list(self._checklists(card, where)),
            comments=list(self._comments(card, where)),
            files=files,
            id=card.id,
        )

    def _people_of(self, card: CardOutline) -> str:
        """Return a line with those who cannot be named by rows: who added the card, who was assigned."""
        sentences = []
        if card.created_by in self.names and card.created_by not in self.mine:
            sentences.append(_("Added by %(name)s.") % {"name": self.names[card.created_by]})
        others = [
            self.names[key] for key in dict.fromkeys(card.assignees) if key in self.names and key not in self.mine
        ]
        if others:
            sentences.append(_("Assigned to %(names)s.") % {"names": join_with_and(others)})
        return plain(" ".join(sentences), "italic")

    def _number(self, number: int | None, where: str) -> int:
        if number is not None and 0 < number <= LAST_NUMBER and number not in self._numbers:
            self._numbers.add(number)
            return number
        if number is not None:
            self.lose(Loss.NUMBER_CHANGED, where)
        self._next_number += 1
        while self._next_number in self._numbers:
            self._next_number += 1
        self._numbers.add(self._next_number)
        return self._next_number

    @property
    def last_number(self) -> int:
        return max(self._numbers, default=0)

    def _dates(self, card: CardOutline, where: str) -> "Dates":
        at, day = self.moment(card.due_at, where), self.day(card.due_day, where)
        start = self.day(card.start_day, where)
        if day is not None and at is not None and abs(at.date() - day) > DAY:
            at = None  # no zone has its last second that far away
        try:
            due = due_of(at, day, self.zone)
        except Invalid:
            self.lose(Loss.UNREADABLE_DATE, where)
            due = None
        try:
            require_order(start, due, self.zone)
        except Invalid:
            self.lose(Loss.START_AFTER_DUE, where)
            start = None
        return Dates(due, start)

    def _recurrence(self, rule: str, where: str) -> str:
        if rule and rule not in Recurrence.values:
            self.lose(Loss.FIELD_LEFT_OUT, where)
            return ""
        return rule

    def _anchor(self, at: datetime | None, due: Due | None, where: str) -> datetime | None:
        """Return the first date of a series: that of the source if it is before the due date, else the due date."""
        found, last = self.moment(at, where), anchor_of(due)
        if not (due and found and last):
            return last
        return min(last, day_anchor(found.date()) if due.day else found)

    def _checklists(self, card: CardOutline, where: str) -> Iterator[ChecklistOutline]:
        left = ITEMS
        for checklist in card.checklists[:CHECKLISTS]:
            title = self.line(checklist.title, CHECKLIST, where, Loss.NAME_SHORTENED) or _("Checklist")
            items = checklist.items[:left]
            left -= len(items)
            if len(items) < len(checklist.items):
                self.lose(Loss.TOO_MANY, where, len(checklist.items) - len(items))
            texts = ((self.line(item.text, CHECKLIST, where, Loss.NAME_SHORTENED), item.done) for item in items)
            yield ChecklistOutline(title, [ItemOutline(text or "–", done) for text, done in texts])
        if len(card.checklists) > CHECKLISTS:
            self.lose(Loss.TOO_MANY, where, len(card.checklists) - CHECKLISTS)

    def _comments(self, card: CardOutline, where: str) -> Iterator[CommentOutline]:
        for comment in card.comments:
            head = ""
            if comment.author in self.names and comment.author not in self.mine:
                head = wrote(self.names[comment.author])
            text = self.text(comment.text, COMMENT, where, head)
            if not text.strip():
                self.lose(Loss.ROW_LEFT_OUT, where)
                continue
            created_at = self.past(comment.created_at, where) or self.now
            edited_at = self.past(comment.edited_at, where)
            yield CommentOutline(text, comment.author, created_at, edited_at and max(edited_at, created_at))

    def _files(self, card: CardOutline, where: str) -> tuple[list[FileOutline], str]:
        """Return the files that can be taken, and Markdown that names the others."""
        kept: list[FileOutline] = []
        lines = []
        for file in card.files:
            name = clean_file_name(FORBIDDEN.sub("", file.file_name))
            if file.open is not None and len(kept) < ATTACHMENTS and self._fits(file):
                created_at = self.past(file.created_at, where) or self.now
                kept.append(replace(file, file_name=name, created_at=created_at))
            elif file.open is None and file.url.strip().lower().startswith(("http://", "https://")):
                self.lose(Loss.FILE_LINKED, f"{where}: {name}")
                lines.append(linked(name, file.url))
            else:
                self.lose(Loss.FILE_LEFT_OUT, f"{where}: {name}")
                lines.append(plain(name))
        return kept, "\n\n".join(lines)

    def with_name(self, card: CardOutline, file: FileOutline) -> str:
        """Return the description of a card with the name of a file that is left out after all."""
        self.lose(Loss.FILE_LEFT_OUT, f"{card.where}: {file.file_name}")
        whole = "\n\n".join(filter(None, (card.description, plain(file.file_name))))
        return self.text(whole, DESCRIPTION, card.where)

    def _fits(self, file: FileOutline) -> bool:
        """Tell whether the file can be read, is what the source says, and has room. Sets its size."""
        digest, size, most = hashlib.sha256(), 0, self.room.of_file
        try:
            with file.open() as opened:  # type: ignore[misc]  # the caller knows that it is there
                while piece := opened.read(PIECE):
                    digest.update(piece)
                    size += len(piece)
                    if most is not None and size > most:
                        return False
        except (OSError, ValueError):
            return False
        if file.sha256 and file.sha256.lower() != digest.hexdigest():
            return False
        file.size = size
        return self.room.take(size)


def plain(text: str, *marks: str) -> str:
    """Return Markdown that shows this text."""
    if not text:
        return ""
    node = {"type": "text", "text": text} | ({"marks": [{"type": mark} for mark in marks]} if marks else {})
    return to_markdown({"type": "doc", "content": [{"type": "paragraph", "content": [node]}]})


def linked(text: str, url: str) -> str:
    address = quote(url.strip(), safe="%/:=&?~#+!$,;'@*-._[]()")
    node = {"type": "text", "text": text, "marks": [{"type": "link", "attrs": {"href": address}}]}
    return to_markdown({"type": "doc", "content": [{"type": "paragraph", "content": [node]}]})


def wrote(name: str) -> str:
    """Return the head of a comment by somebody who has no account here: `**Anna Smith** wrote:`."""
    before, _placeholder, after = _("%(name)s wrote:").partition("%(name)s")
    return f"{before}{plain(name, 'bold')}{after}"


Progress = Callable[[int], None]  # told how many cards are written; raises to stop
