"""Bearer tokens, which REST and the agent tools authenticate with, and count calls by."""

from contextlib import suppress

from django.db import OperationalError, transaction
from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.models import ApiToken, User
from accounts.tokens import find_token, note_use, why_refused
from boards.actor import Actor
from boards.models.verbs import Door
from core.limits.not_waiting import not_waiting
from security.events import log_event
from security.limits import Counter, Usage, count
from security.models import EventKind

TOGETHER = 4  # as many times the rate of one token is what all tokens of an account may do together


class BearerAuthentication(BaseAuthentication):
    """Refuses a missing, unknown, revoked or expired token and an inactive account with one and the same answer."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken]:
        token = token_of(request._request)
        if token is None:
            raise NotAuthenticated
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def token_of(request: HttpRequest) -> ApiToken | None:
    """Return the live token of the request, note it there as `auth`, and record its use; None without one."""
    scheme, _space, value = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
    token = find_token(value.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        return None
    if why := why_refused(token):
        _log_refusal(request, token, why)
        return None
    note_use(token)
    request.auth = token  # type: ignore[attr-defined]  # for the access log
    return token


def actor_of(token: ApiToken, door: Door) -> Actor:
    """Return the owner of the token as an actor who may do what the token may. Its `reader` sees what the token may."""
    return Actor(token.user, door, token.pk, token.name, token.boards, token.writes, token.deletes)


def _log_refusal(request: HttpRequest, token: ApiToken, why: str) -> None:
    """Log that a token which was good once is still tried, seldom enough that nobody can fill the log by it."""
    for who, rate in (f"token {token.pk}", "1/h"), (f"owner {token.user_id}", "20/h"):
        logged = Counter.now("refused-tokens", who, rate)
        if logged.add() > logged.usage.limit:
            return
    with suppress(OperationalError), not_waiting(), transaction.atomic():  # nobody waits for the log to be refused
        log_event(EventKind.TOKEN_REFUSED, request, user=token.user, name=token.name, why=why)


def count_call(request: HttpRequest | None, name: str, token: ApiToken) -> Usage | None:
    """Count a call by its token, and by the owner of it, who could make token after token. Return the token's usage."""
    usage = count(request, name, str(token.pk), user=token.user)
    count(request, name, f"owner {token.user_id}", times=TOGETHER, user=token.user)
    return usage
