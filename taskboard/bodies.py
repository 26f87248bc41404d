"""The largest body of a request, by its path: 1 MiB, but for the forms with files that settings.LARGE_BODIES names."""

import re

from django.conf import settings


def large_body_of(path: str) -> int:
    """Return how many bytes a form with files at this path may have; 0 if there is none."""
    return next((most for pattern, most in settings.LARGE_BODIES.items() if re.fullmatch(pattern, path)), 0)
