"""Handing the history to its followers: one transaction for each batch, in which the cursor is locked, the follower
called and the cursor moved. A crash at any moment leaves either all of that or nothing."""

import logging
import random
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from jobs.backoff import back_off
from jobs.followers import FOLLOWERS, Registration, beginning_on, news_for
from jobs.models import Cursor, News

CHANGES_AT_ONCE = 200
BOARDS_AT_ONCE = 50
FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(hours=1)
KEPT_OF_AN_ERROR = 2000  # characters

log = logging.getLogger(__name__)


def serve_followers(keep_going: Callable[[], bool] = lambda: True) -> bool:
    """Hand on a batch of the news of each of some boards; return whether there were any. Asks `keep_going` before each
    batch.
    """
    if not FOLLOWERS or not News.objects.exists():
        return False
    handled = 0
    for follower in FOLLOWERS.values():
        for board_id, version in _boards_for(follower):
            if keep_going():
                handled += deliver(follower, board_id, version)
    return _forget_old_news() + handled > 0


def _boards_for(follower: Registration) -> list[tuple[UUID, int]]:
    """Boards with news for this follower, each with the version up to which there is something to read. They come in any
    order, because other workers read the same ones."""
    waiting = Cursor.objects.filter(
        follower=follower.name, board_id=OuterRef("board_id"), next_try_at__gt=timezone.now()
    )
    news = news_for(follower.name).filter(~Exists(waiting)).order_by("since")
    found = list(news.values_list("board_id", "version")[:BOARDS_AT_ONCE])
    random.shuffle(found)
    return found


def deliver(follower: Registration, board_id: UUID, version: int) -> int:
    """Hand on the next batch of changes of a board that is at `version`; return how many were handled."""
    try:
        with transaction.atomic():
            return _hand_over(follower, board_id, version)
    except Exception as error:  # whatever a follower raises holds up this board alone
        _note_failure(follower, board_id, version, error)
        return 0


def _hand_over(follower: Registration, board_id: UUID, version: int) -> int:
    cursor = _lock(follower, board_id)
    if cursor is None or cursor.version >= version or cursor.waits():  # another worker is at it, or was
        return 0
    changes = list(cursor.changes()[:CHANGES_AT_ONCE])
    if changes:
        follower.handle(board_id, changes)
    last = changes[-1].version if changes else version  # of a board that was deleted nothing is left to read
    Cursor.objects.filter(pk=cursor.pk).update(version=last, attempts=0, next_try_at=None, error="")
    if cursor.attempts:
        log.warning("%s goes on with board %s", follower.name, board_id)
    return len(changes)


def _lock(follower: Registration, board_id: UUID) -> Cursor | None:
    """Return the cursor, locked until the transaction ends; None while another worker holds it."""
    rows = Cursor.objects.filter(follower=follower.name, board_id=board_id)
    free = rows.select_for_update(skip_locked=True)
    found = free.first()
    if found is None and not rows.exists():
        Cursor.objects.bulk_create([_new_cursor(follower, board_id)], ignore_conflicts=True)
        found = free.first()
    return found


def _new_cursor(follower: Registration, board_id: UUID) -> Cursor:
    return Cursor(follower=follower.name, board_id=board_id, version=beginning_on(board_id, follower.name))


def _note_failure(follower: Registration, board_id: UUID, version: int, error: Exception) -> None:
    """Log the first of several failures in a row. Nothing is noted where another worker has been successful meanwhile."""
    Cursor.objects.bulk_create([_new_cursor(follower, board_id)], ignore_conflicts=True)
    cursor = Cursor.objects.filter(follower=follower.name, board_id=board_id, version__lt=version).first()
    if cursor is None:
        return
    if not cursor.attempts:
        log.error("%s failed on board %s and is tried again", follower.name, board_id, exc_info=error)
    pause = back_off(cursor.attempts + 1, first=FIRST_PAUSE, factor=2, most=LONGEST_PAUSE)
    Cursor.objects.filter(pk=cursor.pk, version=cursor.version).update(
        attempts=cursor.attempts + 1,
        next_try_at=timezone.now() + pause,
        error=f"{type(error).__name__}: {error}".replace("\0", "")[:KEPT_OF_AN_ERROR],
    )


def _forget_old_news() -> int:
    """Drop the news that all followers have handled; return how many. A row that a change holds or has moved on stays."""
    news = News.objects.all()
    for name in FOLLOWERS:
        cursors = Cursor.objects.filter(follower=name, board_id=OuterRef("board_id"))
        news = news.filter(Exists(cursors.filter(version__gte=OuterRef("version"))))
    handled = dict(news.values_list("board_id", "version")[:BOARDS_AT_ONCE])
    if not handled:
        return 0
    with transaction.atomic():
        held = News.objects.select_for_update(skip_locked=True).filter(pk__in=handled)
        old = [row.pk for row in held if row.version == handled[row.pk]]
        return News.objects.filter(pk__in=old).delete()[0]
