from typing import TYPE_CHECKING

from django.http import HttpRequest

if TYPE_CHECKING:
    from accounts.models import User


class SignedInRequest(HttpRequest):
    """The request of a signed-in user, as a view behind a sign-in check gets it."""

    user: "User"  # type: ignore[assignment]
