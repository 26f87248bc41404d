"""Delete an account: its boards are deleted or left, its rows go, its name becomes *Former member* where it stays.

All that lets somebody in, and all that others see of the person beside their name, goes in one transaction. A task then takes the name out
of the texts that copied it; it holds only the id, and can be run again.
"""

import re
from collections.abc import Collection
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

from account_deletion.rules import delete_rows_of
from accounts.locks import lock_account
from accounts.models import Density, Theme, User
from accounts.models.plan import default_plan
from accounts.notices import tell
from accounts.pictures import forget_picture
from accounts.plans import lock_default_plan
from accounts.sign_in.sessions.browser_sessions import end_all
from boards.actions.people.departure import give_up_boards, leave_remaining_boards
from boards.actions.people.former_members import forget_name
from boards.errors import NotAllowed
from core.text.names import former_email
from exporter.kept import delete_exports_of
from notifications.forgetting import forget_person
from security.events import log_event
from security.models import EventKind


def delete_account(
    user: User, *, deleting: Collection[UUID], request: HttpRequest | None, by: User | None = None
) -> None:
    """Delete the account as `user` was read. `deleting` are the boards that go though others are their members.

    `by` is the operator who does it in place of the person. Raises NotAllowed, in words, for the last operator and while
    a board with other members is undecided, and AccountChanged when the account is no longer as it was read.
    """
    with transaction.atomic():
        _lock_operators()
        account = lock_account(user)
        if is_last_operator(account):
            raise last_operator()
        given = give_up_boards(account, deleting=deleting)
        tell(account, "account_deleted", request if by is None else None)
        _empty(account)
        log_event(EventKind.DELETED, request, user=account, by=by, boards_deleted=given.deleted, boards_left=given.left)
        finish.enqueue(str(account.pk))


def is_last_operator(user: User) -> bool:
    """Tell whether nobody could run the service without this account."""
    if not user.is_active or not user.is_staff:
        return False
    others = User.objects.filter(is_active=True, is_staff=True).exclude(pk=user.pk)
    return not others.filter(Q(is_superuser=True) | Q(is_superuser=user.is_superuser)).exists()


def last_operator() -> NotAllowed:
    return NotAllowed(_("You are the only operator of this service. Make someone else an operator first."))


def _lock_operators() -> None:
    """Lock the row that stands for "who operates here", so that two operators cannot delete themselves at once."""
    lock_default_plan()


def _empty(user: User) -> None:
    """Delete the rows of the account, and everything in its own row but the id."""
    end_all(user)
    delete_exports_of(user)
    delete_rows_of(user.pk)
    _forget_in_admin_log(user)
    forget_picture(user)
    user.email, user.name = former_email(user.pk), ""
    user.set_unusable_password()
    user.is_active = user.is_staff = user.is_superuser = False
    user.language, user.time_zone, user.plan_id = "en", "UTC", default_plan()
    user.theme, user.density, user.start_page = Theme.SYSTEM, Density.COMFORTABLE, ""
    user.week_start = user.date_form = user.clock = ""
    user.last_login = user.seen_at = None
    user.date_joined = user.sessions_ended_at = timezone.now()
    user.save()


def _forget_in_admin_log(user: User) -> None:
    """Take the address out of the lines about the account, and about its invitations, offers and further addresses."""
    accounts = ContentType.objects.get_for_model(User)
    LogEntry.objects.filter(content_type=accounts, object_id=str(user.pk)).update(object_repr=former_email(user.pk))
    whole = re.compile(rf"(?<![\w.+-]){re.escape(user.email)}(?![\w-]|\.\w)", re.IGNORECASE)
    for entry in LogEntry.objects.filter(object_repr__icontains=user.email):
        entry.object_repr = whole.sub(former_email(user.pk), entry.object_repr)[:200]
        entry.save(update_fields=["object_repr"])


@task(tries=20)
def finish(user_id: str) -> None:
    """Leave the boards that were too many for one transaction, and rewrite the texts that hold the name."""
    user = User.objects.get(pk=user_id)
    if not user.is_former:
        return
    leave_remaining_boards(user)
    forget_name(user)
    forget_person(user.pk)
    delete_rows_of(user.pk, but="security.SecurityEvent.user")  # what followers of the history made meanwhile
