"""The page on which a board is made."""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from boards.actions.boards import create_board
from boards.board_templates import Template
from boards.colours import palette
from boards.errors import Invalid, LimitReached
from core.http import SignedInRequest
from web.door import fields
from web.door.guard import actor, page
from web.door.refusals import STATUS, in_words


@page("GET", "POST")
def new_board(request: SignedInRequest) -> HttpResponse:
    if request.method != "POST":
        return _form(request)
    try:
        board = create_board(
            actor=actor(request),
            title=request.POST.get("title", ""),
            template=request.POST.get("template", ""),
            hue=fields.hue(request),
        )
    except (Invalid, LimitReached) as error:
        return _form(request, error)
    return redirect(board)


def _form(request: SignedInRequest, error: Invalid | LimitReached | None = None) -> HttpResponse:
    context = {
        "title": request.POST.get("title", ""),
        "template": request.POST.get("template", Template.KANBAN),
        "color": fields.hue(request),
        "templates": list(Template),
        "palette": palette(),
        "errors": {getattr(error, "field", "") or "plan": in_words(error)} if error else {},
    }
    return render(request, "web/new.html", context, status=STATUS[type(error)] if error else 200)
