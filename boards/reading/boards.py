"""The boards that a reader can see, as lists of boards show them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db.models import F, QuerySet

from boards.models import Board, BoardView, Card, List, Membership
from boards.reader import Reader
from boards.statements import read_boards_and_lists
from core import sql
from core.sql import table

FACES = 5
# Counted in groups: as a subquery of each board PostgreSQL read the table for each of them, when most cards of all were on
# one board (docs/decisions/statements.md).
LISTS = """SELECT l.board_id, COUNT(c.id) FROM {list} l
    LEFT JOIN {card} c ON c.list_id = l.id AND c.archived_at IS NULL AND c.completed_at IS NULL
    WHERE l.board_id IN ({ids}) AND l.archived_at IS NULL GROUP BY l.board_id, l.id, l.position ORDER BY l.position"""
MEMBERS = f"""SELECT m.board_id, m.members, person.id, person.name, person.email, person.picture FROM
    (SELECT board_id, user_id, COUNT(*) OVER (PARTITION BY board_id) AS members,
    ROW_NUMBER() OVER (PARTITION BY board_id ORDER BY created_at, id) AS place
    FROM {{membership}} WHERE board_id IN ({{ids}})) m
    JOIN {{user}} person ON person.id = m.user_id WHERE m.place <= {FACES} ORDER BY m.board_id, m.place"""  # noqa: S608 (own names)


class ListEntry(NamedTuple):
    id: UUID
    title: str


class BoardEntry(NamedTuple):
    id: UUID
    title: str
    lists: list[ListEntry]


def boards_with_lists(reader: Reader) -> list[BoardEntry]:
    """Return every open board of the reader, oldest first, with its open lists in display order: one statement."""
    return _entries(read_boards_and_lists(reader))


def archived_boards_with_lists(reader: Reader) -> list[BoardEntry]:
    """Return every archived board of the reader, oldest first, with its open lists in display order: one statement."""
    return _entries(read_boards_and_lists(reader, archived=True))


def _entries(rows: Iterable[tuple[UUID, str, UUID | None, str]]) -> list[BoardEntry]:
    entries: dict[UUID, BoardEntry] = {}
    for board_id, title, list_id, list_title in rows:
        entry = entries.setdefault(board_id, BoardEntry(board_id, title, []))
        if list_id is not None:
            entry.lists.append(ListEntry(list_id, list_title))
    return list(entries.values())


def boards_with_counts(reader: Reader, wanted: Collection[UUID] | None = None) -> list[Any]:
    """Return the reader's open boards, starred ones first, then the last changed: always three statements.

    Each board has `starred`, the reader's `role`, `list_sizes` (how many open cards that are not done its open lists have,
    in their order), `member_count`, and its first members as `faces`. With `wanted`, which are in that order, return only these boards.
    """
    ids = open_board_ids(reader) if wanted is None else list(wanted)
    if not ids:
        return []
    boards = _open_boards(reader, ids)
    for board in boards.values():
        board.list_sizes, board.faces, board.member_count = [], [], 0
    for board_id, cards in _of_boards(LISTS, boards):
        boards[board_id].list_sizes.append(cards)
    _add_faces(boards)
    return [boards[pk] for pk in ids if pk in boards]


def _add_faces(boards: Mapping[UUID, Any]) -> None:
    people: dict[UUID, Any] = {}
    for board_id, members, pk, name, email, picture in _of_boards(MEMBERS, boards):
        user_id, board = sql.key_in(pk), boards[board_id]
        if user_id not in people:
            people[user_id] = get_user_model()(pk=user_id, name=name, email=email, picture=picture)
        board.faces.append(people[user_id])
        board.member_count = members


def _of_boards(statement: str, ids: Collection[UUID]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a statement about these boards; the first column is the id of a board."""
    named = {"list": List, "card": Card, "membership": Membership, "user": get_user_model()}
    tables = {name: table(model) for name, model in named.items()}
    query = statement.format(ids=", ".join(["%s"] * len(ids)) or "NULL", **tables)
    return ((sql.key_in(board_id), *values) for board_id, *values in sql.rows(query, sql.keys(ids)))


def open_board_ids(reader: Reader) -> list[UUID]:
    """Return the ids of the reader's open boards, starred ones first, then the last changed."""
    return [pk for (pk,) in sql.values(Board, ("id",), *_starred_first(reader))]


def open_boards(reader: Reader) -> list[Board]:
    """Return the same boards with titles, colours and versions alone: one statement."""
    return sql.only(Board, ("id", "title", "hue", "version"), *_starred_first(reader))


def _starred_first(reader: Reader) -> sql.Statement:
    """Return what follows FROM the boards."""
    mine, params = reader.membership_sql("m")
    rest = (
        f"JOIN {table(Membership)} m ON m.board_id = this.id"
        f" LEFT JOIN {table(BoardView)} view ON view.board_id = this.id AND view.user_id = m.user_id AND view.starred"
        f" WHERE {mine} AND this.archived_at IS NULL ORDER BY view.id IS NULL, this.changed_at DESC, this.id DESC"
    )
    return sql.Statement(rest, sql.keys(params))


def _open_boards(reader: Reader, ids: Collection[UUID]) -> dict[UUID, Any]:
    mine, params = reader.membership_sql("m")
    star = f"SELECT 1 FROM {table(BoardView)} v WHERE v.board_id = this.id AND v.user_id = m.user_id AND v.starred"  # noqa: S608 (own names)
    rest = (
        f"JOIN {table(Membership)} m ON m.board_id = this.id"
        f" WHERE {mine} AND this.archived_at IS NULL AND this.id IN ({', '.join(['%s'] * len(ids))})"
    )
    found = sql.select(Board, rest, sql.keys([*params, *ids]), role="m.role", starred=f"EXISTS ({star})")
    return {board.pk: board for board in found}


def archived_boards(reader: Reader) -> "QuerySet[Any]":
    """Return the archived boards of the reader, last archived first, each with the reader's `role`."""
    boards = Board.objects.visible_to(reader).exclude(archived_at=None).annotate(role=F("memberships__role"))
    return boards.order_by("-archived_at", "-id")
