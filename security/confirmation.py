"""Ask for the password again before an action that an intruder at an open browser must not take: `@password_confirmed`."""

import time
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode, urlsplit

from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import HASH_SESSION_KEY, update_session_auth_hash
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters

from core.http import SignedInRequest
from security.events import log_event
from security.models import Kind

View = Callable[..., HttpResponse]

CONFIRMED_AT = "password_confirmed_at"  # in the session, seconds
PASSWORD = "password_again"  # noqa: S105  the field that the page adds to those of the form


class PasswordForm(forms.Form):
    password_again = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )


def password_confirmed(view: View) -> View:
    """Let a POST through only soon after the password was typed, at sign-in or on the page that this answers with.

    The page repeats the fields of the form and sends them to the same address with the password, so nothing typed is
    lost, and nothing waits in the session for somebody else's confirmation. Use it below the check for a signed-in user.
    An account without a password has nothing to confirm with.
    """

    @wraps(view)
    @sensitive_post_parameters(PASSWORD)
    def answer(request: SignedInRequest, *args: object, **ids: object) -> HttpResponse:
        if request.method != "POST" or is_confirmed(request) or not request.user.has_usable_password():
            return view(request, *args, **ids)
        if request.headers.get("HX-Request") == "true":
            return _go_and_confirm(request)
        form = PasswordForm(request.POST if PASSWORD in request.POST else None)
        if form.is_valid() and _is_right(request, form):
            confirm(request)
            return view(request, *args, **ids)
        return _ask(request, form)

    return answer


def confirm(request: SignedInRequest) -> None:
    note_confirmation(request.session)
    log_event(Kind.CONFIRMED, request, user=request.user)


def note_confirmation(session: SessionBase) -> None:
    session[CONFIRMED_AT] = int(time.time())


def is_confirmed(request: HttpRequest) -> bool:
    age = time.time() - request.session.get(CONFIRMED_AT, 0)
    return age < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def keep_signed_in(request: SignedInRequest, checked: AbstractBaseUser) -> None:
    """Keep the session if Django hashed the password anew when it was checked on `checked`, for a stronger setting.

    The row is not read again: if somebody else changed the password meanwhile, this session has to end.
    """
    request.user.password = checked.password
    if request.session.get(HASH_SESSION_KEY) != request.user.get_session_auth_hash():
        update_session_auth_hash(request, request.user)


def _is_right(request: SignedInRequest, form: PasswordForm) -> bool:
    """Check the password. If it is wrong, add the reason to the form. Raise TooMany after too many wrong ones."""
    credentials = {"email": request.user.email, "password": form.cleaned_data[PASSWORD]}
    adapter = get_adapter()
    user = adapter.authenticate(request, **credentials)
    if user is None or user.pk != request.user.pk:
        form.add_error(PASSWORD, adapter.validation_error("incorrect_password"))
        return False
    return True


def _ask(request: SignedInRequest, form: PasswordForm) -> HttpResponse:
    """Show the page. 403: what was sent has not been done."""
    sent = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in (PASSWORD, "csrfmiddlewaretoken")
    ]
    page = render(request, "security/confirm.html", {"form": form, "sent": sent}, status=403)
    page["Cache-Control"] = "no-store"
    return page


def _go_and_confirm(request: HttpRequest) -> HttpResponse:
    """Tell htmx to open the page that asks for the password. It leads back to the page that the form was on."""
    messages.info(request, _("Enter your password, then try again."))
    here = urlsplit(request.headers.get("HX-Current-URL", "")).path or "/"
    page = f"{reverse('account_reauthenticate')}?{urlencode({'next': here})}"
    return HttpResponse(status=403, headers={"HX-Redirect": page, "Cache-Control": "no-store"})
