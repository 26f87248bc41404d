"""The row below a board's head while a filter is on: a chip for each of its conditions, and how many cards it keeps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from boards.models import Board, Label, Membership
from boards.reading.filters import ME, NOBODY, BoardFilter
from web.boards.columns import Filtered
from web.my.narrowing import dues


def render_filter_bar(
    shown: Board, wanted: BoardFilter, found: Filtered, labels: Iterable[Label], members: Sequence[Membership]
) -> SafeString:
    """Render it of labels and members (with `user` loaded) of the board."""
    context = {
        "board": shown,
        "chips": [(words, rest.address()) for words, rest in conditions(wanted, labels, members)],
        "said": cards_kept(found.kept, found.every, found.every),
        "one": cards_kept("{count}", "{all}", 1),
        "other": cards_kept("{count}", "{all}", 2),
    }
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
    between = pgettext("between values", ", ")
    return [
        (_("%(kind)s: %(values)s") % {"kind": kind, "values": between.join(values)}, rest)
        for kind, values, rest in found
        if values
    ]


def words_of(values: Iterable[str], words: Mapping[str, str]) -> list[str]:
    return [words[value] for value in values]


def cards_kept(count: object, all_cards: object, number: int) -> str:
    """Say it of `number` cards. static/js/board/filter-bar.js says it too, of the placeholders {count} and {all}."""
    words = ngettext("%(count)s of %(all)s card", "%(count)s of %(all)s cards", number)
    return words % {"count": count, "all": all_cards}


def states() -> list[tuple[str, str]]:
    return [("0", _("Not done")), ("1", _("Done"))]


def changes() -> list[tuple[str, str]]:
    return [("day", _("In the last 24 hours")), ("week", _("In the last 7 days"))]
