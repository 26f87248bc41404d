"""The activity page of a board, newest first. Pages start at a version, so they stay the same while more happens."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from boards.models import Activity
from boards.reading.reach import visible_board
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.boards.context import board_context
from web.door.guard import reader, signed_in
from web.history import lines

LINES = 50  # on one page


@signed_in("GET")
def activity(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """`?before=<version>` shows older changes, `?card=<id>` those of one card. Other values are ignored."""
    board, role = visible_board(board_id, reader(request))
    found = Activity.objects.filter(board=board).order_by("-version")
    before = request.GET.get("before", "")
    if before.isascii() and before.isdigit() and len(before) < 19:
        found = found.filter(version__lt=int(before))
    card_id = parse_id(request.GET.get("card", ""))
    if card_id is not None:
        found = found.filter(card_id=card_id)
    shown = lines(found[: LINES + 1], of_board=True)
    context = board_context(board, role, "activity") | {
        "lines": shown[:LINES],
        "next": shown[LINES - 1].activity.version if len(shown) > LINES else None,
        "card_id": card_id,
    }
    return render(request, "web/activity.html", context)
