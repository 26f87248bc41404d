"""The row below the head of a page of cards while a filter is on: a chip for each condition, and how many cards it keeps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from boards.models import Board, Label, Membership
from boards.reading.filters import ME, NOBODY, BoardFilter
from web.boards.columns import Filtered
from web.my.narrowing import dues

Rest = TypeVar("Rest")


def render_filter_bar(
    shown: Board, wanted: BoardFilter, found: Filtered, labels: Iterable[Label], members: Sequence[Membership]
) -> SafeString:
    """Render that of a board, of its labels and members (with `user` loaded)."""
    page = shown.get_absolute_url()
    chips = [(words, f"{page}?{rest.address()}".rstrip("?")) for words, rest in conditions(wanted, labels, members)]
    words = {"one": cards_kept("{count}", "{all}", 1), "other": cards_kept("{count}", "{all}", 2)}
    return render_bar(chips, page, cards_kept(found.kept, found.every, found.every), is_board=True, **words)


def render_bar(chips: Iterable[tuple[str, str]], clear: str, said: str, **of_board: object) -> SafeString:
    """Render a row of chips, each in words with the address that it leads to. `clear` is the address without a filter."""
    context = {"chips": chips, "clear": clear, "said": said} | of_board
    return render_to_string("web/partials/board/filter_bar.html", context)


def conditions(
    wanted: BoardFilter, labels: Iterable[Label], members: Iterable[Membership]
) -> list[tuple[str, BoardFilter]]:
    """Return each condition in words, and the filter without it."""
    people = {ME: _("Me"), NOBODY: _("No one")} | {str(row.user.pk): row.user.display_name for row in members}
    names = {label.pk: label.name for label in labels}
    found = [
        (_("Text"), [wanted.query] if wanted.query else [], replace(wanted, query="")),
        (_("Labels"), [names.get(pk, _("Deleted label")) for pk in wanted.labels], replace(wanted, labels=())),
        (_("Assigned to"), [people.get(one, _("Former member")) for one in wanted.people], replace(wanted, people=())),
        (_("Due"), words_of(wanted.due, dict(dues())), replace(wanted, due=())),
        (_("Status"), words_of(wanted.done, dict(states())), replace(wanted, done=())),
        (_("Changed"), words_of(wanted.changed, dict(changes())), replace(wanted, changed=())),
    ]
    return in_words(found)


def in_words(found: Iterable[tuple[str, Sequence[str], Rest]]) -> list[tuple[str, Rest]]:
    """Name each kind of condition that has values, and return the filter without it too."""
    between = pgettext("between values", ", ")
    return [
        (_("%(kind)s: %(values)s") % {"kind": kind, "values": between.join(values)}, rest)
        for kind, values, rest in found
        if values
    ]


def words_of(values: Iterable[str], words: Mapping[str, str]) -> list[str]:
    return [words[value] for value in values]


def cards_said(number: int, every: int | None) -> str:
    """Say how many cards a page has; of `every` card, if a filter is on."""
    if every is not None:
        return cards_kept(number, every, every)
    return ngettext("%(number)s card", "%(number)s cards", number) % {"number": number}


def cards_kept(count: object, all_cards: object, number: int) -> str:
    """Say it of `number` cards. static/js/board/filter-bar.js says it too, of the placeholders {count} and {all}."""
    words = ngettext("%(count)s of %(all)s card", "%(count)s of %(all)s cards", number)
    return words % {"count": count, "all": all_cards}


def states() -> list[tuple[str, str]]:
    return [("0", _("Not done")), ("1", _("Done"))]


def changes() -> list[tuple[str, str]]:
    return [("day", _("In the last 24 hours")), ("week", _("In the last 7 days"))]
