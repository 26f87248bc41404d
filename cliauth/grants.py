"""The device flow (as in RFC 8628): start, approve or deny, deliver.

Each step is one conditional UPDATE, whose row count decides who wins a race. Reading the state first and then writing
it would let two requests at once both win (docs/decisions/device-flow.md).
"""

import hashlib
import secrets
from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple, cast
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.locks import lock_account
from accounts.models import ApiToken, Bounds, User
from accounts.models.token import EVERYTHING
from accounts.notices import tell_of_token
from accounts.tokens import fill_slot, reserve_slot, revoke_token
from cliauth.models import BROWSER, Grant, GrantState
from core.text.locale import locale_of

LIFETIME = timedelta(minutes=10)
INTERVAL = 5  # seconds between polls
ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so that no code is a word, and no letter that looks like a digit
CODE_LENGTH = 8
APPROVED = [GrantState.APPROVED, GrantState.DELIVERED]
ATTEMPTS = 10  # to draw an unused code; with a million in use, one draw in 25,000 hits one of them


class Gone(Exception):
    """The code is unknown, used, decided on or expired. People get the same sentence for all of these."""


class Outcome(Enum):
    """The result of a poll. GONE: the code has expired or was used, or the approval is void."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DENIED = "denied"
    GONE = "gone"
    UNKNOWN = "unknown"


class Poll(NamedTuple):
    outcome: Outcome
    token: str | None = None  # the token's value, only with DELIVERED
    lacks_slot: bool = False  # only with PENDING


def start(*, client_name: str, address: str, browser: str, wishes: Bounds = EVERYTHING) -> tuple[Grant, str]:
    """Create a grant. Return it with its device code, of which only the digest is stored."""
    device_code = secrets.token_urlsafe(32)
    for attempt in range(1, ATTEMPTS + 1):
        grant = Grant(
            device_digest=digest_of(device_code),
            user_code="".join(secrets.choice(ALPHABET) for _place in range(CODE_LENGTH)),
            client_name=printable(client_name),
            address=address,
            browser=printable(browser)[:BROWSER],
            **wishes._asdict(),
            expires_at=timezone.now() + LIFETIME,
        )
        try:
            with transaction.atomic():
                grant.save(force_insert=True)
        except IntegrityError:
            if attempt == ATTEMPTS:
                raise
        else:
            break
    return grant, device_code


def find_waiting(typed: str) -> Grant:
    """Return the waiting grant of a user code, of which only the letters count, in any case. Raise Gone."""
    code = code_in(typed)
    grant = Grant.objects.waiting().filter(user_code=code).first() if is_code(code) else None
    if grant is None:
        raise Gone
    return grant


def find_decided(typed: str, user: User, *, approved: bool) -> Grant | None:
    """Return the grant that this user approved or denied before, if that still holds."""
    states = APPROVED if approved else [GrantState.DENIED]
    decided = Grant.objects.in_time().filter(user_code=code_in(typed), user=user, state__in=states).first()
    if decided is None or not approved:
        return decided
    holds = is_unchanged(user, decided) and decided.token is not None and decided.token.revoked_at is None
    return decided if holds else None


def approve(
    grant: Grant,
    user: User,
    *,
    bounds: Bounds = EVERYTHING,
    expires_at: datetime | None = None,
    instead_of: UUID | None = None,
) -> ApiToken | None:
    """Approve the grant and reserve a slot for its token, that of another token of the user where one is named.

    The token gets these bounds: the person chose them, whatever the command line wished.

    Return the token that was revoked for it. Raise Gone if the grant is no longer waiting, and
    accounts.tokens.TokenLimitReached, which leaves it waiting and revokes nothing.
    """
    with transaction.atomic():
        lock_account(user)
        previous = ApiToken.objects.filter(user=user, pk=instead_of, revoked_at=None).first() if instead_of else None
        if previous is not None:
            revoke_token(previous)
        approval = {"state": GrantState.APPROVED, "user": user, "session_hash": user.get_session_auth_hash()}
        if not Grant.objects.waiting().filter(pk=grant.pk).update(**approval):
            raise Gone
        with locale_of(user):
            name = grant.client_name or _("Command line")
        slot = reserve_slot(user, name, grant.expires_at, bounds, expires_at)
        Grant.objects.filter(pk=grant.pk).update(token=slot)
    return previous


def tell_of_no_slot(grant: Grant) -> None:
    """Let the command line know why it goes on waiting."""
    Grant.objects.waiting().filter(pk=grant.pk).update(lacks_slot=True)


def deny(grant: Grant, user: User) -> None:
    """Deny the grant. Raise Gone if it is no longer waiting."""
    if not Grant.objects.waiting().filter(pk=grant.pk).update(state=GrantState.DENIED, user=user):
        raise Gone


def poll(device_code: str, request: HttpRequest | None = None) -> Poll:
    """Answer a poll. `request` is for the log: where the token went."""
    grant = Grant.objects.filter(device_digest=digest_of(device_code)).first()
    if grant is None:
        return Poll(Outcome.UNKNOWN)
    if grant.expires_at <= timezone.now():
        return Poll(Outcome.GONE)
    match grant.state:
        case GrantState.WAITING:
            return Poll(Outcome.PENDING, lacks_slot=grant.lacks_slot)
        case GrantState.DENIED:
            return Poll(Outcome.DENIED)
        case GrantState.APPROVED:
            return deliver(grant, request)
    return Poll(Outcome.GONE)


def deliver(grant: Grant, request: HttpRequest | None) -> Poll:
    """Return the token's value to one poll only: the one whose UPDATE finds the grant approved and not expired.

    Lock the approver's account first, as everything that takes a slot does. If their password has changed since the
    approval, or the account is deactivated, return GONE, but do not use up the grant.
    """
    try:
        with transaction.atomic():
            approver = get_user_model().objects.select_for_update(no_key=True).get(pk=cast(UUID, grant.user_id))
            approved = Grant.objects.in_time().filter(pk=grant.pk, state=GrantState.APPROVED)
            if not is_unchanged(approver, grant) or not approved.update(state=GrantState.DELIVERED):
                raise Gone
            value = fill_slot(grant.token_id) if grant.token_id else None
            if value is None:
                raise Gone
            tell_of_token(ApiToken.objects.get(user=approver, pk=cast(UUID, grant.token_id)), request)
    except Gone:
        return Poll(Outcome.GONE)
    return Poll(Outcome.DELIVERED, value)


def is_unchanged(approver: User, grant: Grant) -> bool:
    return approver.is_active and secrets.compare_digest(approver.get_session_auth_hash(), grant.session_hash)


def code_in(typed: str) -> str:
    return "".join(filter(str.isalpha, typed.upper()))


def is_code(code: str) -> bool:
    return len(code) == CODE_LENGTH and set(code) <= set(ALPHABET)


def digest_of(device_code: str) -> str:
    return hashlib.sha256(device_code.encode()).hexdigest()


def printable(text: str) -> str:
    return "".join(character for character in text if character.isprintable())
