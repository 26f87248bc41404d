"""Our own export: the JSON alone, or the zip with the files beside it. docs/export.md describes both.

The file is read three times: for the titles of boards, for the ids, and for the cards one by one.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.colours import Hue
from boards.losses import Loss
from boards.outlines import (
    BoardOutline,
    CardOutline,
    ChecklistOutline,
    CommentOutline,
    FileOutline,
    ItemOutline,
    LabelOutline,
    ListOutline,
    Open,
    PersonOutline,
)
from importer.formats.json_reading import Piece, pieces
from importer.formats.rows import KnownRows, RowCounter
from importer.formats.source import Question, Source, Unreadable
from importer.formats.zip_reading import Zip, open_zip
from importer.ids import new_id
from importer.report import Report

TITLE = gettext_lazy("Taskboard")
HELP = gettext_lazy("A JSON or zip export of this service, or of another Taskboard: Settings, Your data, Export.")
NEEDS_FILE = True
BESIDE_REPORT = ()

BOARDS = 5000  # in one file
CARDS_IN_FILE = 300_000
WEIGHT = 50_000_000  # of the boards without their cards, which are in memory together
LONGEST_CARD = 20_000_000  # characters of its texts: a thousand comments of the greatest length
PEOPLE = 100_000  # of a board
JSON_NAME = "export.json"
LARGEST_JSON = 1_000_000_000  # bytes, inside a zip
BOARD = "boards.item"
CARDS = "boards.item.lists.item.cards"
CARD = f"{CARDS}.item"
TEXTS = ("title", "description", "checklists", "comments.item.body")  # what the second reading passes over
ROWS = KnownRows(
    things={
        BOARD: "boards",
        "boards.item.labels.item": "labels",
        "boards.item.lists.item": "lists",
        CARD: "cards",
        f"{CARD}.checklists.item": "checklists",
        f"{CARD}.checklists.item.items.item": "items",
        f"{CARD}.comments.item": "comments",
        f"{CARD}.attachments.item": "files",
    },
    parts={"boards.item.members.item"},
)
SERVER = r"(https?://[^\s/<>()\[\]]+)?"  # that the file came from, in addresses that were copied whole
LINK = re.compile(rf"{SERVER}/board/([0-9a-f-]{{36}})(?:\?card=([0-9a-f-]{{36}}))?(?![0-9a-f-])")
PICTURE = re.compile(rf"{SERVER}/attachments/([0-9a-f-]{{36}})(?![0-9a-f-])")


def looks_like(source: Source) -> bool:
    head = source.head()
    if not head.startswith(b"PK\x03\x04"):
        return b'"taskboard-export"' in head
    try:
        with open_zip(source.path) as found:
            return JSON_NAME in found.names
    except (Unreadable, OSError):
        return False


def questions(source: Source) -> list[Question]:
    return []


def read(source: Source, report: Report) -> Iterator[BoardOutline]:
    with _opened(source) as export:
        heads = export.heads(report)
        export.read_ids()
        export.note_cards(heads)
        cards = export.cards()
        seen = set[str]()
        for place, head in enumerate(heads):
            if head["id"] in seen:
                report.lose(Loss.DUPLICATE, f"boards[{place}]")
                continue
            seen.add(head["id"])
            yield export.board(place, head, cards, report)


@contextmanager
def _opened(source: Source) -> "Iterator[_Export]":
    if source.head(4).startswith(b"PK"):
        with open_zip(source.path) as found:
            if JSON_NAME not in found.names:
                raise Unreadable(_("This zip has no file %(name)s, so it isn't an export.") % {"name": JSON_NAME})
            yield _Export(source, found)
    else:
        yield _Export(source, None)


@dataclass
class _Board:
    """A board as the second reading finds it."""

    people: dict[str, str] = field(default_factory=dict)  # names by ids
    cards: set[str] = field(default_factory=set)
    last_number: int = 0


class _Cards:
    """The cards of all boards, in the order of the file, each board's until the next one begins."""

    def __init__(self, found: Iterator[Piece]) -> None:
        self._found = found
        self._next: Piece | None = None

    def of(self, board: int) -> Iterator[Piece]:
        while True:
            piece = self._next or next(self._found, None)
            self._next = None
            if piece is None:
                return
            if piece.indexes[0] > board:
                self._next = piece
                return
            if piece.indexes[0] == board:
                yield piece


class _Export:
    def __init__(self, source: Source, found: Zip | None) -> None:
        self.source, self.zip = source, found
        self.boards: dict[int, _Board] = {}
        self.ids: list[str] = []  # of the boards
        self.emails: dict[str, str] = {}  # by ids: that of who exported
        self.cards_of: dict[str, set[str]] = {}
        self._rows = set[tuple[str, str]]()  # kind and key of cards and files that have their id already
        names = found.names if found else []
        self.files = {name.split("/")[1]: name for name in names if _is_file(name)}
        self.pictures = {name for name in names if name.startswith("backgrounds/")}

    @contextmanager
    def _json(self) -> Iterator[IO[bytes]]:
        if self.zip:
            with self.zip.open(JSON_NAME, LARGEST_JSON) as file:
                yield file
        else:
            with self.source.path.open("rb") as file:
                yield file

    def heads(self, report: Report) -> list[dict[str, Any]]:
        """Return the boards without their cards. Raises Unreadable unless it is an export of a version known here."""
        heads, said, weight, rows = [], dict[str, Any](), 0, RowCounter(ROWS, report)
        with self._json() as file:
            wanted, still_wanted = ["format", "version", "user", BOARD], self.source.still_wanted
            for piece in pieces(file, wanted, [CARDS], still_wanted=still_wanted, rows=rows):
                if piece.path != BOARD:
                    said[piece.path] = piece.value
                    continue
                heads.append(_object(piece.value, piece.where))
                weight += piece.weight
                if len(heads) > BOARDS or weight > WEIGHT:
                    raise too_much()
        rows.tell()
        if said.get("format") != "taskboard-export":
            raise Unreadable(_("This file isn't a Taskboard export. Choose another format, or another file."))
        if said.get("version") != 1:
            raise Unreadable(_("This file comes from a newer version of Taskboard and can't be read here."))
        if isinstance(user := said.get("user"), dict) and isinstance(user.get("email"), str):
            self.emails[_person(user)[0]] = user["email"]
        return heads

    def note_cards(self, heads: list[dict[str, Any]]) -> None:
        for place, head in enumerate(heads):
            self.cards_of.setdefault(_text(head, "id", f"boards[{place}]"), self.boards.get(place, _Board()).cards)

    def read_ids(self) -> None:
        """Note the ids, numbers and people of all cards: texts link to cards that come later."""
        with self._json() as file:
            texts = [f"{CARD}.{name}" for name in TEXTS]
            cards = pieces(file, [CARD], texts, LONGEST_CARD, still_wanted=self.source.still_wanted)
            for number, piece in enumerate(cards):
                card, where = _object(piece.value, piece.where), piece.where
                found = self.boards.setdefault(piece.indexes[0], _Board())
                found.cards.add(_text(card, "id", where))
                if isinstance(card.get("number"), int):
                    found.last_number = max(found.last_number, card["number"])
                for person in [
                    card.get("createdBy"),
                    *(one.get("author") for one in _objects(card, "comments", where)),
                ]:
                    found.people.update([_person(person)])
                if number > CARDS_IN_FILE or len(found.people) > PEOPLE:
                    raise too_much()

    def cards(self) -> _Cards:
        return _Cards(self._all_cards())

    def _all_cards(self) -> Iterator[Piece]:
        with self._json() as file:
            yield from pieces(file, [CARD], (), LONGEST_CARD, still_wanted=self.source.still_wanted)

    def board(self, place: int, head: dict[str, Any], cards: _Cards, report: Report) -> BoardOutline:
        where = f"boards[{place}]"
        found = self.boards.get(place, _Board())
        people = dict(_person(one) for one in _objects(head, "members", where)) | found.people
        key = _text(head, "id", where)
        lists = _objects(head, "lists", where)
        return BoardOutline(
            title=_text(head, "title", where),
            key=key,
            id=self._id("board", key),
            hue=_hue(head.get("color")),
            archived_at=_moment(head, "archivedAt", where),
            created_at=_moment(head, "createdAt", where),
            last_number=found.last_number,
            background=_text(head, "background", where, optional=True),
            picture=self._opener(picture) if (picture := f"backgrounds/{key}.webp") in self.pictures else None,
            people=[PersonOutline(pk, name, email=self.emails.get(pk, "")) for pk, name in people.items()],
            labels=[
                LabelOutline(_text(one, "id", where), _text(one, "name", where), _hue(one.get("color")) or Hue.BLUE)
                for one in _objects(head, "labels", where)
            ],
            lists=[
                ListOutline(
                    key=_text(one, "id", f"{where}.lists[{number}]"),
                    title=_text(one, "title", f"{where}.lists[{number}]"),
                    card_limit=_number(one, "cardLimit", f"{where}.lists[{number}]"),
                    archived_at=_moment(one, "archivedAt", f"{where}.lists[{number}]"),
                )
                for number, one in enumerate(lists)
            ],
            cards=(self._card(piece, lists, report) for piece in cards.of(place)),
        )

    def _id(self, kind: str, key: str) -> Any:
        return new_id(self.source.salt, kind, key) if self.source.salt else None

    def _id_of_row(self, kind: str, key: str) -> Any:
        """Return the id for a row; None, which is any, if another one of the file has taken it."""
        if (kind, key) in self._rows:
            return None
        self._rows.add((kind, key))
        return self._id(kind, key)

    def _card(self, piece: Piece, lists: list[dict[str, Any]], report: Report) -> CardOutline:
        where, card = piece.where, _object(piece.value, piece.where)
        key = _text(card, "id", where)
        return CardOutline(
            list_key=_text(_list_at(lists, piece.indexes[1], where), "id", where),
            title=_text(card, "title", where),
            where=where,
            key=key,
            id=self._id_of_row("card", key),
            number=_number(card, "number", where),
            description=self._linked(_text(card, "description", where)),
            due_at=_moment(card, "dueDate", where),
            due_day=_day(card, "dueDay", where),
            start_day=_day(card, "startDate", where),
            completed_at=_moment(card, "completedAt", where),
            archived_at=_moment(card, "archivedAt", where),
            recurrence=_text(card, "recurrence", where, optional=True),
            recurrence_anchor=_moment(card, "recurrenceAnchor", where),
            cover_hue=_hue(card.get("coverColor")),
            cover_file=_text(card, "coverAttachmentId", where, optional=True),
            created_by=_person(card.get("createdBy"))[0],
            created_at=_moment(card, "createdAt", where),
            updated_at=_moment(card, "updatedAt", where),
            labels=_strings(card, "labelIds", where),
            assignees=_strings(card, "assigneeIds", where),
            checklists=[
                ChecklistOutline(
                    _text(one, "title", where),
                    [
                        ItemOutline(_text(item, "text", where), item.get("done") is True)
                        for item in _objects(one, "items", where)
                    ],
                )
                for one in _objects(card, "checklists", where)
            ],
            comments=[
                CommentOutline(
                    text=self._linked(_text(one, "body", where)),
                    author=_person(one.get("author"))[0],
                    created_at=_moment(one, "createdAt", where),
                    edited_at=_moment(one, "editedAt", where),
                )
                for one in _objects(card, "comments", where)
            ],
            files=[self._file(one, where) for one in _objects(card, "attachments", where)],
        )

    def _file(self, one: dict[str, Any], where: str) -> FileOutline:
        key = _text(one, "id", where)
        name = self.files.get(key)
        return FileOutline(
            file_name=_text(one, "fileName", where),
            open=self._opener(name) if name else None,
            key=key,
            id=self._id_of_row("attachment", key),
            size=self.zip.size(name) if self.zip and name else None,
            sha256=_text(one, "sha256", where, optional=True),
            uploaded_by=_person(one.get("uploadedBy"))[0],
            created_at=_moment(one, "createdAt", where),
        )

    def _opener(self, name: str) -> Open | None:
        found = self.zip
        return (lambda: found.open(name, found.size(name))) if found else None

    def _linked(self, text: str) -> str:
        """Return the text with links to boards, cards and pictures of this file leading to those that will be made."""
        if not self.source.salt or "/" not in text:
            return text
        return PICTURE.sub(self._new_picture, LINK.sub(self._new_link, text))

    def _new_link(self, found: re.Match[str]) -> str:
        server, board, card = found.groups()
        if board not in self.cards_of or board in self.source.left_out:
            return found[0]
        if card is None:
            return f"{_here(server)}/board/{self._id('board', board)}"
        if card not in self.cards_of[board]:
            return found[0]
        return f"{_here(server)}/board/{self._id('board', board)}?card={self._id('card', card)}"

    def _new_picture(self, found: re.Match[str]) -> str:
        server, key = found.groups()
        return f"{_here(server)}/attachments/{self._id('attachment', key)}" if key in self.files else found[0]


def _here(server: str | None) -> str:
    """Return what stands before a path of this service, where the file has a server before it."""
    return settings.BASE_URL if server else ""


def _is_file(name: str) -> bool:
    return name.startswith("files/") and name.count("/") == 2


def too_much() -> Unreadable:
    return Unreadable(_("This file has more than can be imported at once. Export fewer boards."))


# Values. What is of the wrong type was not written by an export.


def _wrong(name: str, where: str, what: str) -> Unreadable:
    text = _("The file is damaged: %(where)s.%(name)s must be %(what)s.")
    return Unreadable(text % {"where": where, "name": name, "what": what})


def _object(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unreadable(_("The file is damaged: %(where)s must be an object.") % {"where": where})
    return value


def _objects(of: dict[str, Any], name: str, where: str) -> list[dict[str, Any]]:
    value = of.get(name, [])
    if not isinstance(value, list):
        raise _wrong(name, where, _("a list"))
    return [_object(one, f"{where}.{name}[{place}]") for place, one in enumerate(value)]


def _strings(of: dict[str, Any], name: str, where: str) -> list[str]:
    value = of.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _wrong(name, where, _("a list of texts"))
    return value


def _list_at(lists: list[dict[str, Any]], place: int, where: str) -> dict[str, Any]:
    """Return the list that holds a card. In a damaged file a board has its lists twice, and only the last are known."""
    if place >= len(lists):
        raise _wrong("lists", where.partition(".")[0], _("a list"))
    return lists[place]


def _text(of: dict[str, Any], name: str, where: str, *, optional: bool = False) -> str:
    value = of.get(name)
    if optional and value is None:
        return ""
    if not isinstance(value, str):
        raise _wrong(name, where, _("a text"))
    return value


def _number(of: dict[str, Any], name: str, where: str) -> int | None:
    value = of.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise _wrong(name, where, _("a whole number"))
    return value


def _moment(of: dict[str, Any], name: str, where: str) -> datetime | None:
    value = of.get(name)
    if value is None:
        return None
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise _wrong(name, where, _("a time such as 2026-12-01T09:00:00Z")) from None


def _day(of: dict[str, Any], name: str, where: str) -> date | None:
    value = of.get(name)
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise _wrong(name, where, _("a date such as 2026-12-01")) from None


def _hue(value: object) -> int | None:
    return Hue[value.upper()] if isinstance(value, str) and value.upper() in Hue.__members__ else None


def _person(value: object) -> tuple[str, str]:
    """Return the id and the name, ("", "") for anything else."""
    if isinstance(value, dict) and isinstance(value.get("id"), str) and isinstance(value.get("name"), str):
        return value["id"], value["name"]
    return "", ""
