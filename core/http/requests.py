from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.http import HttpRequest

if TYPE_CHECKING:
    from django.contrib.auth.models import _User  # what the stubs call the model that AUTH_USER_MODEL names


class SignedInRequest(HttpRequest):
    """The request of a signed-in user, as a view behind a sign-in check gets it."""

    user: "_User"  # type: ignore[assignment]


def path_in(address: str) -> str:
    """Return the path of an address that a browser sent in a header; an empty text if it is none."""
    try:
        return urlsplit(address).path
    except ValueError:
        return ""
