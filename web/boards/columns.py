"""The lists of a board with their tiles, as HTML. It is kept in memory: most readers find a board as the last one left it.

Of large boards it is the first part (boards/reading/columns.py). A fragment is the same for all readers of one language (web/fragments.py). What it shows comes from the board at its
version, from the names and pictures of its members, from the clock, which makes a due date "soon" and "late". After a change of
the board, tiles are rendered anew for the cards whose version has changed, and all others are used again.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from boards.models import Board, Membership
from boards.reader import MEMBERS, PublicView
from boards.reading.columns import Column, Condition, read_columns, read_lists
from boards.reading.public import tiles_for
from boards.reading.tiles import Tile
from boards.statements import read_last_change
from core.http.kept_html import KeptHtml
from web.due import SOON
from web.fragments import render_list, render_tile

PIECE = 64_000  # characters; zlib looks back 32 kB
MOST = 16_000_000  # characters that are kept, of all boards together

# By the hexadecimal id of the card: its version and position, and the tile
Tiles = Mapping[str, tuple[tuple[int, int], SafeString]]


class Shows(NamedTuple):
    """The values of which the HTML was made."""

    version: int
    change: UUID | None  # the id of the change that gave the board this version
    names: tuple[tuple[UUID, str, str, str], ...]  # id, name, address and picture of each member, if any are shown


Key = tuple[UUID, str | None, PublicView | None]  # board, language, what a public link shows


class Kept(NamedTuple):
    shows: Shows
    until: datetime | None  # when a due date changes its look
    html: list[SafeString]  # of the lists, in pieces, KeptHtml
    tiles: Tiles

    @property
    def size(self) -> int:
        return 2 * sum(map(len, self.html)) + sum(len(html) for _state, html in self.tiles.values())

    @property
    def has_aged(self) -> bool:
        return self.until is not None and self.until <= timezone.now()


class Shelf:
    """Keeps the last HTML of each board in each language. The least recently used goes first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: Key) -> Kept | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: Key, kept: Kept) -> None:
        with self._lock:
            if old := self._kept.pop(key, None):
                self._size -= old.size
            self._kept[key] = kept
            self._size += kept.size
            while self._size > MOST:
                _key, oldest = self._kept.popitem(last=False)
                self._size -= oldest.size


shelf = Shelf()


def columns(
    shown: Board, last_change: UUID | None, members: Sequence[Membership], view: PublicView | None
) -> list[SafeString]:
    """Render the open lists with their tiles, one list or several in a piece. `members` come with `user` loaded; there are none where no names are shown.

    `shown` is read before: what is read here is at least as new, so nothing older is ever kept under its version.
    """
    key = (shown.pk, get_language(), view)
    names = tuple((row.user.pk, row.user.name, row.user.email, row.user.picture) for row in members)
    shows = Shows(shown.version, last_change, names)
    kept = shelf.get(key)
    if kept and kept.has_aged:
        kept = None
    if kept is None or kept.shows != shows:
        kept = render(shown, shows, kept if kept and is_past(kept.shows, shown, names) else None, view)
        shelf.put(key, kept)
    return kept.html


def is_past(earlier: Shows, shown: Board, names: object) -> bool:
    """Tell whether the board showed this once under the same names, and not in a history that a restored backup ended."""
    then = Board(pk=shown.pk, version=earlier.version)
    return earlier.names == names and read_last_change(then) == earlier.change


def render(shown: Board, shows: Shows, earlier: Kept | None, view: PublicView | None) -> Kept:
    """Render the lists, with the tiles of `earlier` where the card has the same version and position."""
    lists = read_columns(shown.pk)
    known = earlier.tiles if earlier else {}
    cards = [card for column in lists for card in column.cards]
    same = {pk: known[pk] for pk, *state in cards if pk in known and known[pk][0] == tuple(state)}
    read = read_tiles([pk for pk, *_state in cards if pk not in same], view)
    found = same | {tile.pk.hex: ((tile.version, tile.position), render_tile(tile)) for tile in read}
    looks = [moment for moment in (next_look(read), earlier and earlier.until) if moment]
    html = pieces(render_column(column, found, view=view) for column in lists)
    return Kept(shows, min(looks, default=None), html, found)


def pieces(lists: Iterable[SafeString]) -> list[SafeString]:
    """Join lists that follow each other to pieces worth compressing: each is compressed for itself, once."""
    joined: list[list[SafeString]] = []
    length = PIECE
    for html in lists:
        if length >= PIECE:
            joined.append([])
            length = 0
        joined[-1].append(html)
        length += len(html)
    return [KeptHtml("".join(piece)) for piece in joined]


def render_column(column: Column, found: Tiles, *, all_cards: int | None = None, view: PublicView | None) -> SafeString:
    shown = [found[pk][1] for pk, *_state in column.cards if pk in found]  # or the card is gone since
    return render_list(
        column.row,
        shown,
        total=column.total,
        following=column.next,
        is_read=column.is_read,
        all_cards=all_cards,
        view=view,
    )


class Filtered(NamedTuple):
    lists: list[SafeString]
    kept: int  # of `every` open card in open lists
    every: int


def filtered(shown: Board, only: Condition) -> Filtered:
    """Render the open lists with the cards that match. These are not kept: each reader asks for others."""
    every: list[Any] = read_lists(shown.pk)
    totals = {row.pk: row.total for row in every}
    lists = read_columns(shown.pk, only)
    read = read_tiles([pk for column in lists for pk, *_state in column.cards], MEMBERS)
    found = {tile.pk.hex: ((tile.version, tile.position), render_tile(tile)) for tile in read}
    all_cards = [totals.get(column.row.pk, column.total) for column in lists]
    html = [
        render_column(column, found, all_cards=every, view=MEMBERS)
        for column, every in zip(lists, all_cards, strict=True)
    ]
    return Filtered(html, sum(column.total for column in lists), sum(all_cards))


def read_tiles(wanted: Sequence[str], view: PublicView | None) -> list[Tile]:
    return tiles_for(view, [UUID(pk) for pk in wanted])


def next_look(cards: Iterable[Tile]) -> datetime | None:
    """Return when the first of these due dates becomes "soon" or "late"; None when that happens to none any more."""
    now = timezone.now()
    waiting = (tile.due_at for tile in cards if tile.due_at and not tile.completed_at)
    return min((moment for due in waiting for moment in (due - SOON, due) if moment > now), default=None)
