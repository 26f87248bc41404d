"""Links between accounts at the provider and ours: by issuer and subject, never by address."""

import hashlib
from typing import TYPE_CHECKING

from allauth.socialaccount.models import SocialAccount
from django.conf import settings

if TYPE_CHECKING:
    from django.contrib.auth.models import _User


LONGEST = 191  # what allauth's column holds; OpenID Connect allows 255


def uid_of(subject: str) -> str:
    return subject if len(subject) <= LONGEST else f"sha256:{hashlib.sha256(subject.encode()).hexdigest()}"


def link_of(user: "_User") -> SocialAccount | None:
    if not settings.OIDC_URL:
        return None
    return SocialAccount.objects.filter(user_id=user.pk, provider=settings.OIDC_URL).first()


def find_link(subject: str) -> SocialAccount | None:
    return SocialAccount.objects.select_related("user").filter(provider=settings.OIDC_URL, uid=uid_of(subject)).first()


def make_link(user: "_User", subject: str) -> SocialAccount:
    """Link the account. Raise IntegrityError if the subject is linked already."""
    return SocialAccount.objects.create(user_id=user.pk, provider=settings.OIDC_URL, uid=uid_of(subject))
