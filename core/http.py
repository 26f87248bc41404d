from typing import TYPE_CHECKING

from django.http import HttpRequest

if TYPE_CHECKING:
    from django.contrib.auth.models import _User  # what the stubs call the model that AUTH_USER_MODEL names


class SignedInRequest(HttpRequest):
    """A request of a signed-in user: what a view gets behind a sign-in guard."""

    user: "_User"  # type: ignore[assignment]
