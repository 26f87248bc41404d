"""Boards as another service or an export describes them, before they are rows: what importers read and `import_board` writes.

Nothing here is trusted: texts may be too long, times may lie in the future, keys may be missing. `import_board` checks
and shortens; formats only translate. `key` is what the source calls a thing, unique among its kind within one board; it
never becomes an id. Texts are Markdown as the source shows it.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import IO
from uuid import UUID


@dataclass(slots=True)
class PersonOutline:
    """A person of the source. Only an explicit choice maps them to a user of this service."""

    key: str
    name: str
    username: str = ""
    email: str = ""


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


# Returns the bytes of a file, for a `with` block. It raises OSError or ValueError for what cannot be read, and so does reading.
Open = Callable[[], AbstractContextManager[IO[bytes]]]


@dataclass(slots=True)
class FileOutline:
    """A file of a card. Without `open` only an address is known, which then stays as a link."""

    file_name: str
    open: Open | None = None
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
    recurrence_anchor: datetime | None = None  # the first date of the series, a whole day at 00:00 UTC
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
    background: str = ""  # of boards.backgrounds, "picture" for one of its own; "" where the source does not say
    picture: Open | None = None  # that one's bytes
    id: UUID | None = None  # what the board gets, if texts of the source already name it
    people: list[PersonOutline] = field(default_factory=list)
    labels: list[LabelOutline] = field(default_factory=list)
    lists: list[ListOutline] = field(default_factory=list)
    cards: Iterable[CardOutline] = ()
