"""How many rows a board or card may have: numbers that nobody meets in good faith, so that its pages stay small."""

from typing import Any

from django.db.models import QuerySet

from boards.errors import LimitReached

LABELS = 500  # of a board
LISTS = 500  # of a board, archived ones not counted
CHECKLISTS = 100  # of a card
ITEMS = 2000  # of a card, in all of its checklists


def require_room(rows: "QuerySet[Any]", most: int, sentence: str, more: int = 1) -> None:
    """Raise LimitReached if `more` of these rows would be more than `most`. Call it under the board's lock.

    `sentence` has a place for the cap, `%(most)s`.
    """
    if rows.count() + more > most:
        raise LimitReached(sentence % {"most": most})
