"""The inbox: the notifications that a reader may still see, in piles, and the actions on them."""

from contextlib import suppress
from datetime import datetime, time, timedelta
from uuid import UUID

from django.db import OperationalError, models, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from accounts.models import User
from boards.access import not_found
from boards.models import Board, Invitation, Membership
from boards.reader import Reader
from core.ids import parse_id
from core.limits.not_waiting import not_waiting
from core.text.dates import next_week
from notifications.inbox.ringing import ring
from notifications.kinds import Kind
from notifications.models import Notification

A_PAGE = 30
MOST_COUNTED = 100  # unread ones; more are shown as 99+
MORNING = time(8)  # when what was put off comes back


class Pile(models.TextChoices):
    UNREAD = "unread"
    LATER = "later"
    ALL = "all"


class Later(models.TextChoices):
    TOMORROW = "tomorrow"
    NEXT_WEEK = "next-week"


def visible(reader: Reader) -> QuerySet[Notification]:
    """Return what this reader was told in the app, of boards that they may see now, and pending invitations to them."""
    return within_reach(reader).filter(in_app=True)


def within_reach(reader: Reader) -> QuerySet[Notification]:
    """Return the same and what they are told in other ways alone."""
    member = Exists(Membership.objects.filter(reader.membership(), board=OuterRef("board_id")))
    invited = Exists(Invitation.objects.to(reader.user).filter(pk=OuterRef("subject_id")))
    mine = Notification.objects.filter(Q(board_id=None) | member, user=reader.user)
    return mine.filter(~Q(kind=Kind.INVITED) | invited)


def unread(reader: Reader) -> QuerySet[Notification]:
    return visible(reader).filter(read_at=None, later_until=None)


def unread_count(reader: Reader) -> int:
    """Return how many there are, and MOST_COUNTED if there are more."""
    return unread(reader).order_by()[:MOST_COUNTED].count()


def pile_of(reader: Reader, pile: Pile, board_id: UUID | None = None, before: str = "") -> list[Notification]:
    """Return a page of a pile and one more row if there is another page, the latest first.

    `before` is the `place_of` the last row of the page before; anything else is ignored.
    """
    rows = {Pile.UNREAD: unread, Pile.ALL: visible, Pile.LATER: _put_off}[pile](reader)
    if board_id is not None:
        rows = rows.filter(board_id=board_id)
    told_at, _dash, pk = before.partition("_")
    if (last := parse_id(pk)) and (moment := _moment(told_at)):
        rows = rows.filter(Q(told_at__lt=moment) | Q(told_at=moment, pk__lt=last))
    return list(rows.order_by("-told_at", "-pk")[: A_PAGE + 1])


def _put_off(reader: Reader) -> QuerySet[Notification]:
    return visible(reader).exclude(later_until=None)


def place_of(row: Notification) -> str:
    return f"{row.told_at.isoformat()}_{row.pk}"


def _moment(text: str) -> datetime | None:
    try:
        found = parse_datetime(text.replace(" ", "+"))
    except ValueError:
        return None
    return found if found and timezone.is_aware(found) else None


def boards_in(reader: Reader) -> list[Board]:
    """Return the boards that the reader was told of, by title."""
    named = visible(reader).order_by().values("board_id")
    return list(Board.objects.filter(pk__in=named).order_by("title", "pk"))


def one(reader: Reader, pk: UUID) -> Notification:
    """Return one notification. Raise NotFound for one of another person, or of a board that the reader may not see."""
    found = within_reach(reader).filter(pk=pk).first()
    if found is None:
        raise not_found()
    return found


def mark(reader: Reader, pk: UUID, *, read: bool) -> Notification:
    """Mark as read or as unread. An unread one is put off no more."""
    found = one(reader, pk)
    if (found.read_at is not None) != read or found.later_until is not None:
        found.read_at, found.later_until = (timezone.now() if read else None), None
        found.save(update_fields=["read_at", "later_until"])
        ring([reader.user.pk])
    return found


def mark_card_read(reader: Reader, card_id: UUID) -> None:
    """Mark a card's unread notifications as read, for a reader who has opened it. Those that they put off come back all
    the same.

    One statement, and two more where something is unread. Nobody waits to write that: the next time notes it.
    """
    rows = unread(reader).filter(card_id=card_id)
    if not rows.exists():
        return
    with suppress(OperationalError), not_waiting(), transaction.atomic():
        rows.update(read_at=timezone.now())
        ring([reader.user.pk])


def put_off(reader: Reader, pk: UUID, until: Later) -> Notification:
    """Put one off: it comes back unread in the morning, in the reader's time zone."""
    found = one(reader, pk)
    found.read_at, found.later_until = None, morning(reader.user, until)
    found.save(update_fields=["read_at", "later_until"])
    ring([reader.user.pk])
    return found


def morning(user: User, until: Later) -> datetime:
    today = timezone.now().astimezone(user.zone).date()
    day = today + timedelta(days=1) if until == Later.TOMORROW else next_week(today, user.first_weekday)
    return datetime.combine(day, MORNING, user.zone)


def mark_all_read(reader: Reader, board_id: UUID | None, upto: datetime) -> tuple[int, datetime]:
    """Mark the unread notifications of one board or of all as read; return how many, and the moment by which that is
    taken back. Notifications after `upto`, when the page was drawn, stay unread.
    """
    rows = unread(reader).filter(told_at__lte=upto)
    if board_id is not None:
        rows = rows.filter(board_id=board_id)
    moment = timezone.now()
    number = rows.update(read_at=moment)
    ring([reader.user.pk])
    return number, moment


def mark_unread_again(reader: Reader, moment: datetime) -> None:
    """Take back the `mark_all_read` that returned this moment."""
    visible(reader).filter(read_at=moment).update(read_at=None)
    ring([reader.user.pk])
