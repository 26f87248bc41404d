"""The labels of a card. A form names a label to add, one to remove, or a new one to create and add."""

from uuid import UUID

from django.db import transaction
from django.http import HttpResponse

from boards.actions.cards.labels import add_label, create_label, remove_label
from boards.models import Card
from boards.reading.reach import visible_card
from core.http.requests import SignedInRequest
from web.cards.answers import card_changed
from web.http import fields
from web.http.guard import actor, reader, signed_in


@signed_in("POST")
def labels(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    if "name" in request.POST:
        changed = _with_new_label(request, card_id)
    elif "remove" in request.POST:
        changed = remove_label(actor=actor(request), card_id=card_id, label_id=fields.id_of(request.POST, "remove"))
    else:
        changed = add_label(actor=actor(request), card_id=card_id, label_id=fields.id_of(request.POST, "add"))
    return card_changed(request, changed, own=["labels"])


def _with_new_label(request: SignedInRequest, card_id: UUID) -> Card:
    """Create a label and add it to the card, both or neither."""
    found, _role = visible_card(card_id, reader(request))
    with transaction.atomic():
        label = create_label(
            actor=actor(request), board_id=found.board_id, name=request.POST["name"], hue=fields.hue(request)
        )
        return add_label(actor=actor(request), card_id=card_id, label_id=label.pk)
