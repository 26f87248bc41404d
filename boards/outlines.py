"""Boards as another service or an export describes them, before they are rows: what importers read and `import_board` writes.

Nothing here is trusted: texts may be too long, times may lie in the future, keys may be missing. `import_board` checks
and shortens; formats only translate. `key` is what the source calls a thing, unique among its kind within one board; it
never becomes an id. Texts are Markdown as the source shows it.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import IO, Protocol
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _


class Loss(models.TextChoices):
    """The reason why something of the source is changed or left out. The values are kept in rows."""

    TITLE_SHORTENED = "title-shortened", _("Titles were too long: the whole title stands in the description.")
    TEXT_SHORTENED = "text-shortened", _("Texts were longer than 20,000 characters: the rest is left out.")
    UNREADABLE_DATE = "unreadable-date", _("Dates could not be read: these cards get none.")
    UNKNOWN_LIST = "unknown-list", _("Cards named a list that is not there: they come to a list of their own.")
    PERSON_UNMATCHED = "person-unmatched", _("People were matched with nobody: their names stay in the texts.")
    FILE_LEFT_OUT = "file-left-out", _("Files could not be taken: their names stay in the descriptions.")
    FILE_LINKED = "file-linked", _("Files are kept as links, as only their address is known.")
    FIELD_IN_TEXT = "field-in-text", _("Fields that do not exist here stand in the descriptions.")
    FIELD_LEFT_OUT = "field-left-out", _("Fields that do not exist here are left out.")
    COMMENTS_MISSING = "comments-missing", _("Comments are missing in the file: its service leaves out the oldest.")
    COMMENTS_NOT_IN_TABLE = (
        "comments-not-in-table",
        _("Comments are not in this table, which says only how many there are: import the JSON or the zip instead."),
    )
    DUPLICATE = "duplicate", _("Something came twice under the same id: the first is taken.")
    UNSAFE_LINK = "unsafe-link", _("Links with an address that is not safe are kept as text.")
    EMPTY_TITLE = "empty-title", _("Titles were empty.")
    NAME_SHORTENED = "name-shortened", _("Names of lists, labels or checklists were too long: they are shortened.")
    START_AFTER_DUE = "start-after-due", _("Cards started after they were due: these have no start date.")
    TOO_MANY = "too-many", _("There is more of a kind than a board or card can have: the rest is left out.")
    LISTS_ARCHIVED = "lists-archived", _("A board has too many lists: the last ones come archived.")
    NUMBER_CHANGED = "number-changed", _("Cards had the number of another one, or none: these get new numbers.")
    ROW_LEFT_OUT = "row-left-out", _("Rows could not be read: they are left out.")
    UNKNOWN_ROWS = "unknown-rows", _("Parts of the file are not recognized: their content is left out.")
    UNREADABLE_VALUE = "unreadable-value", _("Values were not of the kind that they should be: they are left out.")
    CHARACTERS_REMOVED = "characters-removed", _("Texts had characters that cannot be stored: these are removed.")
    COLOR_CHANGED = "color-changed", _("Colors that do not exist here became the nearest of the twelve.")
    LABEL_RENAMED = "label-renamed", _("Labels had no name or one that another has: they got a name of their own.")
    HISTORY_LEFT_OUT = (
        "history-left-out",
        _("The history of the other service is left out: cards come as they are now."),
    )
    UNKNOWN_REFERENCE = "unknown-reference", _("Labels, people or fields that the file does not describe are left out.")
    SWIMLANE_AS_LABEL = "swimlane-as-label", _("Swimlanes do not exist here: cards have their names as labels.")
    WITHOUT_CARD = "without-card", _("Comments, checklists or files of cards that are not in the file are left out.")
    TIME_GUESSED = (
        "time-guessed",
        _("The time of completing or archiving is not in the file: that of the last change stands for it."),
    )


class Losses(Protocol):
    """Counts things of the source that are changed or left out: importer/report.py."""

    def lose(self, loss: Loss, where: str, number: int = 1) -> None: ...


@dataclass(slots=True)
class PersonOutline:
    """A person of the source. Only an explicit choice maps them to a user of this service."""

    key: str
    name: str


@dataclass(slots=True)
class LabelOutline:
    key: str
    name: str
    hue: int  # of boards.colours.Hue


@dataclass(slots=True)
class ListOutline:
    key: str
    title: str
    card_limit: int | None = None
    archived_at: datetime | None = None


@dataclass(slots=True)
class ItemOutline:
    text: str
    done: bool = False


@dataclass(slots=True)
class ChecklistOutline:
    title: str
    items: list[ItemOutline] = field(default_factory=list)


@dataclass(slots=True)
class CommentOutline:
    text: str
    author: str = ""  # the key of a person; "" where the source does not say
    created_at: datetime | None = None
    edited_at: datetime | None = None


@dataclass(slots=True)
class FileOutline:
    """A file of a card. `open` returns its bytes, for a `with` block; None where only an address is known, which then
    stays as a link. It raises OSError or ValueError for what cannot be read, and so does reading.
    """

    file_name: str
    open: Callable[[], AbstractContextManager[IO[bytes]]] | None = None
    key: str = ""
    url: str = ""
    size: int | None = None  # bytes, if known before it is read
    sha256: str = ""  # hexadecimal; checked where the source says it
    uploaded_by: str = ""  # the key of a person
    created_at: datetime | None = None
    id: UUID | None = None  # of the attachment, if texts of the source already name it


@dataclass(slots=True)
class CardOutline:
    """A card. Its place in its list is its place among the cards of the board."""

    list_key: str
    title: str
    where: str = ""  # where the source has it, for people: "line 12", "cards[3]"
    key: str = ""
    number: int | None = None  # kept where the source is a service like this one
    description: str = ""
    due_at: datetime | None = None
    due_day: date | None = None  # a whole day; due_at is then its last second, if that is known
    start_day: date | None = None
    completed_at: datetime | None = None
    archived_at: datetime | None = None
    recurrence: str = ""  # of boards.recurrence.Recurrence
    cover_hue: int | None = None
    cover_file: str = ""  # the key of one of its files
    created_by: str = ""  # the key of a person
    created_at: datetime | None = None
    updated_at: datetime | None = None
    labels: list[str] = field(default_factory=list)  # keys
    assignees: list[str] = field(default_factory=list)  # keys of people
    checklists: list[ChecklistOutline] = field(default_factory=list)
    comments: list[CommentOutline] = field(default_factory=list)  # oldest first
    files: list[FileOutline] = field(default_factory=list)
    id: UUID | None = None  # what the card gets, if texts of the source already name it


@dataclass(slots=True)
class BoardOutline:
    """A board. `cards` may be read only once, while the outline is used: it may come piece by piece from a file."""

    title: str
    key: str = ""
    hue: int | None = None
    archived_at: datetime | None = None
    created_at: datetime | None = None
    last_number: int = 0  # the highest number that the cards have in the source
    id: UUID | None = None  # what the board gets, if texts of the source already name it
    people: list[PersonOutline] = field(default_factory=list)
    labels: list[LabelOutline] = field(default_factory=list)
    lists: list[ListOutline] = field(default_factory=list)
    cards: Iterable[CardOutline] = ()
