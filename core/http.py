from typing import TYPE_CHECKING

from django.http import HttpRequest

if TYPE_CHECKING:
    from django.contrib.auth.models import _User  # what the stubs call the model that AUTH_USER_MODEL names


class SignedInRequest(HttpRequest):
    """The request of a signed-in user, as a view behind a sign-in check gets it."""

    user: "_User"  # type: ignore[assignment]
