"""The context processor of all pages."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    return {"base_url": settings.BASE_URL, "signup_open": settings.SIGNUP_OPEN, "mail_configured": bool(settings.MAIL)}
