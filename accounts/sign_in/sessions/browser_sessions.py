"""The sessions of an account: a row for each, to list them and to end them one by one."""

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from core.bus.access_check import check_access
from security.models import BrowserSession, Way

if TYPE_CHECKING:
    from django.contrib.auth.models import _User  # what the stubs call the model that AUTH_USER_MODEL names

MOST = 100  # sessions of an account; the least recently used end
# By the name of the address that signs in. Other addresses are not told.
WAYS = {
    "account_login": Way.PASSWORD,
    "mfa_authenticate": Way.TWO_STEPS,
    "sign_in_by_passkey": Way.PASSKEY,
    "oidc_callback": Way.PROVIDER,
    "account_signup": Way.SIGN_UP,
    "first_account": Way.SIGN_UP,
    "account_confirm_email": Way.SIGN_UP,
    "account_reset_password_from_key": Way.RESET,
}


def record(request: HttpRequest, user: "_User") -> None:
    """Make the row of a session that has just begun, and end the oldest of too many."""
    if request.session.session_key is None:
        request.session.save()
    now = timezone.now()
    match = request.resolver_match
    row = {**seen_in(request), "user": user, "began_at": now, "used_at": now}
    row["way"] = WAYS.get(match.url_name or "", "") if match else ""
    BrowserSession.objects.update_or_create(session_id=request.session.session_key, defaults=row)
    kept = BrowserSession.objects.filter(user=user).order_by("-used_at", "-pk").values_list("pk", flat=True)[:MOST]
    delete(BrowserSession.objects.filter(user=user).exclude(pk__in=list(kept)))


def note(request: HttpRequest, user: "_User") -> None:
    """Note a use of the session. One of before there were rows gets its row."""
    seen = {**seen_in(request), "used_at": timezone.now()}
    key = str(request.session.session_key)  # a session in use has one
    if not BrowserSession.objects.filter(session=key).update(**seen):
        BrowserSession.objects.create(session_id=key, user=user, began_at=None, **seen)


def seen_in(request: HttpRequest) -> dict[str, object]:
    return {
        "address": str(request.META.get("REMOTE_ADDR", ""))[:45],
        "browser": str(request.META.get("HTTP_USER_AGENT", ""))[:200],
    }


def sessions_of(user: "_User") -> list[BrowserSession]:
    """Return the sessions in which the account is signed in now, the last used first.

    Sessions that a change of the account has ended may still have rows: what they are bound to tells.
    """
    valid = {user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()}
    decode = SessionStore().decode
    living = BrowserSession.objects.filter(user=user, session__expire_date__gt=timezone.now())
    found = living.select_related("session").order_by("-used_at", "-pk")
    return [one for one in found if decode(one.session.session_data).get(HASH_SESSION_KEY) in valid]


def end_one(user: "_User", pk: UUID) -> BrowserSession | None:
    """Sign the account out there, open pages included. Return the ended session; None if the account does not have it."""
    ended = delete(BrowserSession.objects.filter(user=user, pk=pk))
    if not ended:
        return None
    check_access(user.pk)
    return ended[0]


def end_all(user: "_User", *, but: str | None = None) -> int:
    """End all sessions but the one with this key. Return how many. Open pages are told by what changes the account."""
    return len(delete(BrowserSession.objects.filter(user=user).exclude(session=but)))


@transaction.atomic
def delete(rows: QuerySet[BrowserSession]) -> list[BrowserSession]:
    """Delete sessions with their rows, and return these. They are locked first: none gets a new key meanwhile."""
    found = list(rows.select_for_update())
    if found:
        BrowserSession.objects.filter(pk__in=[row.pk for row in found]).delete()
        Session.objects.filter(pk__in=[row.session_id for row in found]).delete()
    return found
