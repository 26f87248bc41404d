"""The start page: for strangers what this is, for everybody else their boards."""

from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from boards.models import Board, Card, List, Membership

if TYPE_CHECKING:
    from accounts.models import User


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "web/start.html")
    found = boards_with_counts(request.user)
    context = {
        "boards": [board for board in found if board.archived_at is None],
        "archived": [board for board in found if board.archived_at is not None],
    }
    return render(request, "web/home.html", context)


def boards_with_counts(user: "User") -> list[Any]:
    """Every board of this person, last changed first: two statements, whatever their number."""
    people = Membership.objects.select_related("user").order_by("created_at", "id")
    open_cards = Card.objects.filter(archived_at=None, list__archived_at=None)
    boards = Board.objects.visible_to(user).annotate(
        role=F("memberships__role"),
        list_count=_count(List.objects.filter(archived_at=None)),
        card_count=_count(open_cards.filter(completed_at=None)),
    )
    return list(boards.order_by("-changed_at").prefetch_related(Prefetch("memberships", people, to_attr="people")))


def _count(rows: "QuerySet[Any]") -> Coalesce:
    of_board = rows.filter(board=OuterRef("pk")).order_by().values("board")
    return Coalesce(Subquery(of_board.annotate(number=Count("pk")).values("number")), 0)
