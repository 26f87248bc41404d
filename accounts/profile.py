"""The profile of an account: what people change of it in their settings and by the API."""

from accounts.models import User


def update_profile(user: User, **values: str) -> None:
    """Save the values that differ; without any nothing is written."""
    changed = {name: value for name, value in values.items() if getattr(user, name) != value}
    for name, value in changed.items():
        setattr(user, name, value)
    if changed:
        user.save(update_fields=changed)
