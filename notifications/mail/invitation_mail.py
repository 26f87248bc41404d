"""The mail about an invitation: to the confirmed address of an account, and, if the operator wants, to other addresses.

It is decided here, in a task, and not in the request of the inviter, who could otherwise measure whether there is such an
account; and once more at each try, which can come hours later. The mail names the inviter, their confirmed address and the
board. A name or title in which a mail program would see an address is left out: else anybody could let this service send
links to others. The numbers below bound how often (docs/decisions/people.md).
"""

import re
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django_tasks import task

from accounts.mails import parts_of, send, sending_task
from accounts.models import User
from boards.actions.allowances import DAY, is_used_up, use
from boards.actions.boards.board import lock_account
from boards.models import Counted, Invitation, InvitationMail
from boards.models.invitation_mail import digest_of_address
from core.text.locale import locale_of
from notifications.kinds import Kind, Mail
from notifications.mail.invitation_stops import is_stopped, stop_address
from notifications.mail.stops import stop_headers
from notifications.mail.text import clean
from notifications.models import Way
from notifications.ways import habits_of, mail_of

LEADS_AWAY = re.compile(r"[/@:\\]|\w\.\w")  # what a mail program may turn into a link
LONGEST_NAMED = 60
MOST_RECEIVED = {DAY: 5}  # by one account, whoever invites
MOST_TO_OTHERS = {DAY: 20}  # to addresses without an account, by one inviter
MOST_OF_SERVICE = 200  # of those in a day, by all inviters together


@task(tries=3)
@transaction.atomic
def mail_invitation(invitation_id: str) -> None:
    found = _open_one(invitation_id)
    if found is None:
        return
    if account := found.account():
        _mail_account(found, account)
    elif settings.SIGNUP_OPEN and settings.INVITATION_MAIL == "everyone" and not _is_closed(found):
        _mail_other(found)


@sending_task
def send_invitation(*, invitation_id: str, account_id: str, mail: dict[str, Any]) -> None:
    """Send the mail to this account, or without one to another address; where that is not right any more, decide anew."""
    found = _open_one(invitation_id)
    if found is None:
        return
    account = found.account()
    if account:
        is_right = str(account.pk) == account_id and [account.email] == mail["to"] and _takes_it(account)
    else:
        is_right = not account_id and not _is_closed(found) and not is_stopped(found.email)
    if is_right:
        send.call(**mail)
    else:
        mail_invitation.enqueue(invitation_id=invitation_id)


def _open_one(invitation_id: str) -> Invitation | None:
    rows = Invitation.objects.pending().filter(declined_at=None, invited_by__is_active=True)
    return rows.select_related("invited_by", "invitee", "board").filter(pk=invitation_id).first()


def _takes_it(user: User) -> bool:
    way = Way.objects.filter(user=user, kind=Kind.INVITED).first()
    return mail_of(way, Kind.INVITED) == Mail.NOW and habits_of(user).mails


def _mail_account(invitation: Invitation, account: User) -> None:
    """If they want a mail at once. With other notifications it comes in those mails, by itself (mailing.py)."""
    user = lock_account(account.pk)
    if not _takes_it(user) or is_used_up(user, Counted.INVITATION_MAIL, MOST_RECEIVED):
        return
    use(user, Counted.INVITATION_MAIL)
    _send(invitation, user.email, language_of=user, headers=stop_headers(user), account_id=str(user.pk))


def _is_closed(invitation: Invitation) -> bool:
    """Tell whether an operator has deactivated the account with this address."""
    return bool(invitation.invitee) or get_user_model().objects.filter(email=invitation.email, is_active=False).exists()


def _mail_other(invitation: Invitation) -> None:
    """Mail an address without a confirmed account: once a day at most, whoever invites, and never after it said stop."""
    inviter, email = lock_account(invitation.invited_by_id), invitation.email
    today = timezone.now().date()
    if is_stopped(email) or is_used_up(inviter, Counted.STRANGER_MAIL, MOST_TO_OTHERS):
        return
    if InvitationMail.objects.filter(day=today).count() >= MOST_OF_SERVICE:
        return
    _mail, is_first = InvitationMail.objects.get_or_create(day=today, digest=digest_of_address(email))
    if not is_first:
        return
    use(inviter, Counted.STRANGER_MAIL)
    stop = stop_address(email)
    headers = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    _send(invitation, email, language_of=inviter, headers=headers, stop=stop)


def _send(
    invitation: Invitation,
    email: str,
    *,
    language_of: User,
    headers: dict[str, str],
    stop: str = "",
    account_id: str = "",
) -> None:
    name, title = _shown(invitation.invited_by.display_name), _shown(invitation.board.title)
    context = {
        "base_url": settings.BASE_URL,
        "invitation": invitation,
        "name": name,
        "email": invitation.invited_by.email,
        "title": title,
        "stop": stop,
    }
    with locale_of(language_of):
        subject = _("You have been invited to a board")
        if name and title:
            subject = _("%(name)s invited you to “%(title)s”") % {"name": name, "title": title}
        body = render_to_string("notifications/invitation_message.txt", context)
    message = EmailMessage(
        settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + subject, body.strip() + "\n", to=[email], headers=headers
    )
    send_invitation.enqueue(invitation_id=str(invitation.pk), account_id=account_id, mail=parts_of(message))


def _shown(text: str) -> str:
    """Return what the mail says of a name or title: in one line, shortened, or nothing where it could lead somewhere."""
    text = clean(text)
    return "" if LEADS_AWAY.search(text) else Truncator(text).chars(LONGEST_NAMED)
