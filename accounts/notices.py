"""Mails that tell an account what happened to it, and the same in the security log."""

from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from accounts.mails import send_later
from accounts.models import ApiToken, User
from core.text.locale import locale_of
from security.browsers import name_of_browser
from security.events import log_event
from security.models import EventKind


def tell(user: User, what: str, request: HttpRequest | None, *, to: str = "", **context: Any) -> None:
    """Send the mail of the templates `account/email/{what}_*`, in the language of the account, to it or to `to`.

    `request` is None for what the operator does. Without a mail server nothing is sent.
    """
    if not settings.ACCOUNT_EMAIL_NOTIFICATIONS:
        return
    details = {
        "user": user,
        "base_url": settings.BASE_URL,
        "timestamp": timezone.now(),
        "ip": request.META["REMOTE_ADDR"] if request is not None else "",
        **context,
    }
    with locale_of(user):
        details.setdefault("browser", browser_in_words(request))
        message = get_adapter().render_mail(f"account/email/{what}", to or user.email, details)
    send_later(message)


def browser_in_words(request: HttpRequest | None) -> str:
    """Return what a mail says of the browser; "" without a request. Mail programs would make a link of "example.com"."""
    if request is None:
        return ""
    name = name_of_browser(request.META.get("HTTP_USER_AGENT", ""))
    return name_of_browser("") if "." in name else name


def tell_of_token(token: ApiToken, request: HttpRequest | None) -> None:
    """Log and mail that there is a new token. Call it in the transaction that makes it."""
    log_event(EventKind.TOKEN_CREATED, request, user=token.user, name=token.name, via=token.made_by)
    tell(token.user, "token_created", request, token=token)
