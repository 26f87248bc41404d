"""The inbox: the notifications that a reader may still see, and the actions on them."""

from contextlib import suppress
from datetime import datetime, time, timedelta
from uuid import UUID

from django.db import OperationalError, models, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import ApiToken, User
from boards.access import not_found
from boards.models import Card, Invitation, Membership
from boards.reader import Reader
from core.limits.not_waiting import not_waiting
from core.text.dates import next_week
from notifications.inbox.ringing import ring
from notifications.kinds import Kind
from notifications.models import Notification

MOST_COUNTED = 100  # unread ones; more are shown as 99+
MORNING = time(8)  # when what was put off comes back


class Later(models.TextChoices):
    TOMORROW = "tomorrow"
    NEXT_WEEK = "next-week"


def visible(reader: Reader) -> QuerySet[Notification]:
    """Return what this reader was told in the app, of boards that they may see now, pending invitations to them, and tokens
    that they have not revoked.

    Left out are reminders of cards that are gone from their board: nothing can be said of them any more.
    """
    is_there = Exists(Card.objects.filter(pk=OuterRef("card_id"), board=OuterRef("board_id")))
    return within_reach(reader).filter(~Q(kind=Kind.DUE) | is_there, in_app=True)


def within_reach(reader: Reader) -> QuerySet[Notification]:
    """Return the same and what they are told in other ways alone."""
    member = Exists(Membership.objects.filter(reader.membership(), board=OuterRef("board_id")))
    invited = Exists(Invitation.objects.to(reader.user).filter(pk=OuterRef("subject_id")))
    mine = Notification.objects.filter(Q(board_id=None) | member, user=reader.user)
    revoked = Exists(ApiToken.objects.filter(pk=OuterRef("subject_id"), revoked_at__isnull=False))
    return mine.filter(~Q(kind=Kind.INVITED) | invited, ~Q(kind=Kind.TOKEN) | ~revoked)


def unread(reader: Reader) -> QuerySet[Notification]:
    return visible(reader).filter(read_at=None, later_until=None)


def unread_count(reader: Reader) -> int:
    """Return how many there are, and MOST_COUNTED if there are more."""
    return unread(reader).order_by()[:MOST_COUNTED].count()


def one(reader: Reader, pk: UUID) -> Notification:
    """Return one notification. Raise NotFound for one of another person, or of a board that the reader may not see."""
    found = within_reach(reader).filter(pk=pk).first()
    if found is None:
        raise not_found()
    return found


def mark(reader: Reader, pk: UUID, *, read: bool) -> None:
    """Mark as read or as unread. An unread one is put off no more.

    What stands in one row is read together, and comes back together from where it was put off.
    """
    found = one(reader, pk)
    if read:
        changed = _row_of(reader, found).filter(read_at=None).update(read_at=timezone.now(), later_until=None)
    elif found.later_until:
        changed = _row_of(reader, found).update(later_until=None)
    else:
        changed = within_reach(reader).filter(pk=pk).exclude(read_at=None).update(read_at=None)
    if changed:
        ring([reader.user.pk])


def _row_of(reader: Reader, found: Notification) -> QuerySet[Notification]:
    """Return this notification and the unread ones that stand in its row: those about its card that are put off, or not."""
    rows, this = within_reach(reader), Q(pk=found.pk)
    if found.card_id is None:
        return rows.filter(this)
    is_later = found.later_until is not None
    return rows.filter(this | Q(card_id=found.card_id, in_app=True, read_at=None, later_until__isnull=not is_later))


def mark_card_read(reader: Reader, card_id: UUID) -> None:
    """Mark a card's unread notifications as read. Those that the reader put off come back all the same.

    One statement, and two more where something is unread.
    """
    rows = unread(reader).filter(card_id=card_id)
    if not rows.exists():
        return
    with transaction.atomic():
        rows.update(read_at=timezone.now())
        ring([reader.user.pk])


def note_opened(reader: Reader, card_id: UUID) -> None:
    """Mark them as read for a reader who has opened the card. Nobody waits to write that: the next time notes it."""
    with suppress(OperationalError), not_waiting():
        mark_card_read(reader, card_id)


def put_off(reader: Reader, pk: UUID, until: Later) -> datetime:
    """Put off what stands in one row with this notification: it comes back unread at the returned time, which is in the
    morning in the reader's time zone.
    """
    moment = morning(reader.user, until)
    _row_of(reader, one(reader, pk)).update(read_at=None, later_until=moment)
    ring([reader.user.pk])
    return moment


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
