"""The checklists of a card and their items."""

from uuid import UUID

from django.http import HttpResponse

from boards.actions.checklists import (
    add_item,
    create_checklist,
    delete_checklist,
    delete_item,
    rename_checklist,
    update_item,
)
from boards.models import Checklist, ChecklistItem
from boards.reading.reach import card_of
from core.http import SignedInRequest
from web.cards.answers import card_changed
from web.door import fields
from web.door.guard import actor, reader, signed_in


@signed_in("POST")
def checklists(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    made = create_checklist(actor=actor(request), card_id=card_id, title=request.POST.get("title", ""))
    return card_changed(request, made.card)


@signed_in("POST")
def title(request: SignedInRequest, checklist_id: UUID) -> HttpResponse:
    changed = rename_checklist(actor=actor(request), checklist_id=checklist_id, title=request.POST.get("title", ""))
    return card_changed(request, changed.card)


@signed_in("POST")
def deletion(request: SignedInRequest, checklist_id: UUID) -> HttpResponse:
    card = card_of(Checklist, checklist_id, reader(request))
    delete_checklist(actor=actor(request), checklist_id=checklist_id)
    return card_changed(request, card)


@signed_in("POST")
def items(request: SignedInRequest, checklist_id: UUID) -> HttpResponse:
    made = add_item(actor=actor(request), checklist_id=checklist_id, text=request.POST.get("text", ""))
    return card_changed(request, made.card)


@signed_in("POST")
def item_text(request: SignedInRequest, item_id: UUID) -> HttpResponse:
    changed = update_item(actor=actor(request), item_id=item_id, text=request.POST.get("text", ""))
    return card_changed(request, changed.card)


@signed_in("POST")
def item_completion(request: SignedInRequest, item_id: UUID) -> HttpResponse:
    changed = update_item(actor=actor(request), item_id=item_id, done=fields.flag(request, "done"))
    return card_changed(request, changed.card)


@signed_in("POST")
def item_deletion(request: SignedInRequest, item_id: UUID) -> HttpResponse:
    card = card_of(ChecklistItem, item_id, reader(request))
    delete_item(actor=actor(request), item_id=item_id)
    return card_changed(request, card)
