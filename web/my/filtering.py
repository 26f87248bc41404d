"""The form of the filter of *My work*, as a list and as a table."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from boards.reader import Reader
from boards.reading.search_page import label_names
from boards.reading.search_words import QUERY
from boards.reading.work import MyBoard
from core.text.folding import fold
from web.my.asked import Asked
from web.my.narrowing import OFFERED, of_boards, of_due, of_labels


def filter_context(mine: Reader, asked: Asked, boards: Iterable[MyBoard], clear: str) -> dict[str, Any]:
    """Return the context of templates/web/my/filter.html: a statement, and another for a board not offered.

    `clear` is the address without the filter, whose fields the form keeps.
    """
    offered = sorted(list(boards)[:OFFERED], key=lambda one: fold(one.title))
    return {
        "narrowing": [
            of_boards(asked.filter.board, ((str(one.pk), one.title) for one in offered), mine),
            of_labels(asked.filter.label, label_names(mine)),
            of_due(asked.filter.due),
        ],
        "filter": asked.filter,
        "filter_kinds": len(asked.filter_fields),
        "longest": QUERY,
        "kept": parse_qsl(urlsplit(clear).query),
        "clear": clear,
    }
