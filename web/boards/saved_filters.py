"""The filters of a board that a reader keeps by name: save, replace, rename, delete, restore."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse

from boards.actions.boards.board_views import delete_filter, rename_filter, save_filter
from boards.models import Board
from boards.reading.board_views import SavedFilter, saved_filters_of
from boards.reading.filters import BoardFilter, filter_of
from boards.reading.reach import visible_board
from boards.reading.search_words import QUERY
from boards.text import FILTER_NAME, clean_text
from core.http.requests import SignedInRequest
from web.http.guard import actor, reader, signed_in
from web.http.saved_filters import Said, answer, delete_sent, rename_sent, save_sent


def saved_context(board: Board, saved: list[SavedFilter], current: BoardFilter) -> dict[str, object]:
    """Return the context of templates/web/partials/board/saved_filters.html."""
    return {
        "page": board.get_absolute_url(),
        "saving": reverse("saved_filters", args=[board.pk]),
        "may_save": not board.archived_at,
        "saved": [(one, one.wanted.address()) for one in saved],
        "query": current.address(),
        "longest_name": FILTER_NAME,
    }


@signed_in("POST")
def saved_filters(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    def save(name: str, query: str, replace: bool) -> str:
        wanted = filter_of(query)
        clean_text(wanted.query, "query", QUERY)
        return save_filter(actor=actor(request), board_id=board_id, name=name, query=wanted.address(), replace=replace)

    return _answer(request, board_id, save_sent(request, save))


@signed_in("POST")
def renaming(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    def rename(name: str, to: str) -> None:
        rename_filter(actor=actor(request), board_id=board_id, name=name, to=to)

    return _answer(request, board_id, rename_sent(request, rename))


@signed_in("POST")
def deletion(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    def delete(name: str) -> str:
        return delete_filter(actor=actor(request), board_id=board_id, name=name)

    return _answer(request, board_id, delete_sent(request, delete))


def _answer(request: SignedInRequest, board_id: UUID, said: Said) -> HttpResponse:
    def context() -> dict[str, object]:
        shown, _role = visible_board(board_id, reader(request))
        current = filter_of(request.POST.get("query", ""))
        return saved_context(shown, saved_filters_of(board_id, reader(request)), current)

    return answer(request, said, context)
