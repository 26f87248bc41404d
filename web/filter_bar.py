"""The row below the head of a page of cards while a filter is on: a chip for each condition, and how many cards it keeps."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

Rest = TypeVar("Rest")


def render_bar(chips: Sequence[tuple[str, str]], clear: str, said: str, **of_board: object) -> SafeString:
    """Render a row of chips, each in words with the address that it leads to; "" if there are none. `clear` is the address
    without a filter.
    """
    context = {"chips": chips, "clear": clear, "said": said} | of_board
    return render_to_string("web/partials/board/filter_bar.html", context) if chips else SafeString()


def in_words(found: Iterable[tuple[str, Sequence[str], Rest]]) -> list[tuple[str, Rest]]:
    """Name each kind of condition that has values, and return the filter without it too."""
    between = pgettext("between values", ", ")
    return [
        (_("%(kind)s: %(values)s") % {"kind": kind, "values": between.join(values)}, rest)
        for kind, values, rest in found
        if values
    ]


def cards_said(number: int, every: int | None) -> str:
    """Say how many cards a page has. `every` is their number without the filter, or None where none is on."""
    if every is not None:
        return cards_kept(number, every, every)
    return ngettext("%(number)s card", "%(number)s cards", number) % {"number": number}


def cards_kept(count: object, all_cards: object, number: int) -> str:
    """Say that a filter keeps `count` of `all_cards`, with the plural of `number`. static/js/board/filter-bar.js says it too, of
    the placeholders {count} and {all}.
    """
    words = ngettext("%(count)s of %(all)s card", "%(count)s of %(all)s cards", number)
    return words % {"count": count, "all": all_cards}
