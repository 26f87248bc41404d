"""*My work*: the page, its rows for scripts that keep it up to date, and quick add to any board."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boards.actions.cards.card import create_card
from boards.errors import Invalid
from boards.models import List
from boards.reading.reach import visible_board
from boards.reading.table import cards_of_work
from boards.reading.work import MyBoard, Work, my_boards, rows_of, state_of
from core.http.requests import SignedInRequest
from web.cards.answers import about
from web.cards.create import given_in
from web.filter_bar import cards_said
from web.http import fields
from web.http.answers import back_to, fragments, is_partial, toast
from web.http.guard import actor, reader, signed_in
from web.my.asked import GROUPINGS, Asked, Which, asked_in
from web.my.filtering import filter_context
from web.my.narrowing import OFFERED, options
from web.my.rows import groups_of
from web.my.saved_filters import saved_context

A_PAGE = 50  # rows
LAST_BOARD = "quick_add_board"  # in the session: to which the user added the last card


@signed_in("GET", "POST")
def my_work(request: SignedInRequest) -> HttpResponse:
    """GET: a page of the reader's work; its rows alone for scripts. POST: create a card on `board`, assigned to the user."""
    asked = asked_in(request.GET)
    if request.method == "POST":
        return _add(request, asked)
    boards = my_boards(reader(request))  # before the rows: what changes between both is told to the page later
    context = _rows(request, asked, boards)
    if is_partial(request):
        return fragments(render_to_string("web/my/rows.html", context, request))
    context |= saved_context(request, asked)
    context |= filter_context(reader(request), asked, boards, Asked.address, context["said"])
    context |= {
        "kinds": [(asked.showing(one).address(), one) for one in Which],
        "groupings": [(asked.address(by=str(one)), one, name) for one, name in GROUPINGS.items()],
        "grouping": GROUPINGS[asked.by],
        "offered": _offered(boards, request.session.get(LAST_BOARD, "")),
    }
    return render(request, "web/my/my_work.html", context)


def _rows(request: SignedInRequest, asked: Asked, boards: Iterable[MyBoard]) -> dict[str, Any]:
    user, mine, page = request.user, reader(request), asked.page
    work = Work(mine, asked.condition(user))
    rows = rows_of(work, asked.by, slice((page - 1) * A_PAGE, page * A_PAGE))
    if not rows and page > 1:  # there are fewer cards than a moment ago
        page, rows = 1, rows_of(work, asked.by, slice(A_PAGE))
    total = rows[0].total if rows else 0
    every = cards_of_work(Work(mine, asked.all_of(user))).count() if any(asked.filter) else None
    return {
        "asked": asked,
        "groups": groups_of(rows, asked.by, user),
        "seen": state_of(boards),
        "said": cards_said(total, every),
        "earlier": asked.address(page=str(page - 1)) if page > 1 else "",
        "further": asked.address(page=str(page + 1)) if total > page * A_PAGE else "",
    }


def _offered(boards: Iterable[MyBoard], chosen: str) -> SafeString:
    """Return the last changed boards that the reader may change as options. The chosen one is where they added the last card."""
    return options(
        ((str(one.pk), one.title) for one in islice((one for one in boards if one.can_edit), OFFERED)), chosen
    )


def _add(request: SignedInRequest, asked: Asked) -> HttpResponse:
    if not request.POST.get("board"):
        raise Invalid.of("board", _("Choose a board."))
    board_id = fields.id_of(request.POST, "board")
    board, _role = visible_board(board_id, reader(request))
    if not List.objects.filter(board=board).open().exists():
        raise Invalid.of("board", _("This board has no lists yet. Add a list first."))
    given = {"title": request.POST.get("title", "")} | given_in(request)
    given["assignee_ids"] = given.get("assignee_ids") or [request.user.pk]
    card = create_card(actor=actor(request), board_id=board_id, **given)
    if request.session.get(LAST_BOARD) != str(board_id):
        request.session[LAST_BOARD] = str(board_id)
    names = {"list": card.list.title, "board": card.board.title}
    text = about(card, _("Added to %(list)s on %(board)s.") % names)
    if is_partial(request):
        return fragments(toast(text, request))
    return back_to(request, asked.address(), text)
