"""The stream of a card: its comments and, between them, its changes, newest first.

The changes that one person made within one minute are one entry, named so that a later answer finds it again.
"""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from boards.models import Activity, Card, Verb
from web.cards.comment_pages import CommentPage, position_of
from web.history import HtmlLine, html_lines

CHANGES = 50  # of a page of comments
SHOWN_BY_THE_COMMENT = (Verb.COMMENT_CREATED, Verb.COMMENT_CHANGED)


@dataclass
class Changes:
    """The changes of one person through one door within one minute, newest first."""

    lines: list[HtmlLine]

    @property
    def newest(self) -> HtmlLine:
        return self.lines[0]

    @property
    def further(self) -> list[HtmlLine]:
        return self.lines[1:]

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


def read_changes(card: Card, comments: CommentPage) -> tuple[list[Changes], bool]:
    """Return the changes made while the comments of this page were written, and whether there were more of them."""
    found = Activity.objects.filter(board=card.board_id, card_id=card.pk).exclude(verb__in=SHOWN_BY_THE_COMMENT)
    if comments.before:
        found = found.filter(created_at__lt=comments.before)
    if comments.earlier:
        found = found.filter(created_at__gte=comments.comments[0].created_at)
    rows = list(found.select_related("user")[: CHANGES + 1])
    return grouped(rows[:CHANGES]), len(rows) > CHANGES


def grouped(activities: Iterable[Activity], *, since: int = -1) -> list[Changes]:
    """Return the entries for these changes. With `since`, only those that a later change is in."""
    by_key: dict[tuple[object, ...], list[Activity]] = {}
    for activity in activities:
        if activity.verb not in SHOWN_BY_THE_COMMENT:
            by_key.setdefault(_key(activity), []).append(activity)
    return [Changes(html_lines(group)) for group in by_key.values() if group[0].version > since]


def _key(activity: Activity) -> tuple[int, str, str, str]:
    minute = int(activity.created_at.timestamp()) // 60
    return minute, str(activity.user_id), activity.door, str(activity.token_id)
