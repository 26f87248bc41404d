"""The context processor of all pages."""

from django.conf import settings
from django.http import HttpRequest

from core.sign_up import may_sign_up


def site(request: HttpRequest) -> dict[str, object]:
    return {
        "base_url": settings.BASE_URL,
        "signup_open": may_sign_up(request) and not settings.OIDC_ONLY,
        "mail_configured": bool(settings.MAIL),
    }
