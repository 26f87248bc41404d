"""Name the contents of a file and of a board in words."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.text.lists import join_items
from importer.formats import FORMATS
from importer.models import Import


def in_words(counts: Mapping[str, int]) -> str:
    """Return "3 lists, 40 cards (2 archived), 7 comments". What there is none of is left out, but for lists and cards."""
    return join_items(_parts(counts))


def things_in_words(things: Mapping[str, int]) -> str:
    """Return "412 items in this file: 405 will be imported, 7 won't"."""
    whole, taken = things["all"], things["taken"]
    if whole == taken:
        text = ngettext(
            "%(all)s item in this file will be imported.", "All %(all)s items in this file will be imported.", whole
        )
    else:
        text = ngettext(
            "%(all)s item in this file: %(taken)s will be imported, %(left)s won't.",
            "%(all)s items in this file: %(taken)s will be imported, %(left)s won't.",
            whole,
        )
    return text % {"all": whole, "taken": taken, "left": whole - taken}


def beside_in_words(row: Import) -> str:
    """Say what the answers to the questions beside the report are for, or what they have done."""
    if any(row.secrets.values()):
        text = _("This preview was made with your key and token. Files that %(service)s refused are counted above.")
    else:
        text = _(
            "Enter a key and a token to see which files %(service)s gives out. The preview is updated, and nothing is "
            "imported yet."
        )
    return text % {"service": FORMATS[row.format].TITLE}


def _parts(counts: Mapping[str, int]) -> Iterator[str]:
    lists, cards, archived = counts["lists"], counts["cards"], counts["archived"]
    yield ngettext("%(number)s list", "%(number)s lists", lists) % {"number": lists}
    of_cards = ngettext("%(number)s card", "%(number)s cards", cards) % {"number": cards}
    of_archived = _("%(number)s archived") % {"number": archived}
    yield f"{of_cards} ({of_archived})" if archived else of_cards
    if number := counts["labels"]:
        yield ngettext("%(number)s label", "%(number)s labels", number) % {"number": number}
    if number := counts["checklists"]:
        yield ngettext("%(number)s checklist", "%(number)s checklists", number) % {"number": number}
    if number := counts["comments"]:
        yield ngettext("%(number)s comment", "%(number)s comments", number) % {"number": number}
    if number := counts["files"]:
        yield ngettext("%(number)s file", "%(number)s files", number) % {"number": number}
