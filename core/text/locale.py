"""The language, time zone and forms of dates of the user who reads a text."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol
from zoneinfo import ZoneInfo

from django.utils import timezone, translation

from core.text.dates import forms_of_dates


class HasLocale(Protocol):
    """A user."""

    language: str
    date_form: str
    clock: str

    @property
    def zone(self) -> ZoneInfo: ...


def language_tag(code: str) -> str:
    """Return the language as BCP 47 has it, as in pt-BR and zh-Hans: a region in capitals, a script with one."""
    base, _dash, part = code.partition("-")
    return f"{base}-{part.upper() if len(part) == 2 else part.capitalize()}" if part else base


@contextmanager
def locale_of(user: HasLocale) -> Iterator[None]:
    """Activate the user's language, time zone and forms of dates inside the block."""
    forms = forms_of_dates(user.date_form, user.clock)
    with translation.override(user.language), timezone.override(user.zone), forms:
        yield
