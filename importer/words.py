"""Name the contents of a file and of a board in words."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def in_words(counts: Mapping[str, int]) -> str:
    """Return "3 lists, 40 cards (2 archived), 7 comments". What there is none of is left out, but for lists and cards."""
    return ", ".join(_parts(counts))


def things_in_words(things: Mapping[str, int]) -> str:
    """Return "412 things in this file: 405 taken, 7 not"."""
    whole, taken = things["all"], things["taken"]
    if whole == taken:
        text = ngettext("%(all)s thing in this file: all taken.", "%(all)s things in this file: all taken.", whole)
    else:
        text = ngettext(
            "%(all)s thing in this file: %(taken)s taken, %(left)s not.",
            "%(all)s things in this file: %(taken)s taken, %(left)s not.",
            whole,
        )
    return text % {"all": whole, "taken": taken, "left": whole - taken}


def _parts(counts: Mapping[str, int]) -> Iterator[str]:
    lists, cards, archived = counts["lists"], counts["cards"], counts["archived"]
    yield ngettext("%(number)s list", "%(number)s lists", lists) % {"number": lists}
    of_cards = ngettext("%(number)s card", "%(number)s cards", cards) % {"number": cards}
    yield f"{of_cards} ({_('%(number)s archived') % {'number': archived}})" if archived else of_cards
    if number := counts["labels"]:
        yield ngettext("%(number)s label", "%(number)s labels", number) % {"number": number}
    if number := counts["checklists"]:
        yield ngettext("%(number)s checklist", "%(number)s checklists", number) % {"number": number}
    if number := counts["comments"]:
        yield ngettext("%(number)s comment", "%(number)s comments", number) % {"number": number}
    if number := counts["files"]:
        yield ngettext("%(number)s file", "%(number)s files", number) % {"number": number}
