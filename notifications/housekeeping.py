"""Daily and hourly work: delete old rows, and tell of tokens that expire soon."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django_tasks import task

from accounts.models import ApiToken
from boards.models import Board, Card, List
from jobs.clock import every
from notifications.events.bursts import LENGTH
from notifications.events.telling import tell
from notifications.kinds import Kind
from notifications.models import Burst, Follow, Level, Notification, PushBrowser, PushTurn, ReminderClock
from security.models import BrowserSession

KEPT_FOR = timedelta(days=90)
KEPT_AFTER_PUSH = timedelta(days=1)
AT_ONCE = 1000  # rows in one statement, so that on SQLite nobody waits long for the write lock
BEFORE_EXPIRY = (timedelta(days=7), timedelta(days=1))
CLOCK = "tokens"


@every(timedelta(hours=6), "notifications")
@task(tries=1)
def tidy_notifications() -> None:
    now = timezone.now()
    _delete(Notification.objects.filter(told_at__lt=now - KEPT_FOR))
    _delete(Notification.objects.filter(~_is_there(Board, "board_id"), board_id__isnull=False))
    _delete(Follow.objects.filter(~_is_there(Board, "board_id")))
    for level, model in ((Level.CARD, Card), (Level.LIST, List)):
        _delete(Follow.objects.filter(~_is_there(model, "subject_id"), level=level))
    _delete(PushBrowser.objects.filter(~_is_there(BrowserSession, "session_id")))
    _delete(PushTurn.objects.filter(~_is_there(PushBrowser, "browser_id")))
    _delete(PushTurn.objects.filter(due_at=None, sent_at__lt=now - KEPT_AFTER_PUSH))
    _delete(Burst.objects.filter(began_at__lt=now - 100 * LENGTH))


def _is_there(model: type, name: str) -> Exists:
    return Exists(model.objects.filter(pk=OuterRef(name)))  # type: ignore[attr-defined]


def _delete(rows: "Notification.objects.all") -> None:  # type: ignore[valid-type,name-defined]
    while piece := list(rows.order_by().values_list("pk", flat=True)[:AT_ONCE]):
        rows.model._default_manager.filter(pk__in=piece).delete()


@every(timedelta(hours=1), "expiring tokens")
@task(tries=3)
@transaction.atomic
def tell_of_expiring_tokens() -> None:
    """Tell a week and a day before a token expires that lives longer. Each of them is told once, whenever this runs."""
    now = timezone.now()
    clock, _new = ReminderClock.objects.get_or_create(name=CLOCK, defaults={"at": now - timedelta(hours=1)})
    which = Q(pk=None)
    for before in BEFORE_EXPIRY:
        lives_longer = Q(expires_at__gt=F("created_at") + before)
        which |= Q(lives_longer, expires_at__gt=clock.at + before, expires_at__lte=now + before)
    for token in ApiToken.objects.live().filter(which):
        _tell_of(token, now)
    ReminderClock.objects.filter(name=CLOCK).update(at=now)


def _tell_of(token: ApiToken, now: datetime) -> None:
    if token.expires_at is None:
        return
    days = next(before for before in sorted(BEFORE_EXPIRY) if token.expires_at <= now + before).days
    words = {"name": token.name, "expires": token.expires_at.isoformat()}
    tell(token.user_id, Kind.TOKEN, f"{token.pk}:{days}", words, subject_id=token.pk)
