"""Attempts with a password, and how many are allowed. docs/decisions/limits.md has the reasons."""

from typing import NamedTuple

from django.http import HttpRequest

from accounts.models import User
from accounts.sign_in.sessions import known_browsers
from core.http.addresses import network_of, wide_network_of
from security import limits
from security.limits import Taken

IN_KNOWN_BROWSER = "sign-in-known"


class Attempt(NamedTuple):
    taken: Taken
    own: str  # the limit that begins anew when the password is right

    def succeed(self) -> None:
        self.taken.clear(self.own)


def begin(request: HttpRequest, email: str) -> Attempt:
    """Count an attempt for this account before its password is checked. Raise TooMany.

    An address without an account is counted in the same way, so that a refusal does not tell whether there is one.
    """
    account = email.strip().lower()
    if request.user.is_authenticated and request.user.email == account:
        return _attempt(request, "password", limits.session_of(request), "password-day")
    user = User.objects.filter(email=account).first()
    if user and (browser := known_browsers.find(request, user)):
        return _attempt(request, IN_KNOWN_BROWSER, browser, "sign-in-known-day")
    network = network_of(request.META["REMOTE_ADDR"])
    limits.count(request, "entrance", network)
    uses = [
        ("sign-in-address", network),
        ("sign-in", f"{account} {network}"),
        ("sign-in-account", account),
        ("sign-in-account-day", account),
    ]
    own = wide_network_of(request.META["REMOTE_ADDR"])
    return Attempt(limits.take(request, *uses, user=user, own=own), "sign-in")


def _attempt(request: HttpRequest, own: str, who: str, for_a_day: str) -> Attempt:
    return Attempt(limits.take(request, (own, who), (for_a_day, who)), own)
