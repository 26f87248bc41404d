"""Creates, finds, narrows and revokes API tokens.

A plan limits the number of tokens. A slot is one of that number; it is a token row, whose digest is missing while a
command line may still fetch the token (docs/decisions/device-flow.md).
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import OperationalError, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext
from uuid_utils.compat import uuid7

from accounts.locks import lock_account
from accounts.models import Access, ApiToken, Bounds, LastLook, MadeBy, User
from accounts.models.token import EVERYTHING, ApiTokenQuerySet, digest_of
from core import sql
from core.limits.not_waiting import not_waiting
from security.limits import count

PREFIX = "tbk_"
USE_IS_NOTED_EVERY = timedelta(minutes=1)


class TokenLimitReached(Exception):
    """The plan allows no further token. str() is a sentence for people."""


class Wider(Exception):
    """The token would get a right that it does not have. str() is a sentence for people."""


class TokenExists(Exception):
    """A token with this id was created before."""


def create_token(
    user: User,
    name: str,
    *,
    made_by: MadeBy = MadeBy.WEB,
    expires_at: datetime | None = None,
    token_id: UUID | None = None,
    bounds: Bounds = EVERYTHING,
) -> tuple[ApiToken, str]:
    """Return the new row and its value, which is stored nowhere.

    Raise TokenLimitReached at the plan's limit. With `token_id` a repeat creates nothing and raises TokenExists, even
    if that token was revoked since.
    """
    with transaction.atomic():
        owner = lock_account(user)
        if token_id and ApiToken.objects.filter(pk=token_id).exists():
            raise TokenExists
        require_free_slot(owner)
        value = PREFIX + secrets.token_urlsafe(32)
        token = ApiToken.objects.create(
            id=token_id or uuid7(),
            user=user,
            name=name,
            digest=digest_of(value),
            last_four=value[-4:],
            made_by=made_by,
            expires_at=expires_at,
            **bounds._asdict(),
        )
    return token, value


def count_new_token(request: HttpRequest) -> None:
    """Count a token that the signed-in user is about to create. Raise TooMany: limits of calls are counted by token."""
    for name in ("new-tokens", "new-tokens-day"):
        count(request, name, str(request.user.pk))


def reserve_slot(
    user: User, name: str, until: datetime, bounds: Bounds = EVERYTHING, expires_at: datetime | None = None
) -> ApiToken:
    """Reserve a slot for a command line, which may fetch its token until `until`. Raise TokenLimitReached."""
    with transaction.atomic():
        require_free_slot(lock_account(user))
        return ApiToken.objects.create(
            user=user,
            name=name,
            made_by=MadeBy.COMMAND_LINE,
            reserved_until=until,
            expires_at=expires_at,
            **bounds._asdict(),
        )


def fill_slot(slot_id: UUID) -> str | None:
    """Make a token of the slot and return its value. Return None if it was revoked, has expired or is filled."""
    now = timezone.now()
    value = PREFIX + secrets.token_urlsafe(32)
    free = ApiToken.objects.filter(pk=slot_id, digest=None, revoked_at=None, reserved_until__gt=now)
    filled = free.update(digest=digest_of(value), last_four=value[-4:], reserved_until=None, created_at=now)
    return value if filled else None


def require_free_slot(owner: User) -> None:
    """Raise TokenLimitReached at the plan's limit. Pass an account from `lock_account`: parallel calls cannot exceed it."""
    cap = owner.plan.max_tokens
    if cap is not None and slots_taken(owner) >= cap:
        raise TokenLimitReached(limit_message(cap))


def slots_taken(owner: User) -> int:
    """Return how many tokens count against the limit of the plan."""
    return ApiToken.objects.filter(user=owner).taking_a_slot().count()


def limit_message(cap: int) -> str:
    return ngettext(
        "Your plan allows %(cap)s API token. Revoke it to create another.",
        "Your plan allows %(cap)s API tokens. Revoke one to create another.",
        cap,
    ) % {"cap": cap}


def narrow_token(token: ApiToken, **wanted: Any) -> list[str]:
    """Give the token these values of `access`, `board_ids`, `deletes` and `expires_at`. Return which of them differed.

    Raise Wider, and change nothing, if one of them would let the token do more than now.
    """
    with transaction.atomic():
        row = ApiToken.objects.select_for_update(no_key=True, of=("self",)).get(pk=token.pk)
        differing = [name for name, value in wanted.items() if getattr(row, name) != value]
        for name in differing:
            if IS_WIDER[name](getattr(row, name), wanted[name]):
                raise Wider(str(WHY_NOT_WIDER[name]))
            setattr(row, name, wanted[name])
        if differing:
            row.save(update_fields=differing)
    for name in differing:
        setattr(token, name, wanted[name])
    return differing


def _has_other_boards(old: list[str] | None, new: list[str] | None) -> bool:
    return old is not None and (new is None or not {*new} <= {*old})


def _is_later(old: datetime | None, new: datetime | None) -> bool:
    return old is not None and (new is None or new > old)


IS_WIDER: dict[str, Callable[[Any, Any], bool]] = {
    "access": lambda old, new: old == Access.READ,
    "board_ids": _has_other_boards,
    "deletes": lambda old, new: bool(new),
    "expires_at": _is_later,
}
WHY_NOT_WIDER = {
    "access": gettext_lazy("This token may only read. Create a new one to write."),
    "board_ids": gettext_lazy("This token is limited to fewer boards. Create a new one to reach others."),
    "deletes": gettext_lazy("This token may not delete. Create a new one to delete."),
    "expires_at": gettext_lazy("This token expires earlier. Create a new one that works for longer."),
}


def revoke_token(token: ApiToken) -> bool:
    """Revoke the token. Return True only for the call that did it."""
    return _revoke(ApiToken.objects.filter(pk=token.pk)) == 1


def revoke_all(user: User) -> int:
    """Revoke all tokens of the user, those too that a command line has not fetched yet. Return how many."""
    return _revoke(ApiToken.objects.filter(user=user))


def _revoke(tokens: ApiTokenQuerySet) -> int:
    """Revoke these tokens, and forget what their holders have seen. The row is locked first, as in `mark_seen`."""
    with transaction.atomic():
        revoked = tokens.filter(revoked_at=None).update(revoked_at=timezone.now())
        LastLook.objects.filter(token__in=tokens).delete()
    return revoked


def find_live_token(value: str) -> ApiToken | None:
    """Return the live token of this value with its active user, or None. Record its use, at most once a minute."""
    token = find_token(value)
    if token is None or why_refused(token):
        return None
    note_use(token)
    return token


def find_token(value: str) -> ApiToken | None:
    """Return the token of this value with its user, live or not; None when there is none. Every API call begins with it."""
    if not value.startswith(PREFIX):
        return None
    found = sql.select(ApiToken, "WHERE this.digest = %s", [digest_of(value)], "user")
    return found[0] if found else None


def why_refused(token: ApiToken) -> str | None:
    """Return why the token is refused, as the security log has it; None for a live one."""
    if token.revoked_at is not None:
        return "revoked"
    if not token.user.is_active:
        return "account deactivated"
    if token.expires_at is not None and token.expires_at <= timezone.now():
        return "expired"
    return None


def note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= USE_IS_NOTED_EVERY:
        with suppress(OperationalError), not_waiting(), transaction.atomic():  # else the next call notes it
            ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
            token.last_used_at = now
