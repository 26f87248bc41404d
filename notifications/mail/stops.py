"""The link in mails about notifications that stops them: signed, for one account and its address, and good for nothing else."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import signing
from django.urls import reverse

from accounts.models import User
from boards.models.invitation_mail import digest_of_address

SALT = "notifications.mail_stops"
LIFETIME = timedelta(days=400)


def stop_address(user: User) -> str:
    key = signing.dumps([str(user.pk), _digest(user.email)], salt=SALT)
    return settings.BASE_URL + reverse("notification_mails", args=[key])


def stop_headers(user: User) -> dict[str, str]:
    """Return what lets a mail program offer to unsubscribe, with one click (RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{stop_address(user)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }


def account_in(key: str) -> User | None:
    """Return the account. None for a link that is not ours, too old, or of an account that has another address now."""
    try:
        pk, digest = signing.loads(key, salt=SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    user = get_user_model().objects.filter(pk=pk, is_active=True).first()
    return user if user and _digest(user.email) == digest else None


def _digest(email: str) -> str:
    return digest_of_address(email)[:16]
