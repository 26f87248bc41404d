"""The links by which somebody without an account stops mails about invitations: signed, and they live for ever."""

from django.conf import settings
from django.core import signing
from django.urls import reverse

from boards.models import InvitationStop
from boards.models.invitation_mail import digest_of_address

SALT = "notifications.invitation_stops"


def stop_address(email: str) -> str:
    return settings.BASE_URL + reverse("invitation_stop", args=[signing.dumps(email, salt=SALT)])


def address_in(key: str) -> str | None:
    try:
        return str(signing.loads(key, salt=SALT))
    except signing.BadSignature:
        return None


def stop(email: str) -> None:
    InvitationStop.objects.get_or_create(digest=digest_of_address(email))


def is_stopped(email: str) -> bool:
    return InvitationStop.objects.filter(digest=digest_of_address(email)).exists()
