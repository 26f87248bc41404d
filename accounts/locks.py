from uuid import UUID

from django.core.exceptions import PermissionDenied

from accounts.models import User


class AccountChanged(PermissionDenied):
    """The password was changed, the sessions ended, or the account (de)activated or deleted since the request began."""


def lock_account(user: User) -> User:
    """Return the account with its plan, locked until the end of the transaction.

    Raise AccountChanged if it is not what it was when `user` was read: what somebody began with the old password, while
    the owner recovered the account, must not end after the recovery.
    """
    now = User.objects.select_for_update(no_key=True, of=("self",)).select_related("plan").get(pk=user.pk)
    if now.is_active != user.is_active or now.get_session_auth_hash() != user.get_session_auth_hash():
        raise AccountChanged
    return now


def lock_undeleted_account(user_id: UUID) -> None:
    """Lock the account until the end of the transaction. Raise AccountChanged if it was deleted since it was read."""
    if User.objects.select_for_update(no_key=True).get(pk=user_id).is_former:
        raise AccountChanged
