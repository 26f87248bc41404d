"""The language and time zone of the user who reads a text."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.utils import timezone, translation

if TYPE_CHECKING:
    from accounts.models import User


@contextmanager
def locale_of(user: "User") -> Iterator[None]:
    """Activate the user's language and time zone inside the block."""
    with translation.override(user.language), timezone.override(user.zone):
        yield
