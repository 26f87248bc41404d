"""Search for cards by words, number, board, list, state, people, labels and due date, page by page
(docs/decisions/search.md).
"""

import base64
import json
from collections.abc import Collection, Sequence
from dataclasses import astuple
from itertools import takewhile
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from boards.access import board_ids
from boards.errors import Invalid
from boards.models import Board, Card, Membership
from boards.reader import Reader
from boards.reading.cards import cards_with_names
from boards.reading.search_filters import CARDS, Filters, State, as_sql, filtered, one_of
from boards.reading.search_orders import Part
from boards.reading.search_parts import words_anywhere, words_nearby
from boards.reading.search_words import indexed_text, number_in, text_nearby, titled, words_in
from core import sql
from core.sql import NOTHING, Statement, combined, is_postgresql, table

# Open cards that are read one by one, before all cards with the words are looked for: so many, or half as many `everywhere`, which
# takes longer, and then more, by STEP, if enough of them match that these will do
NEAREST, FARTHEST, STEP = 300, 3000, 500


class Found(NamedTuple):
    cards: list[Card]
    more: bool


class Ids(NamedTuple):
    ids: list[UUID]
    are_all: bool  # whether no other card matches


def search_cards(reader: Reader, filters: Filters, *, limit: int, after: str | None = None) -> Found:
    """Return at most `limit` matching cards that the reader can see, from `cards_with_names`.

    `after` is a cursor from `cursor_after` for the same filters. Raises Invalid for any other cursor, and for a query
    that is too long or has too many words.
    """
    ids = search_ids(reader, filters, limit=limit + 1, after=after)
    found = cards_with_names(ids[:limit])
    cards = [found[pk] for pk in ids[:limit] if pk in found]
    return Found(cards, bool(cards) and len(ids) > limit)  # the last card says where the next page begins


def search_ids(reader: Reader, filters: Filters, *, limit: int, after: str | None = None) -> list[UUID]:
    """Return the ids of at most `limit` matching cards, as `search_cards` does: at most three statements a part of the order,
    and one that counts texts on SQLite.
    """
    return look_up(reader, filters, limit=limit, most=limit, after=after).ids


def look_up(reader: Reader, filters: Filters, *, limit: int, most: int, after: str | None = None) -> Ids:
    """Return the same, and up to `most` ids where the statements that find the first `limit` have them too."""
    kept, parts = filtered(reader, filters), _parts(filters, after)
    ids: list[UUID] = []
    nearest: list[list[UUID]] = []  # of each part
    near = NEAREST // 2 if filters.everywhere else NEAREST
    for place, part in enumerate(parts):
        if (number := limit - len(ids)) <= 0:
            break
        if place == len(nearest):
            nearest += _nearest(reader, kept, filters, parts[place:], near)
        found, rest = nearest[place], [part]
        if len(nearest) == len(parts) and _enough(near, number, sum(map(len, nearest[place:]))) > FARTHEST:
            rest = parts[place:]
        elif part is parts[-1] and 0 < len(found) < number:
            [found] = _nearest(reader, kept, filters, rest, _enough(near, number, len(found)))
        if len(found) >= number:
            ids += found[: most - len(ids)]
            continue
        ids += _first(reader, kept, filters, rest, most - len(ids))
        if rest[-1] is parts[-1]:
            return Ids(ids, are_all=len(ids) < most)
    return Ids(ids, are_all=False)


def count_few(reader: Reader, filters: Filters, *, most: int) -> int | None:
    """Return how many cards match, at most `most`; None where more than FARTHEST cards would have to be asked.

    Two statements, or one where there are so many.
    """
    if not filters.narrow and _given_numbers(reader) > FARTHEST:
        return None
    kept = filtered(reader, filters)
    if filters.narrow and _count(kept, FARTHEST + 1) > FARTHEST:
        return None
    return _count(combined(" AND ", [kept, _words_nearby(filters)]), most)


def still_matching(reader: Reader, filters: Filters, ids: Collection[UUID]) -> set[UUID]:
    """Return those of a few cards that match, and that the reader can see: one statement."""
    which = combined(" AND ", [filtered(reader, filters), _words_nearby(filters), one_of("this.id", sql.keys(ids))])
    return {*_ids(f"FROM {CARDS} WHERE {which.sql}", which.params)}


def cursor_after(filters: Filters, card: Card) -> str:
    """Return the cursor of the page that begins after this card. It is valid for these filters only.

    Why not an offset: cards that are added or completed between two pages would shift the second one.
    """
    place = filters.order.place(card)
    signed = json.dumps([*place, _signature(filters, place)])
    return base64.urlsafe_b64encode(signed.encode()).decode().rstrip("=")


def matching(reader: Reader, filters: Filters) -> Statement:
    """Return the condition of the matching cards, among CARDS, that the reader can see. Raises Invalid as `search_cards` does."""
    return combined(" AND ", [filtered(reader, filters), _words(reader, filters)])


def first_with(reader: Reader, filters: Filters, condition: Statement, *, limit: int) -> list[UUID]:
    """Return the ids of the first `limit` matching cards that meet another condition too."""
    which = combined(" AND ", [matching(reader, filters), condition])
    return _ids(
        f"FROM {CARDS} WHERE {which.sql} ORDER BY {', '.join(filters.order.columns)} LIMIT {limit}", which.params
    )


def _ids(rest: str, params: Sequence[Any]) -> list[UUID]:
    """Return the ids of cards. `rest` follows what a statement selects, and is planned for these words and filters."""
    return [sql.key_in(pk) for (pk,) in sql.planned_rows(f"SELECT this.id {rest}", params)]


def _count(which: Statement, most: int) -> int:
    """Return how many cards meet the condition, at most `most`."""
    some = f"SELECT 1 FROM {CARDS} WHERE {which.sql} LIMIT {most}"  # noqa: S608 (own names)
    [(number,)] = sql.planned_rows(f"SELECT COUNT(*) FROM ({some}) found", which.params)  # noqa: S608 (own names)
    return int(number)


def _first(reader: Reader, kept: Statement, filters: Filters, parts: Sequence[Part], number: int) -> list[UUID]:
    """Return the ids of the first `number` matching cards of these parts, which are looked for among all of them."""
    in_title = all(part.is_in_title for part in parts)
    words = titled(filters.query) if in_title else _words(reader, filters)
    which = combined(" AND ", [kept, words, _cards_of(parts), as_sql(parts[0].behind)])
    part = _part_of(parts)
    order = ", ".join(filter(None, (part.sql, *filters.order.columns)))
    rest = f"FROM {CARDS} WHERE {which.sql} ORDER BY {order} LIMIT {number}"
    return _ids(rest, [*which.params, *part.params])


def _nearest(reader: Reader, kept: Statement, filters: Filters, parts: Sequence[Part], number: int) -> list[list[UUID]]:
    """Return the ids of matching cards among the next `number` open ones: a list for each of the first parts, as many of these
    as leave out the same cards.

    Where words are common these are enough: then few cards are read, and in their order by an index, without sorting all that
    match. The statement is prepared, as its plan does not depend on the words.
    """
    together = [*takewhile(lambda part: part.behind == parts[0].behind, parts)]
    if not _have_an_index(filters) or number_in(filters.query) or not words_in(filters.query):
        return [[] for _part in together]
    in_text = not filters.everywhere or all(part.is_in_title for part in together)
    words = text_nearby(filters.query) if in_text else words_nearby(filters.query)
    order = ", ".join(filters.order.columns[1:])  # without DONE, which is the same for all of them
    source, theirs = _next_open(reader, kept)
    near = combined(" AND ", [theirs, as_sql(parts[0].behind)])
    nearest = (
        f"SELECT this.id FROM {source} WHERE {near.sql} AND this.completed_at IS NULL AND this.archived_at IS NULL"  # noqa: S608 (own names)
        f" ORDER BY {order} LIMIT {number}"
    )
    # On SQLite what is read next is only of the reader's boards, so that the filters have yet to keep it
    among, still = ("boards_card this", NOTHING) if is_postgresql() else (CARDS, kept)
    which = combined(" AND ", [words, _cards_of(together), still])
    which_part = _part_of(together)
    found = sql.rows(
        f"SELECT this.id, {which_part.sql or 0} FROM {among} WHERE {which.sql} AND this.id IN ({nearest}) ORDER BY {order}",  # noqa: S608 (own names)
        [*which_part.params, *which.params, *near.params],
    )
    return [[sql.key_in(pk) for pk, its_part in found if its_part == place] for place in range(len(together))]


def _enough(near: int, number: int, found: int) -> int:
    """Return how many open cards to read for so many matching ones: twice as many as do where these are as frequent as among the
    first, of which `found` ones matched, and more than FARTHEST if none did. It goes by STEP, as each number is a statement to
    prepare.
    """
    if not found:
        return FARTHEST + 1
    return (2 * near * number // found // STEP + 1) * STEP


def _have_an_index(filters: Filters) -> bool:
    """Tell whether an index gives open cards in the order of the search, and these come first: archived ones come among them."""
    if not filters.order.is_indexed or filters.done or {*filters.states} - {State.DONE} != {State.OPEN}:
        return False
    return not filters.best_first or len(filters.board_ids or ()) != 1  # all cards of one board are few


def _cards_of(parts: Sequence[Part]) -> Statement:
    """Return the condition for cards of these parts. Several parts that leave out the same cards are a whole order."""
    return parts[0].cards if len(parts) == 1 else NOTHING


def _part_of(parts: Sequence[Part]) -> Statement:
    """Return the expression of the number of a card's part; no SQL where there is one."""
    *others, _last = parts
    if not others:
        return NOTHING
    cases = combined(
        " ", [Statement(f"WHEN {part.cards.sql} THEN {n}", part.cards.params) for n, part in enumerate(others)]
    )
    return Statement(f"CASE {cases.sql} ELSE {len(others)} END", cases.params)


def _next_open(reader: Reader, kept: Statement) -> tuple[str, Statement]:
    """Return the source and the condition of the cards of which the next open ones are read, by an index in their order.

    SQLite does not weigh that index against sorting all cards of the reader's boards. With a sign before the board's id it
    cannot look these up, so it reads the index, which has that id, until it has enough.
    """
    if is_postgresql():
        return CARDS, kept
    own = board_ids(reader)
    return f"{table(Card)} this", Statement(f"+this.board_id IN ({own.sql})", own.params)


def _words(reader: Reader, filters: Filters) -> Statement:
    return words_anywhere(reader, filters.query) if filters.everywhere else indexed_text(filters.query)


def _words_nearby(filters: Filters) -> Statement:
    """Return the condition for the words, for few cards."""
    return words_nearby(filters.query) if filters.everywhere else text_nearby(filters.query)


def _given_numbers(reader: Reader) -> int:
    """Return how many numbers the reader's open boards have given to cards, of which some may be gone: to count the cards takes
    longer.
    """
    mine, params = reader.membership_sql("mine")
    found = sql.first(
        f"SELECT SUM(board.last_card_number) FROM {table(Board)} board"  # noqa: S608 (own names)
        f" JOIN {table(Membership)} mine ON mine.board_id = board.id AND {mine} WHERE board.archived_at IS NULL",
        sql.keys(params),
    )
    return int((found and found[0]) or 0)


def _parts(filters: Filters, cursor: str | None) -> list[Part]:
    if cursor is None:
        return filters.order.parts(None)
    try:
        signed = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
        *place, signature = signed
        if not constant_time_compare(signature, _signature(filters, place)):
            raise ValueError
        return filters.order.parts(place)
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise Invalid(
            _("This cursor belongs to another search. Search again without cursor to start over."), "cursor"
        ) from None


def _signature(filters: Filters, place: list[Any]) -> str:
    """Return an HMAC over filters and place, so that clients cannot forge a cursor."""
    return salted_hmac("boards.reading.search", repr((astuple(filters), place))).hexdigest()[:20]
