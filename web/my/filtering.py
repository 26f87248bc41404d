"""The filter of *My work*, as a list and as a table: its form, and the row with its conditions."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.utils.translation import gettext as _

from boards.reader import Reader
from boards.reading.search_page import label_names
from boards.reading.search_words import QUERY
from boards.reading.work import MyBoard
from core.text.folding import fold
from web.filter_bar import in_words, render_bar
from web.my.asked import EVERYTHING, Asked
from web.my.narrowing import OFFERED, Field, of_boards, of_due, of_labels


def filter_context(
    mine: Reader, asked: Asked, boards: Iterable[MyBoard], address: Callable[[Asked], str], said: str
) -> dict[str, Any]:
    """Return the context of templates/web/my/filter.html and `filter_bar`: a statement, and another for a board not offered.

    `address` returns where the page asks for other cards, and `said` is how many cards it has.
    """
    offered = sorted(list(boards)[:OFFERED], key=lambda one: fold(one.title))
    narrowing = [
        of_boards(asked.filter.board, ((str(one.pk), one.title) for one in offered), mine),
        of_labels(asked.filter.label, label_names(mine)),
        of_due(asked.filter.due),
    ]
    clear = address(replace(asked, filter=EVERYTHING))
    chips = [(words, address(rest)) for words, rest in _conditions(asked, narrowing)]
    return {
        "narrowing": narrowing,
        "filter": asked.filter,
        "filter_kinds": len(asked.filter_fields),
        "longest": QUERY,
        "kept": parse_qsl(urlsplit(clear).query),
        "clear": clear,
        "filter_bar": render_bar(chips, clear, said),
    }


def _conditions(asked: Asked, narrowing: Iterable[Field]) -> list[tuple[str, Asked]]:
    """Return each condition in words, and what asks for the cards without it."""
    found = [("query", _("Text"), asked.filter.query)]
    found += [(one.name, one.label, one.words) for one in narrowing if one.chosen]
    return in_words((label, [words] if words else [], asked.without(name)) for name, label, words in found)
