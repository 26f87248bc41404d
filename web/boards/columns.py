"""The lists of a board with their tiles, as HTML. It is kept in memory: most readers find a board as the last one left it.

A fragment is the same for all readers of one language (web/fragments.py). What it shows comes from the board at its
version, from the names of its members, and from the clock, which makes a due date "soon" and "late". After a change of
the board, tiles are rendered anew for the cards whose version has changed, and all others are used again.
"""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from boards.models import Board, Card, List, Membership
from boards.reading.tiles import Tile, tiles
from boards.statements import read_last_change, read_open_cards
from web.fragments import SOON, render_list, render_tile

MOST = 16_000_000  # characters that are kept, of all boards together
FEW = 500  # cards that are looked up one by one; for more, all cards of the board are read

Tiles = Mapping[str, tuple[int, SafeString]]  # by the hexadecimal id of the card: its version, and the tile


class Shows(NamedTuple):
    """What the HTML was made of."""

    version: int
    change: UUID | None  # the id of the change that gave the board this version
    names: tuple[tuple[UUID, str, str], ...]  # id, name and address of each member


class Kept(NamedTuple):
    shows: Shows
    until: datetime | None  # when a due date changes its look
    html: list[SafeString]
    tiles: Tiles

    @property
    def size(self) -> int:
        return sum(map(len, self.html)) + sum(len(html) for _version, html in self.tiles.values())

    @property
    def has_aged(self) -> bool:
        return self.until is not None and self.until <= timezone.now()


class Shelf:
    """Keeps what was rendered last of each board in each language. What was not used for longest goes first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[UUID, str | None], Kept] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: tuple[UUID, str | None]) -> Kept | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: tuple[UUID, str | None], kept: Kept) -> None:
        with self._lock:
            if old := self._kept.pop(key, None):
                self._size -= old.size
            self._kept[key] = kept
            self._size += kept.size
            while self._size > MOST:
                _key, oldest = self._kept.popitem(last=False)
                self._size -= oldest.size


shelf = Shelf()


def columns(shown: Board, last_change: UUID | None, members: Sequence[Membership]) -> list[SafeString]:
    """Render the open lists with their tiles. `members` come with `user` loaded.

    `shown` is read before: what is read here is at least as new, so nothing older is ever kept under its version.
    """
    key = (shown.pk, get_language())
    names = tuple((row.user.pk, row.user.name, row.user.email) for row in members)
    shows = Shows(shown.version, last_change, names)
    kept = shelf.get(key)
    if kept and kept.has_aged:
        kept = None
    if kept is None or kept.shows != shows:
        kept = render(shown, shows, kept if kept and is_past(kept.shows, shown, names) else None)
        shelf.put(key, kept)
    return kept.html


def is_past(earlier: Shows, shown: Board, names: object) -> bool:
    """Tell whether the board showed this once under the same names, and not in a history that a restored backup ended."""
    then = Board(pk=shown.pk, version=earlier.version)
    return earlier.names == names and read_last_change(then) == earlier.change


def render(shown: Board, shows: Shows, earlier: Kept | None) -> Kept:
    """Render the lists, with the tiles of `earlier` where the card has the same version."""
    cards = read_open_cards(shown.pk)
    known = earlier.tiles if earlier else {}
    same = {pk: known[pk] for pk, version, _list in cards if pk in known and known[pk][0] == version}
    read = read_tiles(shown, [pk for pk, _version, _list in cards if pk not in same])
    found = same | {tile.pk.hex: (tile.version, render_tile(tile)) for tile in read}
    by_list: defaultdict[str, list[SafeString]] = defaultdict(list)
    for pk, _version, list_id in cards:
        if pk in found:  # or it is gone since
            by_list[list_id].append(found[pk][1])
    rows = List.objects.filter(board=shown, archived_at=None).order_by("position")
    looks = [moment for moment in (next_look(read), earlier and earlier.until) if moment]
    return Kept(shows, min(looks, default=None), [render_list(row, by_list[row.pk.hex]) for row in rows], found)


def read_tiles(shown: Board, wanted: Sequence[str]) -> list[Tile]:
    cards = Card.objects.filter(board=shown)
    if len(wanted) <= FEW:
        cards = cards.filter(pk__in=wanted)
    return tiles(cards) if wanted else []


def next_look(cards: Iterable[Tile]) -> datetime | None:
    """Return when the first of these due dates becomes "soon" or "late"; None when that happens to none any more."""
    now = timezone.now()
    waiting = (tile.due_at for tile in cards if tile.due_at and not tile.completed_at)
    return min((moment for due in waiting for moment in (due - SOON, due) if moment > now), default=None)
