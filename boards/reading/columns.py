"""The open lists of a board with the first part of their cards, and the parts that follow.

A board may have thousands of cards. So its page has the first ones of each list, and loads more when somebody scrolls
(docs/decisions/web.md). A part begins at a position, not by a number of cards: all open cards of the list before it are
on the page, whatever was moved, added or archived meanwhile.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from boards.models import Card, List
from core import sql
from core.sql import keys, table

WHOLE = 500  # cards; a board with no more is read whole
CARDS, LISTS = 300, 24  # the most that are read of a larger one
PAGE = 100  # cards that are read on
FILL = 30  # cards of a list that comes into view without any
END = 2**63 - 1  # no position is higher


class Condition(NamedTuple):
    """A subquery of ids: only these cards are read."""

    query: str
    params: Sequence[Any]


class Column(NamedTuple):
    """An open list. `next` is the position of the first card behind `cards`; None if there is none."""

    row: List
    total: int  # open cards of the list, of those that match
    cards: list[tuple[str, int, int]]  # hexadecimal id, version and position of the first ones, in order
    next: int | None
    is_read: bool  # False for a list beyond the first LISTS of a large board


def read_columns(board_id: UUID, only: Condition | None = None) -> list[Column]:
    """Return the open lists of a board, in order, by two statements."""
    rows: list[Any] = read_lists(board_id, only)
    totals = [row.total for row in rows]
    is_whole = sum(totals) <= WHOLE
    shown, most = (rows, WHOLE) if is_whole else (rows[:LISTS], share(totals[:LISTS], CARDS))
    found = _first_cards(board_id, len(shown), most, only) if shown else {}
    columns = [_column(row, found.get(row.pk.hex, []), most) for row in shown]
    return columns + [Column(row, row.total, [], None, False) for row in rows[len(shown) :]]


def _column(row: Any, cards: list[tuple[str, int, int]], most: int) -> Column:
    """Return the column of the first cards, of which there is one more than `most` if there are more."""
    first = cards[:most]
    if len(cards) > most:
        return Column(row, max(row.total, len(cards)), first, cards[most][2], True)
    return Column(row, len(first), first, None, True)


def share(totals: Iterable[int], most: int) -> int:
    """Return how many cards each list may show, so that they show no more than `most` in all, but one at least."""
    ordered = sorted(totals)
    for place, total in enumerate(ordered):
        each = most // (len(ordered) - place)
        if total > each:
            return max(1, each)
        most -= total
    return max([1, *ordered])


def read_lists(board_id: UUID, only: Condition | None = None) -> list[List]:
    """Return the open lists of a board in order, each with `total`, the number of its open cards that match."""
    condition, params = _matching(only, "c")
    total = f"(SELECT COUNT(*) FROM {table(Card)} c WHERE c.list_id = this.id AND c.archived_at IS NULL{condition})"  # noqa: S608
    rest = "WHERE this.board_id = %s AND this.archived_at IS NULL ORDER BY this.position"
    return sql.select(List, rest, [*params, *keys([board_id])], total=total)


def read_part(row: List, start: int | None, most: int, only: Condition | None = None) -> tuple[list[UUID], int | None]:
    """Return the ids of at most `most` open cards of a list from the position `start` on, and where the next part begins."""
    condition, params = _matching(only, "c")
    query = (
        f"SELECT c.id, c.position FROM {table(Card)} c WHERE c.list_id = %s AND c.archived_at IS NULL"  # noqa: S608
        f" AND c.position >= %s{condition} ORDER BY c.position LIMIT %s"
    )
    found = sql.rows(query, [*keys([row.pk]), -END if start is None else start, *params, most + 1])
    ids = [sql.key_in(pk) for pk, _position in found[:most]]
    return ids, found[most][1] if len(found) > most else None


def count_cards(list_ids: Iterable[UUID], only: Condition | None = None) -> dict[UUID, int]:
    """Return the number of open cards in each of these lists."""
    wanted = list(list_ids)
    condition, params = _matching(only, "c")
    query = (
        f"SELECT c.list_id, COUNT(*) FROM {table(Card)} c WHERE c.archived_at IS NULL"  # noqa: S608 (own names)
        f" AND c.list_id IN ({', '.join(['%s'] * len(wanted))}){condition} GROUP BY c.list_id"
    )
    found = {sql.key_in(pk): number for pk, number in sql.rows(query, [*keys(wanted), *params])} if wanted else {}
    return {pk: found.get(pk, 0) for pk in wanted}


def _first_cards(
    board_id: UUID, lists: int, most: int, only: Condition | None
) -> dict[str, list[tuple[str, int, int]]]:
    """Return (id, version, position) of the first `most` + 1 open cards of each of the first `lists` open lists.

    The inner query finds the position of the last of them by the index, so no further cards are read. The LIMIT around
    it makes both databases ask that once for a list, and not for each card. Ids are hexadecimal: hundreds of UUIDs take
    several times as long to make and to compare.
    """
    (outer, params), (inner, _same) = _matching(only, "c"), _matching(only, "p")
    card, in_list = (f"REPLACE(CAST(c.{name} AS text), '-', '')" for name in ("id", "list_id"))
    query = (
        f"WITH ends AS (SELECT l.id, COALESCE((SELECT p.position FROM {table(Card)} p"  # noqa: S608 (own names)
        f" WHERE p.list_id = l.id AND p.archived_at IS NULL{inner} ORDER BY p.position LIMIT 1 OFFSET %s), {END}) AS last"
        f" FROM {table(List)} l WHERE l.board_id = %s AND l.archived_at IS NULL ORDER BY l.position LIMIT %s)"
        f" SELECT {in_list}, {card}, c.version, c.position FROM ends JOIN {table(Card)} c"
        f" ON c.list_id = ends.id AND c.archived_at IS NULL AND c.position <= ends.last{outer} ORDER BY c.position"
    )
    found: dict[str, list[tuple[str, int, int]]] = {}
    for list_id, *card_row in sql.rows(query, [*params, most, *keys([board_id]), lists, *params]):
        found.setdefault(list_id, []).append(tuple(card_row))
    return found


def _matching(only: Condition | None, alias: str) -> tuple[str, Sequence[Any]]:
    return (f" AND {alias}.id IN ({only.query})", only.params) if only else ("", ())
