"""The people assigned to a card. A form names one to assign or one to unassign."""

from uuid import UUID

from django.http import HttpResponse

from boards.actions.cards.assignments import assign, unassign
from core.http.requests import SignedInRequest
from web.cards.answers import card_changed
from web.http import fields
from web.http.guard import actor, signed_in


@signed_in("POST")
def assignees(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    if "remove" in request.POST:
        changed = unassign(actor=actor(request), card_id=card_id, user_id=fields.id_of(request.POST, "remove"))
    else:
        changed = assign(actor=actor(request), card_id=card_id, user_id=fields.id_of(request.POST, "add"))
    return card_changed(request, changed, own=["people"])
