"""The fields that narrow a search: a choice of one board, and menus in which several values of a kind are ticked."""

from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from boards.reader import Reader
from boards.reading.filters import ME, NOBODY
from boards.reading.search_filters import State
from boards.reading.search_page import Known, label_names
from web.boards.filter_bar import changes
from web.my.narrowing import OFFERED, Field, dues, of_boards
from web.search.asked import Asked

FEW = 8  # choices that are seen at a glance


class Menu(NamedTuple):
    name: str
    label: str
    chosen: tuple[str, ...]
    offered: list[tuple[str, str]]  # values, and their words
    find: str = ""  # the label of the field that finds some of many choices

    @property
    def is_long(self) -> bool:
        return len(self.offered) > FEW

    @property
    def said(self) -> str:
        """Say what is chosen: one value in words, several by their number. static/js/search/narrow.js says it too."""
        return dict(self.offered)[self.chosen[0]] if len(self.chosen) == 1 else str(len(self.chosen) or "")

    @property
    def ticks(self) -> SafeString:
        """Render the choices in Python, as web/my/narrowing.py does options: there may be hundreds."""
        return SafeString(
            "".join(
                f'<label class="pick"><input type="checkbox" name="{self.name}" value="{escape(value)}"'
                f'{" checked" if value in self.chosen else ""}><span dir="auto">{escape(words)}</span></label>'
                for value, words in self.offered
            )
        )


def board_field(asked: Asked, mine: Reader, known: Known) -> Field:
    return of_boards(asked.board, [(str(board.pk), board.title) for board in known.boards[:OFFERED]], mine)


def menus_of(asked: Asked, mine: Reader, known: Known) -> list[Menu]:
    """Return the menus, without those that have nothing to choose: one statement."""
    labels = dict.fromkeys([*label_names(mine), *asked.labels])  # one of many, or renamed, is offered too
    menus = [
        Menu("label", _("Label"), asked.labels, [(name, name) for name in labels], _("Filter labels")),
        _people(asked, mine.user, known),
        Menu("due", _("Due"), asked.due, dues()),
        Menu("state", _("Status"), asked.states, [(State.OPEN, _("Not done")), (State.DONE, _("Done"))]),
        Menu("changed", _("Changed"), asked.changed, changes()),
    ]
    return [menu for menu in menus if menu.offered]


def _people(asked: Asked, user: User, known: Known) -> Menu:
    chosen = tuple(dict.fromkeys(ME if one == str(user.pk) else one for one in asked.people))
    names = {str(one.pk): one.display_name for one in known.people}
    offered = {ME: _("Me"), NOBODY: _("No one")} | dict([*names.items()][:OFFERED])
    offered |= {one: names.get(one, _("Former member")) for one in chosen if one not in offered}
    return Menu("who", _("Assigned to"), chosen, [*offered.items()], _("Filter people"))
