"""The form by which an open page reports the card that is open on it, and where its reader is typing."""

from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.errors import Invalid
from boards.reading.reach import visible_board, visible_card
from core.http.requests import SignedInRequest
from web.http import fields
from web.http.guard import reader, signed_in
from web.open_pages import FORM, tell_page

TYPING = ("", "title", "description", "comment")


@signed_in("POST")
def presence(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Tell the others. Nothing is stored. Users who may read the board and the card may be seen there."""
    page, typing = request.POST.get("page", ""), request.POST.get("typing", "")
    if not FORM.fullmatch(page):
        raise Invalid.of("page", _("%(field)s must be the name of an open page."))
    if typing not in TYPING:
        raise Invalid.of("typing", _("%(field)s must be one of %(allowed)s."), allowed=", ".join(TYPING[1:]))
    card_id = fields.id_of(request.POST, "card") if request.POST.get("card") else None
    if card_id is None:
        visible_board(board_id, reader(request))
    elif visible_card(card_id, reader(request))[0].board_id != board_id:
        raise not_found()
    tell_page(page, request.user.pk, card_id, typing if card_id else "")
    return HttpResponse(status=204)
