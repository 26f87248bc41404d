"""Send a browser to the provider and check its return. Its session holds the expected values, for one use within ten
minutes.
"""

import hashlib
import re
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.sign_in.provider.fetching import Answered, ProviderAway
from accounts.sign_in.provider.metadata import metadata
from accounts.sign_in.provider.tokens import SKEW, Untrue, claims_for

KEY = "oidc_journeys"  # in the session, by state
LASTS = 10 * 60  # seconds
MOST = 5  # in one session: tabs
ANONYMOUS_SESSION = 60 * 60  # seconds


class ProviderPurpose(StrEnum):
    SIGN_IN = "sign in"
    LINK = "link"
    CONFIRM = "confirm"


class ProviderRefused(Exception):
    """The provider signed nobody in. str() is a sentence for people, `why` a word for the log."""

    def __init__(self, sentence: str, why: str) -> None:
        super().__init__(sentence)
        self.why = why


@dataclass(frozen=True)
class Journey:
    purpose: str
    account: str  # the id of the user for whom it was begun; empty while signed out
    onward: str  # an address of ours
    nonce: str
    verifier: str
    began_at: int


@dataclass(frozen=True)
class Person:
    """The person who came back, as the provider describes them."""

    subject: str
    email: str  # empty if the provider does not say that it is verified
    claims: dict[str, Any]

    @property
    def groups(self) -> Sequence[str]:
        """Return the groups in the configured claim, which may be nested, as in realm_access.roles."""
        found: Any = self.claims.get(settings.OIDC_GROUPS_CLAIM)
        if found is None:
            found = self.claims
            for part in settings.OIDC_GROUPS_CLAIM.split("."):
                found = found.get(part) if isinstance(found, dict) else None
        if isinstance(found, str):
            return [found]
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

    @property
    def has_second_factor(self) -> bool:
        """Return whether the provider's amr or acr has a value that counts as a second factor."""
        methods = self.claims.get("amr")
        told = {one for one in methods if isinstance(one, str)} if isinstance(methods, list) else set()
        return bool({*told, str(self.claims.get("acr", ""))} & set(settings.OIDC_SECOND_FACTOR))


def begin(request: HttpRequest, purpose: ProviderPurpose, onward: str) -> str:
    """Return the address at the provider to send the browser to. Raise ProviderRefused."""
    try:
        endpoint = metadata()["authorization_endpoint"]
    except ProviderAway as error:
        raise _is_away() from error
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
    account = str(request.user.pk) if request.user.is_authenticated else ""
    journey = Journey(purpose, account, onward, secrets.token_urlsafe(32), verifier, int(time.time()))
    kept = sorted(_journeys(request).items(), key=lambda item: item[1]["began_at"])[-(MOST - 1) :]
    request.session[KEY] = {**dict(kept), state: asdict(journey)}
    if not account:
        request.session.set_expiry(ANONYMOUS_SESSION)
    parameters = {
        "response_type": "code",
        "client_id": settings.OIDC_CLIENT_ID,
        "redirect_uri": redirect_uri(),
        "scope": " ".join(settings.OIDC_SCOPES),
        "state": state,
        "nonce": journey.nonce,
        "code_challenge": urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    if purpose == ProviderPurpose.CONFIRM:
        parameters |= {"prompt": "login", "max_age": "0"}
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(parameters)}"


def take(request: HttpRequest) -> Journey | None:
    """Return the journey that ends with this request, which ends once. None if this browser did not begin it."""
    journeys = _journeys(request)
    found = journeys.pop(request.GET.get("state", ""), None)
    if found is None:
        return None
    request.session[KEY] = journeys
    request.session.save()  # now: a second request with this state finds nothing
    journey = Journey(**found)
    account = str(request.user.pk) if request.user.is_authenticated else ""
    return journey if journey.account == account else None


def way_on(request: HttpRequest) -> str:
    """Return where a sign-in that took too long was to lead; "" for one that this browser did not begin."""
    found = request.session.get(KEY, {}).get(request.GET.get("state", ""))
    return str(found["onward"]) if found and found["purpose"] == ProviderPurpose.SIGN_IN else ""


def finish(request: HttpRequest, journey: Journey) -> Person:
    """Return who came back. Raise ProviderRefused."""
    try:
        _check_answer(request, metadata())
        claims = claims_for(
            request.GET.get("code", ""), verifier=journey.verifier, nonce=journey.nonce, redirect_uri=redirect_uri()
        )
    except ProviderAway as error:
        raise _is_away() from error
    except Answered as error:
        raise ProviderRefused(
            _("The sign-in was not completed in time. Try again."), f"token: {error.error}"
        ) from error
    except Untrue as error:
        why = _("The answer from %(name)s could not be trusted. Try again. If it happens again, tell the operator.")
        raise ProviderRefused(why % {"name": settings.OIDC_NAME}, f"untrue: {error}"[:200]) from error
    if journey.purpose == ProviderPurpose.CONFIRM:
        at = claims.get("auth_time")
        if not isinstance(at, int) or isinstance(at, bool) or at < journey.began_at - SKEW:
            why = _("%(name)s did not ask you to sign in again, so nothing was confirmed.")
            raise ProviderRefused(why % {"name": settings.OIDC_NAME}, "auth_time")
    email = claims.get("email")
    is_verified = claims.get("email_verified") is True  # the word "true" is not
    verified = email.strip().lower() if is_verified and isinstance(email, str) else ""
    return Person(str(claims["sub"]), verified, claims)


def redirect_uri() -> str:
    return f"{settings.BASE_URL}{reverse('oidc_callback')}"


def _check_answer(request: HttpRequest, told: dict[str, Any]) -> None:
    issuer = request.GET.get("iss")
    if issuer is None and told.get("authorization_response_iss_parameter_supported") is True:
        raise Untrue("no issuer in the answer")
    if issuer is not None and issuer != settings.OIDC_URL:  # an answer of another provider: RFC 9207
        raise Untrue("the answer of another issuer")
    if error := request.GET.get("error"):
        code = error if re.fullmatch(r"[a-z_]{1,40}", error) else "unknown"
        if code == "access_denied":
            raise ProviderRefused(
                _("You did not agree at %(name)s, so nothing happened.") % {"name": settings.OIDC_NAME}, code
            )
        words = _("%(name)s refused: %(code)s. Try again. If it happens again, tell the operator.")
        raise ProviderRefused(words % {"name": settings.OIDC_NAME, "code": code}, code)


def _journeys(request: HttpRequest) -> dict[str, dict[str, Any]]:
    since = time.time() - LASTS
    return {state: one for state, one in request.session.get(KEY, {}).items() if one["began_at"] >= since}


def _is_away() -> ProviderRefused:
    words = _("%(name)s cannot be reached right now. Try again in a minute.")
    return ProviderRefused(words % {"name": settings.OIDC_NAME}, "away")
