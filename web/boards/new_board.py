"""The page to create a board."""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from boards.actions.boards import create_board
from boards.board_templates import Template
from core.http import SignedInRequest
from web.boards.forms import NewBoardForm
from web.door.guard import actor, signed_in


@signed_in("GET", "POST")
def new_board(request: SignedInRequest) -> HttpResponse:
    form = NewBoardForm(request.POST if request.method == "POST" else None)
    if form.is_bound:
        board = form.send(
            lambda data: create_board(
                actor=actor(request), title=data["title"], template=data["template"], hue=data["color"]
            )
        )
        if board is not None:
            return redirect(board)
    context = {"form": form, "templates": list(Template)}
    return render(request, "web/new.html", context, status=form.status)
