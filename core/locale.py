"""The language and time zone of the user who reads a text."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol
from zoneinfo import ZoneInfo

from django.utils import timezone, translation


class HasLocale(Protocol):
    """A user."""

    language: str

    @property
    def zone(self) -> ZoneInfo: ...


@contextmanager
def locale_of(user: HasLocale) -> Iterator[None]:
    """Activate the user's language and time zone inside the block."""
    with translation.override(user.language), timezone.override(user.zone):
        yield
