"""Tells the account with an invited address, if there is one. It is decided in a task, as the mail is: no answer may
tell the inviter whether there is such an account."""

from django.conf import settings
from django_tasks import task

from boards.models import Invitation
from notifications.events.telling import tell
from notifications.kinds import Kind
from notifications.mail.invitation_mail import mail_invitation


def let_know(invitation: Invitation) -> None:
    """Tell and mail whoever is invited. Call this in the transaction that makes the invitation."""
    tell_invited.enqueue(invitation_id=str(invitation.pk))
    if settings.MAIL:
        mail_invitation.enqueue(invitation_id=str(invitation.pk))


@task(tries=3)
def tell_invited(invitation_id: str) -> None:
    found = Invitation.objects.pending().select_related("invitee").filter(pk=invitation_id).first()
    known = found and found.account()
    if found and known:
        tell(known.pk, Kind.INVITED, str(found.pk), subject_id=found.pk)
