"""The lists of a board with their tiles, as HTML. It is kept in memory: most readers find a board as the last one left it.

A fragment is the same for all readers of one language (web/fragments.py). What it shows comes from the board at its
version, from the names of its members, and from the clock, which makes a due date "soon" and "late".
"""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from boards.models import Board, Card, List, Membership
from boards.reading.tiles import Tile, tiles
from web.fragments import SOON, render_list

MOST = 16_000_000  # characters that are kept, of all boards together


class Kept(NamedTuple):
    shows: tuple[Any, ...]  # what the HTML was made of
    until: datetime | None  # when a due date changes its look
    html: list[SafeString]

    @property
    def size(self) -> int:
        return sum(map(len, self.html))


class Shelf:
    """Keeps what was rendered last of each board in each language. What was not used for longest goes first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[UUID, str | None], Kept] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: tuple[UUID, str | None], shows: tuple[Any, ...]) -> list[SafeString] | None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept.shows != shows or (kept.until and kept.until <= timezone.now()):
                return None
            self._kept.move_to_end(key)
            return kept.html

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
    shows = (shown.version, last_change, names)
    html = shelf.get(key, shows)
    if html is None:
        cards = tiles(Card.objects.filter(board=shown))
        until = next_look(cards)
        html = render_lists(shown, cards)
        shelf.put(key, Kept(shows, until, html))
    return html


def render_lists(shown: Board, cards: Iterable[Tile]) -> list[SafeString]:
    by_list: defaultdict[UUID, list[Tile]] = defaultdict(list)
    for tile in cards:
        by_list[tile.list_id].append(tile)
    rows = List.objects.filter(board=shown, archived_at=None).order_by("position")
    return [render_list(row, by_list[row.pk]) for row in rows]


def next_look(cards: Iterable[Tile]) -> datetime | None:
    """Return when the first of these due dates becomes "soon" or "late"; None when that happens to none any more."""
    now = timezone.now()
    waiting = (tile.due_at for tile in cards if tile.due_at and not tile.completed_at)
    return min((moment for due in waiting for moment in (due - SOON, due) if moment > now), default=None)
