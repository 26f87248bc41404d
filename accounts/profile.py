"""The profile of an account: what people change of it in their settings and by the API."""

from collections.abc import Collection

from accounts.locks import AccountChanged
from accounts.models import User
from core.text.names import FORMER


def update_profile(user: User, **values: str) -> None:
    """Save the values that differ; without any nothing is written."""
    changed = {name: value for name, value in values.items() if getattr(user, name) != value}
    for name, value in changed.items():
        setattr(user, name, value)
    if changed:
        save_profile(user, changed)


def save_profile(user: User, fields: Collection[str]) -> None:
    """Save these fields. Raise AccountChanged, and fill nothing again, if the account was deleted since it was read."""
    values = {name: getattr(user, name) for name in fields}
    if not User.objects.filter(pk=user.pk).exclude(email__startswith=FORMER).update(**values):
        raise AccountChanged
