"""The stream of a card: its comments and, between them, its changes, newest first.

The changes that one person made within one minute are one entry, named so that a later answer finds it again.
"""

import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from boards.models import Activity, Card, Verb
from boards.reading import open_card
from web.cards.comment_pages import CommentPage, position_of
from web.history import Entry, html_lines

FIRST, FURTHER = 10, 50  # changes: of an opened card, of a further page
SHOWN_BY_THE_COMMENT = (Verb.COMMENT_CREATED, Verb.COMMENT_CHANGED)


class Changes(Entry):
    """The changes of one person through one door within one minute."""

    @property
    def name(self) -> str:
        minute, *who = _key(self.newest.activity)
        return f"changes-{minute:x}-{zlib.crc32(repr(who).encode()):x}"

    @property
    def created_at(self) -> datetime:
        """The time of the first of the changes: the entry keeps its place when another one joins."""
        return self.lines[-1].activity.created_at

    @property
    def position(self) -> str:
        return position_of(self)


def read_changes(card: Card, comments: CommentPage) -> tuple[list[Changes], int | None]:
    """Return the changes made while the comments of this page were written, and the number from which older ones follow.

    The newest page has few of them; most readers look at no other.
    """
    since = comments.comments[0].created_at if comments.earlier else None
    return _page(card, FIRST if comments.is_latest else FURTHER, since=since, before=comments.before)


def read_older_changes(card: Card, up_to: int) -> tuple[list[Changes], int | None]:
    """Return the changes up to this number of the board's, and the number from which older ones follow."""
    changes, older = _page(card, FURTHER, up_to=up_to)
    if older != up_to or not changes:
        return changes, older
    # More in one minute than a page has: the activity page has the rest of it. On with what was before.
    begin = datetime.fromtimestamp(_minute(changes[0].newest.activity) * 60, UTC)
    before = open_card.read_changes(card, 1, without=SHOWN_BY_THE_COMMENT, before=begin)
    return changes, before[0].version if before else None


def _page(card: Card, most: int, **bounds: Any) -> tuple[list[Changes], int | None]:
    rows = open_card.read_changes(card, most + 1, without=SHOWN_BY_THE_COMMENT, **bounds)
    return grouped(rows[:most]), _begin_of_next(rows, most)


def _begin_of_next(rows: list[Activity], most: int) -> int | None:
    """Return the number of the newest change of the next page: it begins with a whole minute, as entries are whole."""
    if len(rows) <= most:
        return None
    minute = _minute(rows[most])
    return next(row.version for row in rows if _minute(row) == minute)


def grouped(activities: Iterable[Activity], *, since: int = -1) -> list[Changes]:
    """Return the entries for these changes. With `since`, only those that a later change is in."""
    by_key: dict[tuple[object, ...], list[Activity]] = {}
    for activity in activities:
        if activity.verb not in SHOWN_BY_THE_COMMENT:
            by_key.setdefault(_key(activity), []).append(activity)
    return [Changes(html_lines(group)) for group in by_key.values() if group[0].version > since]


def _key(activity: Activity) -> tuple[int, str, str, str]:
    return _minute(activity), str(activity.user_id), activity.door, str(activity.token_id)


def _minute(activity: Activity) -> int:
    return int(activity.created_at.timestamp()) // 60
