"""Times as people type them after an option."""

from datetime import datetime

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime


def moment(option: str, text: str) -> datetime:
    """Return the time; a date is its beginning."""
    try:
        found = parse_datetime(text) or datetime.combine(parse_date(text), datetime.min.time())  # type: ignore[arg-type]
    except (ValueError, TypeError):
        raise CommandError(f"{option}: write a time as in 2026-12-01 or 2026-12-01T09:00:00Z.") from None
    return found if timezone.is_aware(found) else found.replace(tzinfo=timezone.get_default_timezone())
