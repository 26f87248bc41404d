"""The archive page of a board: archived lists and cards can be restored or deleted."""

from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import render

from boards.models import Card, List
from boards.reading.reach import visible_board
from core.http.requests import SignedInRequest
from web.boards.context import board_context
from web.http.guard import reader, signed_in

CARDS = 50  # on one page


@signed_in("GET")
def archive(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Show archived lists, each with its number of cards, and cards archived by themselves, last archived first."""
    board, role = visible_board(board_id, reader(request))
    lists = List.objects.filter(board=board).exclude(archived_at=None).annotate(card_count=Count("cards"))
    cards = Card.objects.filter(board=board).exclude(archived_at=None).select_related("list")
    context = board_context(board, role, "archive") | {
        "lists": list(lists.order_by("-archived_at")),
        "cards": Paginator(cards.order_by("-archived_at", "-id"), CARDS).get_page(request.GET.get("page")),
    }
    return render(request, "web/archive.html", context)
