"""The stage of signing in between the password and the session: a code or a passkey, unless the browser is remembered."""

from typing import cast

from allauth.account.internal.stagekit import LOGIN_SESSION_KEY, clear_login
from allauth.account.stages import LoginStage, LoginStageController
from allauth.core.internal.httpkit import headed_redirect_response
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from accounts.models import User
from accounts.sign_in.factors import trusted_browsers
from accounts.sign_in.factors.held import has_second_step
from accounts.sign_in.password.attempts import Attempt
from accounts.sign_in.sessions import known_browsers
from core.http.addresses import network_of
from security import limits

BY_PASSKEY = "by_passkey"  # in the state of a login that a passkey began: it is both steps at once


class SecondStep(LoginStage):
    """Replaces allauth's stage of this name, which has no remembered browsers."""

    key = "mfa_authenticate"
    urlname = "mfa_authenticate"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        user = cast(User | None, self.login.user)
        if user is None or self.login.state.get(BY_PASSKEY) or not has_second_step(user):
            return None, True
        if trusted_browsers.is_trusted(self.request, user):
            return None, True
        self.state["account"] = user.get_session_auth_hash()
        return headed_redirect_response("mfa_authenticate"), True

    def is_as_it_was(self) -> bool:
        """Return whether the account still has the password and the sessions of when this began."""
        user = cast(User, self.login.user)
        return user.is_active and constant_time_compare(self.state.get("account", ""), user.get_session_auth_hash())


def pending(request: HttpRequest) -> SecondStep | None:
    """Return the second step that this browser has before it. One that the account has outlived ends."""
    stage = LoginStageController.enter(request, SecondStep.key)
    if stage is not None and not stage.is_as_it_was():
        clear_login(request)
        return None
    return stage


def way_on(request: HttpRequest) -> str | None:
    """Return where the sign-in that this browser has begun is to lead, also if its time has run out."""
    begun = request.session.get(LOGIN_SESSION_KEY)
    return begun.get("redirect_url") if isinstance(begun, dict) else None


def begin_attempt(request: HttpRequest, user: User) -> Attempt:
    """Count an attempt before it is checked, as accounts/sign_in/password/attempts.py does for passwords. Raise TooMany."""
    if browser := known_browsers.find(request, user):
        own = [("second-step-known", browser), ("second-step-known-day", browser)]
        return Attempt(limits.take(request, *own, user=user), "second-step-known")
    # Whoever had the former password spent the tries of that one alone.
    network, account = network_of(request.META["REMOTE_ADDR"]), f"{user.pk} {user.password}"
    uses = [
        ("second-step-address", network),
        ("second-step", f"{account} {network}"),
        ("second-step-account", account),
        ("second-step-account-day", account),
    ]
    return Attempt(limits.take(request, *uses, user=user), "second-step")
