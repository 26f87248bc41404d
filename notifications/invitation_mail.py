"""The mail about an invitation: only to the confirmed address of an account, and only so many a day.

It is decided here, in a task, and not in the request of the inviter, who could otherwise measure whether there is such an
account. The mail holds nothing that the inviter wrote, only their address, which is confirmed too: else anybody could
let this service send texts to others (docs/decisions/people.md).
"""

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django_tasks import task

from accounts.mails import send_later
from boards.actions.allowances import DAY, is_used_up, use
from boards.actions.boards import lock_account
from boards.models import Counted, Invitation
from core.locale import locale_of

MOST_RECEIVED = {DAY: 5}  # by one account, whoever invites


@task(tries=3)
@transaction.atomic
def mail_invitation(invitation_id: str) -> None:
    found = Invitation.objects.pending().select_related("invited_by").filter(pk=invitation_id).first()
    if found is None:
        return
    known = get_user_model().objects.filter(email=found.email, is_active=True).first()
    if known is None or not known.has_confirmed_address:
        return
    user = lock_account(known.pk)
    if is_used_up(user, Counted.INVITATION_MAIL, MOST_RECEIVED):
        return
    use(user, Counted.INVITATION_MAIL)
    context = {"base_url": settings.BASE_URL, "invitation": found, "email": found.invited_by.email}
    with locale_of(user):
        subject = _("You have been invited to a board")
        body = render_to_string("notifications/invitation_message.txt", context)
    send_later(EmailMessage(settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + subject, body.strip() + "\n", to=[user.email]))
