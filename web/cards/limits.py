"""Warn a user who has just put a card into a list that has more cards than its limit."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from boards.models import List
from boards.reading.columns import count_cards


def warnings(rows: Iterable[List]) -> list[str]:
    """Say of each list that has more open cards than its limit that it has."""
    limits = {row: row.card_limit for row in rows if row.card_limit is not None}
    totals = count_cards([row.pk for row in limits]) if limits else {}
    return [_words(row, totals[row.pk], limit) for row, limit in limits.items() if totals[row.pk] > limit]


def _words(row: List, total: int, limit: int) -> str:
    values = {"list": row.title, "cards": total, "limit": limit}
    return _("“%(list)s” is over its limit: %(cards)s of %(limit)s.") % values


def with_warning(text: str, row: List | None) -> str:
    return with_warnings(text, [row] if row else [])


def with_warnings(text: str, rows: Iterable[List]) -> str:
    return " · ".join([text, *warnings(rows)])
