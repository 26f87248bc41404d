"""Creates, finds and revokes API tokens.

A plan limits the number of tokens. A slot is one of that number; it is a token row, whose digest is missing while a
command line may still fetch the token (docs/decisions/device-flow.md).
"""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import ngettext

from accounts.models import ApiToken, MadeBy, User
from accounts.models.token import digest_of

PREFIX = "tbk_"
USE_IS_NOTED_EVERY = timedelta(minutes=1)


class TokenLimitReached(Exception):
    """The plan allows no further token. str() is a sentence for people."""


def create_token(
    user: User, name: str, *, made_by: MadeBy = MadeBy.WEB, expires_at: datetime | None = None
) -> tuple[ApiToken, str]:
    """Return the new row and its value, which is stored nowhere. Raise TokenLimitReached at the plan's limit."""
    with transaction.atomic():
        require_free_slot(user)
        value = PREFIX + secrets.token_urlsafe(32)
        token = ApiToken.objects.create(
            user=user,
            name=name,
            digest=digest_of(value),
            last_four=value[-4:],
            made_by=made_by,
            expires_at=expires_at,
        )
    return token, value


def reserve_slot(user: User, name: str, until: datetime) -> ApiToken:
    """Reserve a slot for a command line, which may fetch its token until `until`. Raise TokenLimitReached."""
    with transaction.atomic():
        require_free_slot(user)
        return ApiToken.objects.create(user=user, name=name, made_by=MadeBy.COMMAND_LINE, reserved_until=until)


def fill_slot(slot_id: UUID) -> str | None:
    """Make a token of the slot and return its value. Return None if it was revoked, has expired or is filled."""
    now = timezone.now()
    value = PREFIX + secrets.token_urlsafe(32)
    free = ApiToken.objects.filter(pk=slot_id, digest=None, revoked_at=None, reserved_until__gt=now)
    filled = free.update(digest=digest_of(value), last_four=value[-4:], reserved_until=None, created_at=now)
    return value if filled else None


def require_free_slot(user: User) -> None:
    """Raise TokenLimitReached at the plan's limit. Call inside a transaction, before creating the row.

    The account's row stays locked until the end of the transaction, so that parallel calls cannot exceed the limit.
    """
    owner = get_user_model().objects.select_for_update(no_key=True, of=("self",)).select_related("plan").get(pk=user.pk)
    cap = owner.plan.max_tokens
    if cap is not None and ApiToken.objects.filter(user=owner).taking_a_slot().count() >= cap:
        raise TokenLimitReached(limit_message(cap))


def limit_message(cap: int) -> str:
    return ngettext(
        "Your plan allows %(cap)s API token. Revoke it to create another.",
        "Your plan allows %(cap)s API tokens. Revoke one to create another.",
        cap,
    ) % {"cap": cap}


def revoke_token(token: ApiToken) -> bool:
    """Revoke the token. Return True only for the call that did it."""
    return ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()) == 1


# Every API call begins with this query. It is SQL because the ORM took longer to build it than the database to answer.
USER_FIELDS = ["email", "name", "language", "time_zone", "theme", "plan_id", "is_active"]
FIND_LIVE_TOKEN = f"""
    SELECT t.*, {", ".join(f"u.{name} AS user_{name}" for name in USER_FIELDS)}
    FROM accounts_apitoken t JOIN accounts_user u ON u.id = t.user_id
    WHERE t.digest = %s AND t.revoked_at IS NULL AND u.is_active AND (t.expires_at IS NULL OR t.expires_at > %s)
"""


def find_live_token(value: str) -> ApiToken | None:
    """Return the live token of this value with its active user, or None. Record its use, at most once a minute.

    The user has only USER_FIELDS loaded. Add a field there if API calls read it, or each of them costs a query more.
    """
    if not value.startswith(PREFIX):
        return None
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    token = next(iter(ApiToken.objects.raw(FIND_LIVE_TOKEN, [digest_of(value), now])), None)
    if token is None:
        return None
    values = [token.user_id, *(getattr(token, f"user_{name}") for name in USER_FIELDS)]
    token.user = User.from_db(token._state.db, ["id", *USER_FIELDS], values)
    note_use(token)
    return token


def note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= USE_IS_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
