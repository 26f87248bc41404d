"""Make the report before an import, without writing a board."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from boards.actions.imports import check_board
from boards.losses import Loss
from boards.outlines import PersonOutline
from importer.attempts import watch
from importer.formats import FORMATS
from importer.formats.source import Unreadable
from importer.models import Import
from importer.report import KINDS, Report

PEOPLE = 1000  # whom the report names; what others wrote has their names all the same


def read_report(row: Import, path: Path, still_wanted: Callable[[], None]) -> dict[str, Any]:
    """Read the whole file and return the report. `still_wanted` is called often, and raises to stop.

    Raises Unreadable, which says where and what to do.
    """
    report, boards, people = Report(), list[dict[str, Any]](), dict[str, PersonOutline]()
    made = Counter[str]()
    for place, outline in enumerate(FORMATS[row.format].read(row.source(path, still_wanted), report)):
        watch(outline, still_wanted)
        unknown_lists = report.counts[Loss.UNKNOWN_LIST]
        counts = check_board(
            user=row.user,
            outline=outline,
            losses=report,
            where=f"{outline.title[:40]}: " if place else "",
            bytes_before=sum(board["counts"]["bytes"] for board in boards),
        )
        made += Counter({kind: getattr(counts, kind, 1) for kind in KINDS})  # and the board itself
        if report.counts[Loss.UNKNOWN_LIST] > unknown_lists:
            made["lists"] -= 1  # that of cards whose list the file does not have
        people |= {person.key: person for person in outline.people if person.key}
        archived = outline.archived_at is not None
        boards.append(
            {
                "key": key_of(outline.key, place),
                "title": outline.title[:200],
                "archived": archived,
                "counts": asdict(counts),
            }
        )
    if not boards:
        raise Unreadable(_("There is no board in this file."))
    me = own_key(row.user, people.values())
    named = sorted(people.values(), key=lambda one: (one.key != me, one.name.casefold()))[:PEOPLE]
    return {
        "things": report.taken(made),
        "boards": boards,
        "losses": report.as_json(),
        "people": [{"key": one.key, "name": one.name[:100]} for one in named],
        "me": me,
    }


def own_key(user: User, people: Collection[PersonOutline]) -> str:
    """Return the key of the one person with the account's email address, or else of the one with its name.

    It is "" where nobody has them, or where several people do.
    """
    for own in filter(None, (user.email.casefold(), user.name.casefold())):
        found = [
            one.key for one in people if own in (one.email.casefold(), one.username.casefold(), one.name.casefold())
        ]
        if found:
            return found[0] if len(found) == 1 else ""
    return ""


def key_of(key: str, place: int) -> str:
    return key or f"#{place}"
