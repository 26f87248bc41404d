"""The time zones to choose from."""

import functools
import zoneinfo

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Group = tuple[str | Promise, list[tuple[str, str]]]
NOT_PLACES = {"Factory", "localtime"}


@functools.cache
def names() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones() - NOT_PLACES)


@functools.cache
def choices() -> list[Group]:
    """Return the options of a select: UTC, then groups by region. The label is the place alone, so typing finds it."""
    regions: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(names() - {"UTC"}):
        region, _slash, place = name.partition("/")
        regions.setdefault(region if place else "", []).append((name, (place or name).replace("_", " ")))
    others = regions.pop("", [])
    return [(_("Universal"), [("UTC", "UTC")]), *regions.items(), (_("Other"), others)]
