"""Make the report before an import, without writing a board."""

from collections import Counter
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
from importer.report import KINDS, Loss, Report

PEOPLE = 1000  # whom the report names; what others wrote has their names all the same


def read_report(row: Import, path: Path, still_wanted: Callable[[], None]) -> dict[str, Any]:
    """Read the whole file and return the report. `still_wanted` is called often, and raises to stop.

    Raises Unreadable, which says where and what to do.
    """
    report, boards, people = Report(), list[dict[str, Any]](), dict[str, str]()
    made = Counter[str]()
    for place, outline in enumerate(FORMATS[row.format].read(row.source(path, still_wanted), report)):
        outline.cards = each_wanted(outline.cards, still_wanted)
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
        "things": report.taken(made),
        "boards": boards,
        "losses": report.as_json(),
        "people": [{"key": key, "name": name} for key, name in named],
    }


def key_of(key: str, place: int) -> str:
    return key or f"#{place}"
