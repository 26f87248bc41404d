"""Followers of the numbered history: `follow(name, handle)` and each change of each board is handed on, after its commit.

A change notes here that its board has news, in its own transaction and with one statement for all followers together.
A worker hands the activities on (jobs/delivery.py).
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from boards.actions.change import ON_CHANGE
from boards.models import Activity, Board
from core.sql import Statement, keys
from jobs.models import Cursor, Follower, News
from jobs.waking import Work, wake

Handle = Callable[[UUID, list[Activity]], None]
THE_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
NOTE = (
    "INSERT INTO jobs_news (board_id, version, since) VALUES (%s, %s, %s)"
    " ON CONFLICT (board_id) DO UPDATE SET version = excluded.version"
)
# The condition, as SQL with a board's key and a follower's name, that the follower has not handled all news of the board
IS_BEHIND = """EXISTS (SELECT 1 FROM jobs_news news WHERE news.board_id = %s AND NOT EXISTS (
    SELECT 1 FROM jobs_cursor handled
    WHERE handled.board_id = news.board_id AND handled.follower = %s AND handled.version >= news.version))"""


class Registration(NamedTuple):
    name: str
    handle: Handle
    whole_history: bool


FOLLOWERS: dict[str, Registration] = {}


def follow(name: str, handle: Handle, *, whole_history: bool = False) -> None:
    """Have `handle(board_id, changes)` called with the activities of every board, in the order of their versions.

    Call this in the `ready` of the app that follows. A new follower begins with what happens from then on, or with
    change 1 of every board if it asks for the `whole_history`. `name` is kept in the database: it must not change.

    `handle` runs in a worker, in one transaction with the move of the follower's cursor: what it writes to the database
    happens once, anything else at least once. When it raises, the same changes come again later, and only this follower
    waits, on this board. On SQLite that transaction holds the one write lock: work with the database, be quick, and
    enqueue a task for everything slow, above all for everything that goes over a network.
    """
    FOLLOWERS[name] = Registration(name, handle, whole_history)
    if note not in ON_CHANGE:
        ON_CHANGE.append(note)


def note(board_id: UUID, version: int) -> Statement:
    """Return the statement that notes news of the board, for the transaction of a change: under the board's lock nobody
    else writes this row.
    """
    transaction.on_commit(lambda: wake(Work.NEWS))
    return Statement(NOTE, [*keys([board_id]), version, connection.ops.adapt_datetimefield_value(timezone.now())])


def meet_followers() -> None:
    """Give each new follower its beginning."""
    now = timezone.now()
    for name, registered in FOLLOWERS.items():
        begin = THE_BEGINNING if registered.whole_history else now
        Follower.objects.get_or_create(name=name, defaults={"began_at": begin})


def meet_after_migrating(**kwargs: Any) -> None:
    """Receive `post_migrate`: a follower that is new in this version begins with it, and not with the first worker."""
    if Follower._meta.db_table in connection.introspection.table_names():  # not when migrated backwards
        meet_followers()


def note_what_followers_lack() -> None:
    """Note the boards whose last changes a follower has not handled, whether they were noted before or not: a follower
    may be new, or another version of the service may have made those changes."""
    for follower in Follower.objects.filter(name__in=FOLLOWERS):
        cursors = Cursor.objects.filter(
            follower=follower.name, board_id=OuterRef("pk"), version__gte=OuterRef("version")
        )
        boards = Board.objects.filter(~Exists(cursors), changed_at__gte=follower.began_at, version__gt=0)
        for board_id, version in boards.values_list("pk", "version").iterator():
            # One a statement: many could wait for a change of two boards that waits for them.
            News.objects.bulk_create([News(board_id=board_id, version=version)], ignore_conflicts=True)


def news_for(name: str) -> QuerySet[News]:
    handled = Cursor.objects.filter(follower=name, board_id=OuterRef("board_id"), version__gte=OuterRef("version"))
    return News.objects.filter(~Exists(handled))


def beginning_on(board_id: UUID, name: str) -> int:
    """Return the version after which a follower begins that has no cursor on this board."""
    began_at = Follower.objects.values_list("began_at", flat=True).get(name=name)
    earlier = Activity.objects.filter(board=board_id, created_at__lt=began_at).order_by("-version")
    return earlier.values_list("version", flat=True).first() or 0
