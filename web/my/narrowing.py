"""Fields that narrow a list of cards over all boards: those of *My work*, some of which the search has too (web/search/)."""

from collections.abc import Iterable
from html import escape
from typing import NamedTuple
from uuid import UUID

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boards.models import Board
from boards.reader import Reader
from boards.text import FORBIDDEN, LABEL

OFFERED = 500  # boards, and people


class Field(NamedTuple):
    """A field to choose in. `any` are the words for what does not narrow."""

    name: str
    label: str
    any: str
    chosen: str
    offered: list[tuple[str, str]]  # values, and their words

    @property
    def words(self) -> str:
        """Return the words of the chosen value; "Unknown" for a board that the reader has lost."""
        return dict(self.offered).get(self.chosen) or _("Unknown")

    @property
    def options(self) -> SafeString:
        return options(self.offered, self.chosen)


def options(offered: Iterable[tuple[str, str]], chosen: str) -> SafeString:
    """Render the options of a choice in Python: people have up to OFFERED boards, which take a template several times as long."""
    return SafeString(
        "".join(
            f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(words)}</option>'
            for value, words in offered
        )
    )


def of_boards(chosen: UUID | None, offered: Iterable[tuple[str, str]], mine: Reader) -> Field:
    boards = list(offered)
    if chosen and str(chosen) not in dict(boards):  # one of many, or archived
        boards += [(str(board.pk), board.title) for board in Board.objects.visible_to(mine).filter(pk=chosen)]
    return Field("board", _("Board"), _("Any board"), str(chosen or ""), boards)


def of_labels(chosen: str, names: Iterable[str]) -> Field:
    offered = list(names)
    if chosen and chosen not in offered:  # one of many, or renamed
        offered.append(chosen)
    return Field("label", _("Label"), _("Any label"), chosen, [(name, name) for name in offered])


def of_due(chosen: str) -> Field:
    return Field("due", _("Due"), _("Any due date"), chosen, dues())


def dues() -> list[tuple[str, str]]:
    return [
        ("overdue", _("Overdue")),
        ("today", _("Today")),
        ("week", _("This week")),
        ("none", _("No due date")),
    ]


def label_name(sent: str) -> str:
    """Return the name of a label, which several boards may have; "" for what no label is named."""
    name = sent.strip()[:LABEL]
    return "" if FORBIDDEN.search(name) else name
