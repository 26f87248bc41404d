"""The report before an import: what will be made, and what cannot be taken. It writes no board."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from boards.actions.imports import check_board
from importer.attempts import each_wanted
from importer.formats import FORMATS
from importer.formats.source import Unreadable
from importer.models import Import
from importer.report import Report

PEOPLE = 1000  # whom the report names; what others wrote has their names all the same


def read_report(row: Import, path: Path, still_wanted: Callable[[], None]) -> dict[str, Any]:
    """Read the whole file and return the report. `still_wanted` is called often, and raises to stop.

    Raises Unreadable, which says where and what to do.
    """
    report, boards, people = Report(), list[dict[str, Any]](), dict[str, str]()
    for place, outline in enumerate(FORMATS[row.format].read(row.source(path, still_wanted), report)):
        outline.cards = each_wanted(outline.cards, still_wanted)
        counts = check_board(
            user=row.user,
            outline=outline,
            losses=report,
            where=f"{outline.title[:40]}: " if place else "",
            bytes_before=sum(board["counts"]["bytes"] for board in boards),
        )
        people |= {person.key: person.name[:100] for person in outline.people if person.key}
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
    named = sorted(people.items(), key=lambda one: one[1].casefold())[:PEOPLE]
    return {
        "boards": boards,
        "losses": report.as_json(),
        "people": [{"key": key, "name": name} for key, name in named],
    }


def key_of(key: str, place: int) -> str:
    return key or f"#{place}"
