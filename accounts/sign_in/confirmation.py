"""Ask for the password again before an action that an intruder at an open browser must not take: `@password_confirmed`."""

import json
import time
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

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

from accounts.sign_in.factors import passkeys
from accounts.sign_in.factors.codes import use_code
from accounts.sign_in.factors.held import factors_of
from accounts.sign_in.factors.passkeys import PasskeyPurpose
from accounts.sign_in.provider.links import link_of
from accounts.sign_in.provider.metadata import may_lead_there
from core.http.requests import SignedInRequest, path_in
from security.events import log_event
from security.limits import session_of, take
from security.models import EventKind

View = Callable[..., HttpResponse]

CONFIRMED_AT = "password_confirmed_at"  # in the session, seconds
# The fields that the page adds to those of the form
PASSWORD, CODE, PASSKEY = "password_again", "code_again", "passkey_again"
INCORRECT_CODE = gettext_lazy(
    "Incorrect code. Each code works only once: if you just used this one, wait for the next."
)
PASSKEY_REFUSED = gettext_lazy("That passkey was not accepted. Try again, or use another way.")


class PasswordForm(forms.Form):
    password_again = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )


class CodeForm(forms.Form):
    code_again = forms.CharField(
        label=gettext_lazy("Code"),
        help_text=gettext_lazy("From your authenticator app."),
        max_length=50,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}),
    )


class Asking:
    """The page that asks a signed-in user to confirm by password, app, passkey or provider, whichever the account has."""

    def __init__(self, request: SignedInRequest) -> None:
        self.request = request
        self.sent = request.POST
        self.factors = factors_of(request.user)
        self.passkeys = self.factors.passkeys if passkeys.can_be_used(request) else []
        self.password = self._form(PasswordForm, PASSWORD) if request.user.has_usable_password() else None
        self.code = self._form(CodeForm, CODE) if self.factors.app else None
        self.is_linked = link_of(request.user) is not None
        self.refusal = ""

    def is_possible(self) -> bool:
        """Return whether the account has anything to confirm with."""
        return bool(self.password or self.code or self.passkeys or self.is_linked)

    def is_answered(self) -> bool:
        """Return whether the form has a right answer. Note a wrong one. Raise TooMany after too many."""
        if self.passkeys and PASSKEY in self.sent:
            return self._has_right_passkey()
        if self.code and CODE in self.sent:
            return self.code.is_valid() and self._has_right_code(self.code)
        if self.password and PASSWORD in self.sent:
            return self.password.is_valid() and _is_right(self.request, self.password)
        return False

    def page(self, *, status: int, hidden: list[tuple[str, str]]) -> HttpResponse:
        options = None
        if self.passkeys:
            options = passkeys.options_for(self.request, PasskeyPurpose.CONFIRM, self.request.user, self.passkeys)
        given = dict(hidden).get("next")
        onward = given or path_in(self.request.headers.get("Referer", ""))
        if self.is_linked and not given:  # a wrong answer comes from this page, not from that one
            hidden = [*hidden, ("next", onward)]
        context = {
            "password_form": self.password,
            "code_form": self.code,
            "passkey_options": json.dumps(options) if options else "",
            "refusal": self.refusal,
            "hidden": hidden,
            "provider": settings.OIDC_NAME if self.is_linked else "",
            "onward": onward,
        }
        page = may_lead_there(render(self.request, "security/confirm.html", context, status=status))
        page["Cache-Control"] = "no-store"
        return page

    def _form(self, form: type[forms.Form], field: str) -> forms.Form:
        return form(self.sent if field in self.sent else None)

    def _has_right_code(self, form: forms.Form) -> bool:
        own = session_of(self.request)
        taken = take(self.request, ("password", own), ("password-day", own))
        if use_code(self.request.user, form.cleaned_data[CODE], recovery=False):
            taken.clear("password")
            return True
        log_event(EventKind.SECOND_STEP_FAILED, self.request, user=self.request.user, at="confirmation")
        form.add_error(CODE, INCORRECT_CODE)
        return False

    def _has_right_passkey(self) -> bool:
        try:
            passkeys.use_passkey(self.request, PasskeyPurpose.CONFIRM, self.request.user, self.sent[PASSKEY])
        except passkeys.PasskeyRefused:
            log_event(EventKind.SECOND_STEP_FAILED, self.request, user=self.request.user, at="confirmation")
            self.refusal = str(PASSKEY_REFUSED)
            return False
        return True


def password_confirmed(view: View) -> View:
    """Let a POST through only soon after its user confirmed, at sign-in or on the page that this answers with.

    The page asks for the password, a code of the authenticator app or a passkey. It repeats the fields of the form and
    sends them to the same address with the answer, so nothing typed is lost, and nothing waits in the session for
    somebody else's confirmation. Who confirms at the OpenID provider has to send the form again. Use it below the check for a signed-in user. An account that has none of these has
    nothing to confirm with.
    """

    @wraps(view)
    @sensitive_post_parameters(PASSWORD, CODE, PASSKEY)
    def answer(request: SignedInRequest, *args: object, **ids: object) -> HttpResponse:
        if request.method != "POST" or is_confirmed(request):
            return view(request, *args, **ids)
        asking = Asking(request)
        if not asking.is_possible():
            return view(request, *args, **ids)
        if request.headers.get("HX-Request") == "true":
            return _go_and_confirm(request)
        if asking.is_answered():
            confirm(request)
            return view(request, *args, **ids)
        return _ask(asking)

    return answer


def confirm(request: SignedInRequest) -> None:
    note_confirmation(request.session)
    log_event(EventKind.CONFIRMED, request, user=request.user)


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


def _is_right(request: SignedInRequest, form: forms.Form) -> bool:
    """Check the password. If it is wrong, add the reason to the form. Raise TooMany after too many wrong ones."""
    credentials = {"email": request.user.email, "password": form.cleaned_data[PASSWORD]}
    adapter = get_adapter()
    user = adapter.authenticate(request, **credentials)
    if user is None or user.pk != request.user.pk:
        form.add_error(PASSWORD, adapter.validation_error("incorrect_password"))
        return False
    return True


def _ask(asking: Asking) -> HttpResponse:
    """Show the page, with 403 if a sent form was not carried out."""
    hidden = [
        (name, value)
        for name, values in asking.sent.lists()
        for value in values
        if name not in (PASSWORD, CODE, PASSKEY, "csrfmiddlewaretoken")
    ]
    return asking.page(status=403, hidden=hidden)


def _go_and_confirm(request: HttpRequest) -> HttpResponse:
    """Tell the script to open the page that asks for the password. It leads back to the page that the form was on."""
    messages.info(request, _("Confirm your identity, then try again."))
    here = path_in(request.headers.get("HX-Current-URL", "")) or "/"
    page = f"{reverse('account_reauthenticate')}?{urlencode({'next': here})}"
    return HttpResponse(status=403, headers={"HX-Redirect": page, "Cache-Control": "no-store"})
