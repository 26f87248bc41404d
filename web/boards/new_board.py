"""The page to create a board, from one of the four templates or one of one's own."""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from boards.actions.boards.board import create_board
from boards.actions.boards.own_templates import create_board_from
from boards.board_templates import Template
from boards.colours import next_hue
from boards.models import Board, OwnTemplate
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.boards.forms import NewBoardForm
from web.http.guard import actor, signed_in


@signed_in("GET", "POST")
def new_board(request: SignedInRequest) -> HttpResponse:
    own = list(OwnTemplate.objects.of(request.user))
    asked = str(parse_id(request.GET.get("template", "")) or "")
    chosen = next((row for row in own if str(row.pk) == asked), None)
    mine = Board.objects.owned_by(request.user).open().values_list("hue", flat=True)
    initial = {"template": asked, "color": chosen.hue} if chosen else {"color": next_hue(mine)}
    form = NewBoardForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound:
        board = form.send(lambda data: _create(request, data))
        if board is not None:
            del actor(request).changes[1:]  # its cards go with it
            return redirect(board)
    for row in own:
        row.value = str(row.pk)  # type: ignore[attr-defined]  # as in the four templates
    context = {"form": form, "templates": list(Template), "own_templates": own}
    return render(request, "web/new.html", context, status=form.status)


def _create(request: SignedInRequest, data: dict[str, str]) -> Board:
    who, title, hue = actor(request), data["title"], int(data["color"])
    if own := parse_id(data["template"]):
        return create_board_from(actor=who, template_id=own, title=title, hue=hue)
    return create_board(actor=who, title=title, template=data["template"], hue=hue)
