"""The cards of a board and *My work* as tables: pages, their rows for scripts that keep them up to date, and CSV."""

from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from boards.models import Board, Card, Role
from boards.models.card import CardQuerySet
from boards.reading.filters import BoardFilter, filter_in
from boards.reading.reach import visible_board
from boards.reading.table import Column, Sort, cards_of_board, cards_of_work, rows_of, with_others
from boards.reading.work import Work, my_boards, state_of
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.boards.cards import AT_MOST
from web.boards.filtering import form_of
from web.boards.large import in_turn, one_at_a_time
from web.filter_bar import cards_said, render_bar
from web.http.answers import fragments, is_partial
from web.http.guard import reader, signed_in
from web.my.asked import Asked as WorkAsked
from web.my.asked import Which
from web.my.asked import asked_in as work_asked_in
from web.my.filtering import filter_context
from web.my.saved_filters import saved_context
from web.table.asked import NAMES, OF_BOARD, OF_WORK, Asked, asked_in, joined, keep_columns, written
from web.table.csv_file import MOST, csv_answer
from web.table.rows import render_rows

A_PAGE = 100  # rows


@signed_in("GET")
def board_table(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Show the open cards of a board that its filter keeps."""
    shown, role = visible_board(board_id, reader(request))
    wanted = filter_in(request.GET)
    asked = asked_in(request, OF_BOARD, wanted.address())
    cards = cards_of_board(shown, wanted, request.user)
    if _is_file(request):
        return _file(request, cards, cards_of_board(shown, BoardFilter(), request.user), asked, shown.title)
    with in_turn(request, shown):
        seen = state_of(my_boards(reader(request)))
        every = cards_of_board(shown, BoardFilter(), request.user) if wanted else None
        is_open = shown.archived_at is None
        context = _table(
            request, asked, cards, every, seen=seen, can_change=is_open, has_boxes=is_open and role.can_edit
        )
        if is_partial(request):
            return fragments(render_to_string("web/table/rows.html", context, request))
        context |= _board_head(request, asked, shown, role, wanted, context["said"])
        return keep_columns(asked, render(request, "web/table/board_table.html", context))


@signed_in("GET")
def my_table(request: SignedInRequest) -> HttpResponse:
    """Show the reader's work on all boards."""
    work, mine = work_asked_in(request.GET), reader(request)
    asked = asked_in(request, OF_WORK, work.narrowing)
    cards = cards_of_work(Work(mine, work.condition(request.user)))
    if _is_file(request):
        return _file(request, cards, Card.objects.visible_to(mine).open(), asked, _("My work"))
    boards = my_boards(mine)
    every = cards_of_work(Work(mine, work.all_of(request.user))) if any(work.filter) else None
    context = _table(request, asked, cards, every, seen=state_of(boards), can_change=True, has_boxes=True)
    context["work"] = work
    if is_partial(request):
        return fragments(render_to_string("web/table/rows.html", context, request))

    def address(one: WorkAsked) -> str:
        return replace(asked, narrowing=one.narrowing).address()

    kinds = [(address(work.showing(one)), one) for one in Which]
    context |= saved_context(request, work, "my_table") | filter_context(mine, work, boards, address, context["said"])
    context |= {"kinds": kinds, "as_list": work.address(page="1")}
    return keep_columns(asked, render(request, "web/table/my_table.html", context))


def _is_file(request: SignedInRequest) -> bool:
    return request.GET.get("format") == "csv"


def _file(request: SignedInRequest, cards: CardQuerySet, every: CardQuerySet, asked: Asked, title: str) -> HttpResponse:
    """Return a file of the cards and those of `every` that the page still shows, as they were marked as done there."""
    still_shown = [found for one in request.GET.getlist("also")[:AT_MOST] if (found := parse_id(one))]
    with one_at_a_time(request):
        return csv_answer(reader(request), with_others(cards, every, still_shown), asked, title)


def _table(
    request: SignedInRequest,
    asked: Asked,
    cards: CardQuerySet,
    every: CardQuerySet | None = None,
    *,
    seen: str,
    can_change: bool,
    has_boxes: bool = False,
) -> dict[str, Any]:
    """Return the context of the rows. `every` are the cards without the filter, if there is one.

    `seen` is the state of the reader's boards before the rows: what changes between both is told to the page later.
    """
    mine, page = reader(request), asked.page
    total, one_board = cards.count(), asked.kind is OF_BOARD
    rows = rows_of(mine, cards, asked.sort, slice((page - 1) * A_PAGE, page * A_PAGE), one_board=one_board)
    if not rows and page > 1:  # there are fewer cards than a moment ago
        page, rows = 1, rows_of(mine, cards, asked.sort, slice(A_PAGE), one_board=one_board)
    return {
        "asked": asked,
        "seen": seen,
        "said": cards_said(total, None if every is None else every.count()),
        "heads": [_head(asked, column) for column in asked.columns],
        "rows": render_rows(rows, asked.columns, request.user, can_change=can_change, has_boxes=has_boxes),
        "has_boxes": has_boxes,
        "earlier": asked.address(page=str(page - 1)) if page > 1 else "",
        "further": asked.address(page=str(page + 1)) if total > page * A_PAGE else "",
        "csv": asked.address(columns=joined(asked.columns), format="csv"),
        "most": MOST,
        "is_long": total > MOST,
        "choices": [(one, NAMES[one], one in asked.columns) for one in asked.kind.offered if one != Column.TITLE],
        "order": urlencode(asked.sort_fields),
        "kept_by_columns": [*parse_qsl(asked.narrowing), *asked.sort_fields],
    }


def _board_head(
    request: SignedInRequest, asked: Asked, shown: Board, role: Role, wanted: BoardFilter, said: str
) -> dict[str, object]:
    context, clear = form_of(request, shown, role), replace(asked, narrowing="").address()
    chips = [(words, replace(asked, narrowing=rest.address()).address()) for words, rest in context["conditions"]]
    return context | {
        "filter_bar": render_bar(chips, clear, said),
        "filter_query": wanted.address(),
        "filter_kinds": wanted.kinds,
        "kept": [*asked.sort_fields, *asked.column_fields],
        "clear": clear,
    }


class Head(NamedTuple):
    column: Column
    name: str
    address: str  # which sorts by it, or the other way round
    sorts: str  # as aria-sort has it; "" for a column by which the table is not sorted


def _head(asked: Asked, column: Column) -> Head:
    is_sorted = asked.sort.column == column
    other = Sort(column, is_sorted and not asked.sort.is_descending)
    sorts = ("descending" if asked.sort.is_descending else "ascending") if is_sorted else ""
    return Head(column, str(NAMES[column]), asked.address(sort=written(other)), sorts)
