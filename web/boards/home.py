"""The start page: an introduction for visitors, the list of their boards for signed-in users."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from boards.reader import Reader
from boards.reading.boards import boards_with_counts
from notifications.unseen import unseen_counts


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "web/start.html")
    reader = Reader(request.user)
    found, unseen = boards_with_counts(reader), unseen_counts(reader)
    for board in found:
        board.unseen = unseen.get(board.pk, 0)
    context = {
        "boards": [board for board in found if board.archived_at is None],
        "archived": [board for board in found if board.archived_at is not None],
    }
    return render(request, "web/home.html", context)
