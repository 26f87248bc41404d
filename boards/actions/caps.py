"""Cap the rows of a board or card: numbers that nobody meets in good faith, so that its pages stay small."""

from typing import Any

from django.db.models import QuerySet

from boards.errors import LimitReached

LABELS = 500  # of a board
MEMBERS = 1000  # of a board, after whom groups of the OpenID provider add nobody
GROUPS = 50  # of the OpenID provider, of a board
BOARDS_OF_GROUP = 200  # so one sign-in changes at most as many for each group
LISTS = 500  # of a board, archived ones not counted; so one keeps at most as many collapsed
FILTERS = 20  # that a user keeps by name, of a board
CHECKLISTS = 100  # of a card
CARDS_COPIED = 5000  # with a list or a board
ITEMS_COPIED = 20_000  # of checklists, with them
TEXTS_COPIED = 20_000_000  # characters of their descriptions, as they are stored
TEMPLATES = 20  # of one's own, of an account
CARDS_IN_TEMPLATE = 500
ITEMS_IN_TEMPLATE = 5000
TEXTS_IN_TEMPLATE = 1_000_000  # characters of the descriptions, as they are stored
CARDS_SORTED = 1000  # of a list
CARDS_AT_ONCE = 200  # of a list, archived or moved: as many as one Undo takes back
ATTACHMENTS = 500  # of a card
ITEMS = 2000  # of a card, in all of its checklists


def require_room(rows: "QuerySet[Any]", most: int, sentence: str, more: int = 1) -> None:
    """Raise LimitReached if `more` of these rows would be more than `most`. Call it under the board's lock.

    `sentence` has a place for the cap, `%(most)s`.
    """
    if rows.count() + more > most:
        raise LimitReached(sentence % {"most": most}, rows.model)
