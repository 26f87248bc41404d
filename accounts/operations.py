"""Changes by operators to accounts and tokens, done and logged here for the admin and for commands.

`request` is None for commands. `by` is the operator.
"""

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import HttpRequest

from accounts.locks import lock_undeleted_account
from accounts.models import ApiToken, Plan, User
from accounts.recovery import deactivate, end_sessions
from accounts.tokens import revoke_token
from security.events import log_event
from security.models import EventKind

Operator = User | AnonymousUser  # as requests type their user; the admin lets nobody in who is not signed in


@transaction.atomic
def switch(user: User, active: bool, request: HttpRequest | None, by: Operator) -> None:
    """Activate or deactivate the account. Deactivation ends its sessions, live pages and API tokens at once.

    Raise AccountChanged, and activate nothing, if the account was deleted meanwhile.
    """
    if active:
        lock_undeleted_account(user.pk)
        user.is_active = True
        user.save(update_fields=["is_active"])
    else:
        deactivate(user)
    log_event(EventKind.ACTIVATED if active else EventKind.DEACTIVATED, request, user=user, by=by)


@transaction.atomic
def sign_out_everywhere(user: User, request: HttpRequest | None, by: Operator) -> None:
    end_sessions(user)
    log_event(EventKind.SESSIONS_ENDED, request, user=user, by=by)


@transaction.atomic
def put_on_plan(user: User, plan: Plan, by: Operator) -> None:
    lock_undeleted_account(user.pk)
    user.plan = plan
    user.save(update_fields=["plan"])
    log_plan(user, None, by)


def log_plan(user: User, request: HttpRequest | None, by: Operator) -> None:
    log_event(EventKind.PLAN_CHANGED, request, user=user, by=by, name=user.plan.name)


@transaction.atomic
def revoke(token: ApiToken, request: HttpRequest | None, by: Operator) -> bool:
    """Revoke the token. Return True only for the call that did it."""
    if not revoke_token(token):
        return False
    log_event(EventKind.TOKEN_REVOKED, request, user=token.user, by=by, name=token.name)
    return True
