"""Delete expired data: hourly by the worker, and by `bin/manage tidy`."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django_tasks import task

from accounts.models import ApiToken, TrustedBrowser
from accounts.pictures import PEOPLE
from accounts.sign_in.factors.codes import SECRETS, reencrypt
from apiv1.idempotency import KEPT_FOR
from apiv1.models import KeptAnswer
from boards.actions.allowances import DAY
from boards.actions.boards.background import BACKGROUNDS
from boards.actions.files.sweep import sweep
from boards.models import Invitation, InvitationLink, InvitationMail, Renumbering, Use
from boards.models.renumbering import CURSORS_LAST
from cliauth.models import Grant
from exporter import kept as exports
from jobs.clock import every
from security import events
from security.cipher import Unreadable
from security.models import BrowserSession, SecurityEvent

log = logging.getLogger(__name__)
BATCH = 1000  # rows in one statement, so that nobody waits long for the lock
KEEP_GRANTS_FOR = timedelta(hours=24)  # a code that was answered with 410 stays 410

# Name and rows, given the present moment. A table that outlives its use gets a line here.
PAST_USE: dict[str, Callable[[datetime], QuerySet]] = {
    "API tokens": lambda now: ApiToken.objects.past_use(now),
    "device grants": lambda now: Grant.objects.filter(expires_at__lt=now - KEEP_GRANTS_FOR),
    "invitations": lambda now: Invitation.objects.filter(expires_at__lt=now),
    "invitation links": lambda now: InvitationLink.objects.filter(expires_at__lt=now),
    "invitation mails": lambda now: InvitationMail.objects.filter(day__lt=(now - DAY).date()),
    "kept answers": lambda now: KeptAnswer.objects.filter(created_at__lt=now - KEPT_FOR),
    "security log": lambda now: SecurityEvent.objects.filter(at__lt=now - events.KEEP_FOR),
    "sessions": lambda now: Session.objects.filter(expire_date__lt=now),
    "rows of sessions that are gone": lambda now: BrowserSession.objects.filter(
        ~Exists(Session.objects.filter(pk=OuterRef("session_id")))
    ),
    "remembered browsers": lambda now: TrustedBrowser.objects.filter(expires_at__lt=now),
    "old positions": lambda now: Renumbering.objects.filter(created_at__lt=now - CURSORS_LAST),
    "counted uses": lambda now: Use.objects.filter(at__lt=now - DAY),
}


@every(timedelta(hours=1), "tidying")
@task(tries=1)
def tidy_hourly() -> dict[str, int]:
    return tidy()


def tidy() -> dict[str, int]:
    """Return how many rows, and files, of each were deleted."""
    now = timezone.now()
    reencrypt_all()
    deleted = {name: delete_in_batches(rows(now)) for name, rows in PAST_USE.items()}
    return {
        **deleted,
        "pictures": PEOPLE.delete_unused(now) + BACKGROUNDS.delete_unused(now),
        "exports": exports.delete_past_use(now),
        **_files(now),
    }


def _files(now: datetime) -> dict[str, int]:
    found = sweep(now)
    if missing := found["rows without file"]:
        log.warning("%s files of cards are not in the storage. Put them back from a backup.", missing)
    return {"attached files": found["files used by nothing"] + found["files without row"]}


def reencrypt_all() -> int:
    """Encrypt with the newest secret key what a former one encrypted. Return how many rows: there are none without one."""
    if not settings.SECRET_KEY_FALLBACKS:
        return 0
    changed = 0
    for pk in list(Authenticator.objects.filter(type__in=SECRETS).values_list("pk", flat=True)):
        with transaction.atomic():  # a row at a time, so that nobody waits long for the lock
            found = Authenticator.objects.select_for_update().filter(pk=pk).first()
            if found is not None and is_reencrypted(found):
                found.save(update_fields=["data"])
                changed += 1
    return changed


def is_reencrypted(found: Authenticator) -> bool:
    try:
        return reencrypt(found)
    except Unreadable:
        log.warning("A factor of account %s cannot be decrypted: is a former secret key missing?", found.user_id)
        return False


def delete_in_batches(rows: QuerySet) -> int:
    deleted = 0
    while batch := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        deleted += rows.filter(pk__in=batch).delete()[0]
    return deleted
