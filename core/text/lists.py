"""Names in a row, for people: with what their language writes between them. Logs, CSV and REST write commas."""

from collections.abc import Iterable

from django.utils.translation import pgettext


def join_items(items: Iterable[object]) -> str:
    """Return "A, B, C"."""
    return pgettext("between the items of a list", ", ").join(map(str, items))


def join_with_and(items: Iterable[object]) -> str:
    """Return "A, B and C", for a list within a sentence."""
    *others, last = [*items] or [""]
    if not others:
        return str(last)
    return pgettext("list", "%(items)s and %(last)s") % {"items": join_items(others), "last": last}
