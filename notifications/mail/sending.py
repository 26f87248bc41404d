"""Send notifications by mail: at once, in a bundle of ten minutes, or daily at the user's hour. A row waits while
`Notification.to_mail` is set. The transaction that enqueues the mail clears it, so a killed worker neither forgets a
row nor mails one twice.
"""

import logging
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.db import OperationalError, transaction
from django.db.models import F, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django_tasks import task

from accounts.mails import parts_of, send, sending_task
from accounts.models import User
from accounts.time_zones import zone_named
from boards.reader import Reader
from core.sql import LOCK_NOT_AVAILABLE, sqlstate_of
from jobs.clock import every
from notifications.inbox.entries import within_reach
from notifications.kinds import Kind, Mail
from notifications.mail.text import message
from notifications.models import Habits, Notification
from notifications.ways import habits_of, mail_of, takes_mails, ways_of

BUNDLE = timedelta(minutes=10)
GATHERING = timedelta(minutes=2)  # after the hour, so that reminders of 9:00 are in the mail of 9:00
LATEST = timedelta(days=3)  # older rows, as after an outage or without a mail server, are not mailed
A_TURN = 100  # people, so that other tasks come in between
DEFAULT_HOUR = Habits().mail_hour

log = logging.getLogger(__name__)


def is_anything_due() -> bool:
    """Tell whether the next turn has something to do. It reads alone."""
    return bool(due_people(timezone.now(), 1))


@every(timedelta(minutes=1), "mails", only_if=is_anything_due)
@task(tries=1, keep=timedelta(0))
def mail_what_is_due() -> None:
    people = due_people(timezone.now(), A_TURN)
    done = [mail_person(user_id) for user_id in people]
    if len(people) == A_TURN and any(done):
        mail_what_is_due.enqueue()


def due_people(now: datetime, most: int) -> set[UUID]:
    """Return people for whom something is to be mailed now. Two statements, and one for each zone and hour that has come."""
    bundles = Notification.objects.filter(to_mail=Mail.NOW, to_mail_since__lte=now - BUNDLE)
    found = set(_people(bundles, most))
    daily = Notification.objects.filter(to_mail=Mail.DAILY).annotate(
        hour=Coalesce(Subquery(Habits.objects.filter(user=OuterRef("user")).values("mail_hour")), DEFAULT_HOUR)
    )
    for zone, hour, first in daily.order_by().values_list("user__time_zone", "hour").annotate(Min("to_mail_since")):
        last = last_time(hour, zone_named(zone), now)
        if first < last and len(found) < most:
            found.update(_people(daily.filter(user__time_zone=zone, hour=hour, to_mail_since__lt=last), most))
    return found


def _people(rows: QuerySet[Notification], most: int) -> Iterable[UUID]:
    return rows.order_by().values_list("user_id", flat=True).distinct()[:most]


def last_time(hour: int, zone: ZoneInfo, now: datetime) -> datetime:
    """Return until when the last daily mail gathered. This comes once on each day: at the hour's first time where clocks
    are set back; where they are set forward, an hour that does not exist comes with the next one."""
    today = now.astimezone(zone).date()
    moment = _moment(today, hour, zone)
    return moment if moment <= now else _moment(today - timedelta(days=1), hour, zone)


def _moment(day: date, hour: int, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(ZoneInfo("UTC")) + GATHERING


def mail_person(user_id: UUID) -> bool:
    """Mail this person's due notifications; return False if that has to wait. An error holds up nobody else."""
    try:
        with transaction.atomic():
            _mail(user_id)
    except OperationalError as error:
        if sqlstate_of(error) != LOCK_NOT_AVAILABLE:
            raise
        return False  # another worker is at it, or a change is being told: the next turn
    except Exception:
        log.exception("the notifications of account %s cannot be mailed, and wait for the next bundle", user_id)
        Notification.objects.filter(user=user_id).exclude(to_mail="").update(to_mail_since=timezone.now())
    return True


def _mail(user_id: UUID) -> None:
    """Mail one user. Locks are taken with NOWAIT, so workers never wait for each other."""
    user = get_user_model().objects.select_for_update(nowait=True, no_key=True).filter(pk=user_id).first()
    if user is None:
        return
    habits, now = habits_of(user), timezone.now()
    waiting = Notification.objects.filter(user=user).exclude(to_mail="").select_for_update(nowait=True)
    due = _due(list(waiting), last_time(habits.mail_hour, user.zone, now), now)
    if not due:
        return
    wanted = _wanted(user, habits, due, now)
    _rows(due).update(to_mail="", to_mail_since=None, mailed_count=F("count"))
    if wanted:
        _rows(wanted).update(mailed_at=now)
        rows = {str(row.pk): [row.version, row.count, row.mailed_count] for row in wanted}
        send_bundle.enqueue(user_id=str(user_id), rows=rows)


@sending_task
def send_bundle(*, user_id: str, rows: dict[str, list[int]]) -> None:
    """Send the mail about these rows, each with its version and counts of the moment when it was taken.

    It is written at each try, which can come hours later: what the user may not see or does not want by then is left out.
    """
    user = get_user_model().objects.filter(pk=user_id).first()
    if user is None:
        return
    found = list(Notification.objects.filter(user=user, pk__in=rows))
    wanted = _wanted(user, habits_of(user), found, timezone.now())
    for row in wanted:
        row.version, row.count, row.mailed_count = rows[str(row.pk)]
    mail = message(user, wanted) if wanted else None
    if mail:
        send.call(**parts_of(mail))


def _rows(rows: list[Notification]) -> QuerySet[Notification]:
    return Notification.objects.filter(pk__in=[row.pk for row in rows])


def _due(waiting: list[Notification], daily: datetime, now: datetime) -> list[Notification]:
    """Return the rows to mail now: all of a pace, if one of them has waited long enough."""
    is_due = {
        Mail.NOW: any(_since(row) <= now - BUNDLE for row in waiting if row.to_mail == Mail.NOW),
        Mail.DAILY: any(_since(row) < daily for row in waiting if row.to_mail == Mail.DAILY),
    }
    return [row for row in waiting if is_due[Mail(row.to_mail)]]


def _since(row: Notification) -> datetime:
    return row.to_mail_since or row.told_at


def _wanted(user: User, habits: Habits, due: list[Notification], now: datetime) -> list[Notification]:
    """Return what goes into the mail, the latest first: still wanted, not seen in the app meanwhile, not out of reach."""
    if not takes_mails(user, habits):
        return []
    ways = ways_of(user)
    kept = {
        row.pk: row
        for row in due
        if _since(row) > now - LATEST and mail_of(ways.get(Kind(row.kind)), Kind(row.kind)) != Mail.OFF
    }
    visible = within_reach(Reader(user)).filter(pk__in=kept, read_at=None, later_until=None)
    return list(visible.order_by("-told_at", "-pk"))
