from django.http import HttpRequest

from accounts.models import User


class SignedIn(HttpRequest):
    """A request behind login_required."""

    user: User  # type: ignore[assignment]
