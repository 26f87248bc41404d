"""Renders rows of cards of several boards, in Python rather than with a template: a page has a hundred of them.

Everything that people typed is escaped here.
"""

from collections.abc import Iterable
from datetime import date, datetime
from html import escape
from itertools import groupby
from typing import NamedTuple, Protocol

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from boards.dates import timestamp
from boards.models.card import card_address
from boards.reading.work import MAY_EDIT, DueGroup, Grouping, WorkRow
from core.text.dates import local_time, near_in_form
from web.due import due_opening, due_state
from web.fragments import joined, render_fact, render_label
from web.templatetags.board_tags import icon

DUE_NAMES = {
    DueGroup.OVERDUE: gettext_lazy("Overdue"),
    DueGroup.TODAY: gettext_lazy("Today"),
    DueGroup.WEEK: gettext_lazy("This week"),
    DueGroup.LATER: gettext_lazy("Later"),
    DueGroup.NONE: gettext_lazy("No due date"),
}


class Dated(Protocol):
    """A card, or what was read of one."""

    @property
    def due_at(self) -> datetime | None: ...
    @property
    def due_day(self) -> date | None: ...
    @property
    def completed_at(self) -> datetime | None: ...


class Group(NamedTuple):
    key: str
    title: str
    where: str  # the board, where the title is that of a list
    hue: int | None
    is_late: bool
    number: int  # of its cards on all pages
    rows: SafeString


def groups_of(rows: Iterable[WorkRow], by: Grouping, user: User) -> list[Group]:
    render = RowRenderer(user)
    return [_group(list(found), by, render) for _key, found in groupby(rows, key=lambda row: row.group)]


def _group(rows: list[WorkRow], by: Grouping, render: "RowRenderer") -> Group:
    first, shown = rows[0], joined(map(render, rows))
    key, number = f"{by}-{first.group}", first.number
    if by == Grouping.DUE:
        return Group(key, str(DUE_NAMES[first.group]), "", None, first.group == DueGroup.OVERDUE, number, shown)
    if by == Grouping.BOARD:
        return Group(key, first.board_title, "", first.hue, False, number, shown)
    return Group(key, first.list_title, first.board_title, first.hue, False, number, shown)


class CardRenderer:
    """Renders parts of cards for one reader. Words are looked up once, as most rows have the same.

    Buttons name the form of the page, which carries the CSRF token.
    """

    def __init__(self, user: User) -> None:
        self.now = timezone.localtime(timezone=user.zone)
        self.done, self.actions = escape(_("Mark as done")), escape(_("Actions for TITLE"))
        self.due_word, self.overdue, self.comment_words = _("Due"), _("Overdue"), _("Comments")
        self.check, self.ellipsis = icon("check"), icon("ellipsis")
        self.days: dict[date, str] = {}  # in words

    def due_fields(self, row: Dated, local: datetime | None) -> str:
        """Tell the dialog for the due date what its fields hold."""
        if row.due_day:
            return f' data-due="{row.due_day}" data-time=""'
        if not local:
            return ""
        day, _between, time = local.isoformat("T", "minutes").partition("T")
        return f' data-due="{day}" data-time="{time[:5]}"'

    def tick(self, pk: str) -> str:
        return (
            f'<button class="done-check" id="tick-{pk}" form="board-form" formaction="/card/{pk}/completion"'
            f' name="done" value="1" title="{self.done}" aria-label="{self.done}" aria-describedby="due-{pk}"'
            f">{self.check}</button>"
        )

    def more(self, pk: str, title: str) -> str:
        words = self.actions.replace("TITLE", title)
        return (
            f'<button type="button" class="button quiet icon-only row-more" id="more-{pk}" aria-haspopup="menu"'
            f' aria-label="{words}">{self.ellipsis}</button>'
        )

    def local(self, row: Dated) -> datetime | None:
        """Return when a card is due, in the reader's zone."""
        return row.due_at and local_time(row.due_at, self.now.tzinfo)

    def due(self, row: Dated, local: datetime | None) -> str:
        """Render the due date, which is `local` in the reader's zone; "" where it has none."""
        if not row.due_at or not local:
            return ""
        day, machine = row.due_day, row.due_day and row.due_day.isoformat()
        if not day:
            day, machine = local.date(), timestamp(row.due_at)
        opening = due_opening(self._state(row), self.due_word, self.overdue)
        return f'{opening}<time datetime="{machine}" data-show="day">{self.written(day)}</time></span>'

    def written(self, day: date) -> str:
        if day not in self.days:
            self.days[day] = near_in_form(day)
        return self.days[day]

    def _state(self, row: Dated) -> str:
        """Return what `due_state_for` does, for a whole day from the days alone."""
        if row.completed_at:
            return "met"
        if row.due_at and not row.due_day:
            return due_state(row.due_at, done=False)
        away = (row.due_day - self.now.date()).days if row.due_day else 1
        return "late" if away < 0 else "soon" if away == 0 else ""


class RowRenderer(CardRenderer):
    """Renders cards as rows, with what their role allows."""

    def __init__(self, user: User, *, has_menu: bool = True) -> None:
        super().__init__(user)
        self.has_menu = has_menu

    def __call__(self, row: WorkRow) -> SafeString:
        title, edits = escape(row.title), MAY_EDIT[row.role]
        pk, board = str(row.pk), str(row.board_id)
        local = self.local(row)
        labels = "".join(render_label(hue, name) for name, hue in row.labels)
        return SafeString(
            f'<li class="due-row" id="row-{pk}" data-card="{pk}" data-board="{board}" data-list="{row.list_id}"'
            f"{self.due_fields(row, local)}{' data-edit' if edits else ''}>{self.tick(pk) if edits else ''}"
            f'<a class="title" id="due-{pk}" href="{card_address(board, pk)}">{title}</a>'
            f'<span class="labels">{labels}</span><span class="end">{self._facts(row, local)}'
            f'<span class="from"><span class="dot hue-{row.hue}"></span>{escape(row.board_title)}</span></span>'
            f"{self.more(pk, title) if edits and self.has_menu else ''}</li>"
        )

    def _facts(self, row: WorkRow, local: datetime | None) -> str:
        due, comments = self.due(row, local), ""
        if row.comments:
            comments = render_fact("message-square", self.comment_words, row.comments)
        return f'<span class="facts">{due}{comments}</span>' if due or comments else ""
