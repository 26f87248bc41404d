"""The row below the head of a board while a filter is on, and the conditions of a board's filter in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boards.models import Board, Label, Membership
from boards.reading.filters import ME, NOBODY, BoardFilter
from web.boards.columns import Filtered
from web.filter_bar import cards_kept, in_words, render_bar
from web.my.narrowing import dues


def render_filter_bar(
    shown: Board, wanted: BoardFilter, found: Filtered, labels: Iterable[Label], members: Sequence[Membership]
) -> SafeString:
    """Render the row of a board. `members` have `user` loaded."""
    page = shown.get_absolute_url()
    chips = [(words, f"{page}?{rest.address()}".rstrip("?")) for words, rest in conditions(wanted, labels, members)]
    words = {"one": cards_kept("{count}", "{all}", 1), "other": cards_kept("{count}", "{all}", 2)}
    return render_bar(chips, page, cards_kept(found.kept, found.every, found.every), is_board=True, **words)


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


def words_of(values: Iterable[str], words: Mapping[str, str]) -> list[str]:
    return [words[value] for value in values]


def states() -> list[tuple[str, str]]:
    return [("0", _("Not done")), ("1", _("Done"))]


def changes() -> list[tuple[str, str]]:
    return [("day", _("In the last 24 hours")), ("week", _("In the last 7 days"))]
