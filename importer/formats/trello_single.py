"""Trello's export of a single card, whose members are those that a card has on its board."""

from typing import Any

from django.utils.translation import gettext as _

from boards.outlines import ListOutline
from importer.formats.json_reading import pieces
from importer.formats.source import Source

MARKS = ("idList", "idBoard")
ELSEWHERE = ("actions", "checklists", "members")  # read like those of a board
LISTS = 1000  # of which the history of a card knows the names


def card_of(source: Source) -> Any:
    """Return the outermost object of the file, without the members that are read piece by piece."""
    with source.path.open("rb") as file:
        return next(pieces(file, [""], ELSEWHERE, still_wanted=source.still_wanted)).value


class ListNames:
    """The names of lists that the history of a card has, the newest name of each."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def note(self, key: str, name: str) -> None:
        if key and name and len(self._names) < LISTS:
            self._names.setdefault(key, name[:500])

    def list_of(self, key: str) -> ListOutline:
        return ListOutline(key, self._names.get(key) or _("Cards"))
