from typing import TYPE_CHECKING

from django.http import HttpRequest

if TYPE_CHECKING:
    from accounts.models import User


class SignedInRequest(HttpRequest):
    """A request of a signed-in user: what a view gets behind a sign-in guard."""

    user: "User"  # type: ignore[assignment]
