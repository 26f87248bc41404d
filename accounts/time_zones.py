"""The time zones to choose from."""

import functools
import zoneinfo
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Group = tuple[str | Promise, list[tuple[str, str]]]
NOT_PLACES = {"Factory", "localtime"}
REGIONS = (
    *("Africa", "America", "Antarctica", "Arctic", "Asia"),
    *("Atlantic", "Australia", "Europe", "Indian", "Pacific"),
)


def zone_named(name: str) -> zoneinfo.ZoneInfo:
    """Return the zone, or that of the service if this machine does not know it, as after a change of its database of zones.

    One account's zone must not stop work for all, nor keep its person out.
    """
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return zoneinfo.ZoneInfo(settings.TIME_ZONE)


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


def suggestions() -> list[str]:
    """Return what to suggest while somebody types: UTC and the places, such as "Europe/Berlin (UTC+1)"."""
    return _suggestions(timezone.now().replace(minute=0, second=0, microsecond=0))


@functools.lru_cache(maxsize=1)  # reading the offsets of all zones takes 0.1 s
def _suggestions(moment: datetime) -> list[str]:
    return ["UTC", *(with_offset(name, moment) for name in sorted(_places()))]


@functools.cache
def _places() -> frozenset[str]:
    return frozenset(name for name in names() if name.startswith(tuple(f"{region}/" for region in REGIONS)))


def with_offset(name: str, moment: datetime) -> str:
    """Return the name as people read it, with its offset from UTC at that moment."""
    offset = moment.astimezone(zoneinfo.ZoneInfo(name)).utcoffset() or timedelta()
    minutes = round(offset.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    sign = "\N{MINUS SIGN}" if minutes < 0 else "+"
    return f"{_spoken(name)} (UTC{sign}{hours}{f':{rest:02}' if rest else ''})"


def find(typed: str) -> str | None:
    """Return the name of the zone: typed in any case, as a suggestion, or as the place alone. None if it is not one."""
    wanted = _spoken(typed.partition("(")[0]).strip().casefold()
    return _by_words().get(wanted)


@functools.cache
def _by_words() -> dict[str, str]:
    """Return the zones by what may be typed for them. A place that two zones share is not one of the keys."""
    by_place: dict[str, set[str]] = {}
    for name in _places():
        by_place.setdefault(_spoken(name.rpartition("/")[2]).casefold(), set()).add(name)
    alone = {place: found.pop() for place, found in by_place.items() if len(found) == 1}
    return alone | {_spoken(name).casefold(): name for name in names()}


def _spoken(name: str) -> str:
    return name.replace("_", " ")
