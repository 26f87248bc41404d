"""What is past its use is deleted: hourly by the worker, and by `bin/manage tidy`."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import task

from accounts.models import ApiToken
from apiv1.idempotency import KEPT_FOR
from apiv1.models import KeptAnswer
from boards.actions.allowances import DAY
from boards.models import Invitation, Use
from cliauth.models import Grant
from jobs.clock import every
from security import events
from security.models import SecurityEvent

BATCH = 1000  # rows in one statement, so that nobody waits long for the lock
KEEP_GRANTS_FOR = timedelta(hours=24)  # a code that was answered with 410 stays 410

# Name and rows, given the present moment. A table that outlives its use gets a line here.
PAST_USE: dict[str, Callable[[datetime], QuerySet]] = {
    "API tokens": lambda now: ApiToken.objects.past_use(now),
    "device grants": lambda now: Grant.objects.filter(expires_at__lt=now - KEEP_GRANTS_FOR),
    "invitations": lambda now: Invitation.objects.filter(expires_at__lt=now),
    "kept answers": lambda now: KeptAnswer.objects.filter(created_at__lt=now - KEPT_FOR),
    "security log": lambda now: SecurityEvent.objects.filter(at__lt=now - events.KEEP_FOR),
    "sessions": lambda now: Session.objects.filter(expire_date__lt=now),
    "counted uses": lambda now: Use.objects.filter(at__lt=now - DAY),
}


@every(timedelta(hours=1), "tidying")
@task(tries=1)
def tidy_hourly() -> dict[str, int]:
    return tidy()


def tidy() -> dict[str, int]:
    """How many rows of each were deleted."""
    now = timezone.now()
    return {name: delete_in_batches(rows(now)) for name, rows in PAST_USE.items()}


def delete_in_batches(rows: QuerySet) -> int:
    deleted = 0
    while batch := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        deleted += rows.filter(pk__in=batch).delete()[0]
    return deleted
