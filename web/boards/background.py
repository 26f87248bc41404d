"""The picture behind the lists of a board: the form that takes it, and the address under which members get it.

Holders of a public link get it by an address of their own: web/public/files.py.
"""

from uuid import UUID

from csp.constants import NONE
from csp.decorators import csp
from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts.views.picture import as_picture
from boards.access import not_found, require
from boards.actions.boards.background import BACKGROUNDS, made_anew, set_background_picture
from boards.backgrounds import picture_of
from boards.errors import Invalid
from boards.models import Board, Role
from boards.reading.reach import visible_board
from core.files.pictures import PictureRefused, turns
from core.http.requests import SignedInRequest
from web.http.answers import back_to
from web.http.guard import actor, reader, signed_in


@signed_in("POST")
def background(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Take a picture."""
    board, role = visible_board(board_id, reader(request))
    require(role, Role.EDITOR)
    with turns.take(request.user.pk):
        content = _made(request)
    set_background_picture(actor=actor(request), board_id=board_id, content=content)
    return back_to(request, f"{board.get_absolute_url()}/settings", _("Saved."))


def _made(request: SignedInRequest) -> bytes:
    file = request.FILES.get("picture")
    if file is None:
        raise Invalid(_("Choose a picture."), "picture")
    try:
        return made_anew(file)
    except PictureRefused as error:
        raise Invalid(str(error), "picture") from error


@csp({"default-src": [NONE], "sandbox": True})  # type: ignore[arg-type]  # its types know no SignedInRequest
@signed_in("GET")
def background_picture(request: SignedInRequest, board_id: UUID, picture: str) -> HttpResponse:
    board, _role = visible_board(board_id, reader(request))
    return picture_behind(board, picture)


def picture_behind(board: Board, picture: str) -> HttpResponse:
    """Answer with the picture of this name. Raise NotFound unless it is the one that the board has now."""
    content = BACKGROUNDS.read(picture) if picture_of(board.background) == picture else None
    if content is None:
        raise not_found()
    return as_picture(content)
