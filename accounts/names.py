"""The form field for names of people and of API tokens."""

import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MAX_LENGTH = 100
REFUSED_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}  # control characters, lone surrogates, line and paragraph separators
# Bidirectional controls, with which a name could reverse the text around it.
TURNS_TEXT_AROUND = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class NameField(forms.CharField):
    """One line of visible text, trimmed. A text without visible characters counts as empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_LENGTH, **options)

    def to_python(self, value: object) -> str:
        name = super().to_python(value) or ""
        return name if any(is_visible(sign) for sign in name) else ""

    def validate(self, value: str) -> None:
        super().validate(value)
        if any(is_refused(sign) for sign in value):
            raise ValidationError(
                _("Enter a single line of text without control characters."), code="control_characters"
            )


def clean_name(value: str) -> str:
    """Return the name as forms keep it, "" where nothing of it is visible. Raises ValidationError."""
    return NameField(required=False).clean(value)


def is_visible(sign: str) -> bool:
    return is_refused(sign) or (sign.isprintable() and not sign.isspace())


def is_refused(sign: str) -> bool:
    return unicodedata.category(sign) in REFUSED_CATEGORIES or sign in TURNS_TEXT_AROUND
