"""The filters of a board that a reader keeps by name: save, replace, rename, delete, restore."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boards.actions.boards.board_views import delete_filter, rename_filter, save_filter
from boards.models import Board
from boards.reading.board_views import SavedFilter, saved_filters_of
from boards.reading.filters import BoardFilter, filter_of
from boards.reading.reach import visible_board
from boards.reading.search_words import QUERY
from boards.text import FILTER_NAME, clean_text
from core.http.requests import SignedInRequest
from web.http.answers import NOTHING, back_to, form_button, fragments, is_partial, toast
from web.http.guard import actor, reader, signed_in
from web.http.refusals import back


def saved_context(board: Board, saved: list[SavedFilter], current: BoardFilter) -> dict[str, object]:
    """Return the context of templates/web/partials/board/saved_filters.html."""
    return {
        "board": board,
        "saved": [(one, one.wanted.address()) for one in saved],
        "query": current.address(),
        "longest_name": FILTER_NAME,
    }


@signed_in("POST")
def saved_filters(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Save a filter. `again` restores one that was deleted or replaced: its fields, as the message's button sends them."""
    again = request.POST.get("again")
    sent: Mapping[str, str] = request.POST if again is None else dict(parse_qsl(again))
    name, wanted = sent.get("name", "").strip(), filter_of(sent.get("query", ""))
    clean_text(wanted.query, "query", QUERY)
    replace = sent.get("replace") == "1"
    former = save_filter(actor=actor(request), board_id=board_id, name=name, query=wanted.address(), replace=replace)
    if again is not None:
        return _answer(request, board_id, _("Filter “%(name)s” was restored.") % {"name": name})
    if not replace:
        return _answer(request, board_id, _("Filter “%(name)s” was saved.") % {"name": name})
    undo = _undo(board_id, name=name, query=former, replace="1") if former else NOTHING
    return _answer(request, board_id, _("Filter “%(name)s” was replaced.") % {"name": name}, undo)


@signed_in("POST")
def renaming(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    name, to = request.POST.get("filter", ""), request.POST.get("name", "")
    rename_filter(actor=actor(request), board_id=board_id, name=name, to=to)
    return _answer(request, board_id, _("Filter “%(name)s” was renamed.") % {"name": name})


@signed_in("POST")
def deletion(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    name = request.POST.get("filter", "")
    query = delete_filter(actor=actor(request), board_id=board_id, name=name)
    undo = _undo(board_id, name=name, query=query) if query else NOTHING
    return _answer(request, board_id, _("Filter “%(name)s” was deleted.") % {"name": name}, undo)


def _undo(board_id: UUID, **again: str) -> SafeString:
    return form_button(f"/board/{board_id}/filters", "again", urlencode(again), _("Undo"))


def _answer(request: SignedInRequest, board_id: UUID, text: str, undo: SafeString = NOTHING) -> HttpResponse:
    if not is_partial(request):
        return back_to(request, back(request), text, also=undo)
    shown, _role = visible_board(board_id, reader(request))
    context = saved_context(
        shown, saved_filters_of(board_id, reader(request)), filter_of(request.POST.get("query", ""))
    )
    section = render_to_string("web/partials/board/saved_filters.html", context | {"is_panel": True}, request)
    return fragments(section, toast(text, also=undo))
