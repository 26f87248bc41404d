"""The checklists of a card and their items."""

from urllib.parse import urlencode
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from boards.actions.cards.checklists import (
    add_item,
    create_checklist,
    delete_checklist,
    delete_item,
    move_item,
    rename_checklist,
    update_item,
)
from boards.actions.cards.item_cards import make_item_a_card
from boards.errors import Invalid
from boards.models import Checklist, ChecklistItem
from boards.reading.reach import card_of
from core.http.requests import SignedInRequest
from web.cards.answers import about, card_changed, further, tiles_of
from web.cards.limits import with_warning
from web.cards.page import read_card
from web.cards.parts import further_checklists, further_items
from web.http import fields
from web.http.answers import fragments, is_partial
from web.http.guard import actor, reader, signed_in
from web.http.places import Siblings, place_of

AT_MOST = 100  # items in one form


@signed_in("GET", "POST")
def checklists(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """GET: return the page of checklists that `?checklists=` names. POST: add one."""
    if request.method != "POST":
        return further(request, card_id, further_checklists)
    made = create_checklist(actor=actor(request), card_id=card_id, title=request.POST.get("title", ""))
    return card_changed(request, made.card, own=["new-checklist"])


@signed_in("POST")
def title(request: SignedInRequest, checklist_id: UUID) -> HttpResponse:
    changed = rename_checklist(actor=actor(request), checklist_id=checklist_id, title=request.POST.get("title", ""))
    return card_changed(request, changed.card)


@signed_in("POST")
def deletion(request: SignedInRequest, checklist_id: UUID) -> HttpResponse:
    card = card_of(Checklist, checklist_id, reader(request))
    delete_checklist(actor=actor(request), checklist_id=checklist_id)
    return card_changed(request, card, _("Checklist deleted."))


@signed_in("GET", "POST")
def items(request: SignedInRequest, checklist_id: UUID) -> HttpResponse:
    """GET: return the items after the place that `?after=` names. POST: add one for each line of the text, all or none."""
    if request.method != "POST":
        return _further_items(request, checklist_id)
    lines = [line for line in request.POST.get("text", "").splitlines() if line.strip()] or [""]
    if len(lines) > AT_MOST:
        raise Invalid(_("Add at most %(most)s items at a time.") % {"most": AT_MOST}, "text")
    with transaction.atomic():
        made = [add_item(actor=actor(request), checklist_id=checklist_id, text=line) for line in lines]
    return card_changed(request, made[-1].card)


def _further_items(request: SignedInRequest, checklist_id: UUID) -> HttpResponse:
    card = card_of(Checklist, checklist_id, reader(request))
    after = request.GET.get("after", "")
    if not is_partial(request):
        return redirect(f"{card.get_absolute_url()}&{urlencode({'checklist': checklist_id, 'after': after})}")
    checklist = Checklist.objects.get(pk=checklist_id)
    return fragments(further_items(request, read_card(request, card.pk), checklist, after))


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
    return card_changed(request, card, _("Item deleted."))


@signed_in("POST")
def item_place(request: SignedInRequest, item_id: UUID) -> HttpResponse:
    """Move the item to a place in the `checklist` of the form, which is one of the same card."""
    into = fields.id_of(request.POST, "checklist")
    place = place_of(request.POST, Siblings(ChecklistItem, "checklist", into))
    moved = move_item(actor=actor(request), item_id=item_id, place=place, checklist_id=into)
    return card_changed(request, moved.card)


@signed_in("POST")
def item_card(request: SignedInRequest, item_id: UUID) -> HttpResponse:
    """Make the item a card, with the `text` of the form, which may not have been saved."""
    card = card_of(ChecklistItem, item_id, reader(request))
    made = make_item_a_card(actor=actor(request), item_id=item_id, title=request.POST.get("text"))
    text = with_warning(about(made, _("Card created below this one.")), made.list)
    return card_changed(request, card, text, *tiles_of(request, [made.pk]))
