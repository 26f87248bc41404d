"""What a board is called, its colour and its labels; and its end."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boards import access
from boards.actions.boards import delete_board, update_board
from boards.actions.labels import create_label, delete_label, update_label
from boards.colours import palette
from boards.errors import Conflict, Invalid
from boards.models import Board, Label, Role
from boards.reading.reach import visible_board, visible_label
from core.http import SignedInRequest
from web.boards.context import of_board
from web.door import fields
from web.door.answers import back_to
from web.door.guard import actor, page, reader
from web.door.refusals import STATUS, in_words


@page("GET", "POST")
def settings(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    board, role = visible_board(board_id, reader(request))
    if request.method != "POST":
        return _page(request, board, role)
    title, color = request.POST.get("title", ""), fields.hue(request)
    try:
        update_board(actor=actor(request), board_id=board_id, title=title, hue=color)
    except Invalid as error:
        return _page(request, board, role, {error.field: in_words(error)}, STATUS[Invalid])
    return back_to(request, _address(board), _("Saved."))


def _page(
    request: SignedInRequest, board: Board, role: Role, errors: dict[str, str] | None = None, status: int = 200
) -> HttpResponse:
    context = of_board(board, role, "settings") | {
        "labels": list(Label.objects.filter(board=board)),
        "palette": palette(),
        "typed": request.POST,
        "errors": errors or {},
    }
    return render(request, "web/settings.html", context, status=status)


@page("POST")
def labels(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    board, role = visible_board(board_id, reader(request))
    try:
        create_label(
            actor=actor(request), board_id=board_id, name=request.POST.get("name", ""), hue=fields.hue(request)
        )
    except (Invalid, Conflict) as error:
        return _page(request, board, role, {"name": in_words(error)}, STATUS[type(error)])
    return back_to(request, _address(board))


@page("POST")
def label(request: SignedInRequest, label_id: UUID) -> HttpResponse:
    changed = update_label(
        actor=actor(request), label_id=label_id, name=request.POST.get("name", ""), hue=fields.hue(request)
    )
    return back_to(request, _address(changed.board), _("Saved."))


@page("GET", "POST")
def label_deletion(request: SignedInRequest, label_id: UUID) -> HttpResponse:
    """Asks first, as every card loses it."""
    found, _role = visible_label(label_id, reader(request))
    if request.method == "POST":
        delete_label(actor=actor(request), label_id=label_id)
        text = _("The label “%(name)s” was deleted.") % {"name": found.name}
        return back_to(request, _address(found.board), text)
    context = {
        "board": found.board,
        "heading": _("Delete this label?"),
        "subject": found.name,
        "words": _("It will be removed from every card."),
        "button": _("Delete"),
        "back": _address(found.board),
    }
    return render(request, "web/confirm.html", context)


@page("GET", "POST")
def deletion(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """The board for good, with everything on it: whoever wants that types its title."""
    board, role = visible_board(board_id, reader(request))
    access.require(role, Role.OWNER)
    typed = request.POST.get("title", "")
    if request.method == "POST" and typed.strip() == board.title:
        delete_board(actor=actor(request), board_id=board_id)
        return back_to(request, "/", pgettext("board", "“%(title)s” was deleted.") % {"title": board.title})
    wrong = _("That is not the title of the board. Type it exactly as shown above.")
    context = {"board": board, "typed": typed, "error": wrong if request.method == "POST" else ""}
    return render(request, "web/delete.html", context, status=STATUS[Invalid] if request.method == "POST" else 200)


def _address(board: Board) -> str:
    return f"{board.get_absolute_url()}/settings"
