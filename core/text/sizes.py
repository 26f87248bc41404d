"""Sizes of files in words."""

import re

from django.template.defaultfilters import filesizeformat


def size_in_words(size: float) -> str:
    """Return the size as in 25 MB or 1.5 MB: Django writes 25.0 MB."""
    return re.sub(r"(?<=\d)[.,]0(?!\d)", "", filesizeformat(size))
