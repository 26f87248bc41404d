"""The views of an open card: its fields, its place, completion, archiving and deletion."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boards import access
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.card import complete_card, delete_card, reopen_card, update_card
from boards.actions.cards.moves import move_card
from boards.actions.ordering import Place
from boards.models import Card, Role
from boards.reading.reach import visible_card
from core.http.requests import SignedInRequest
from notifications.inbox.entries import mark_card_read, note_opened, unread_count
from web.cards.answers import about, card_changed, done_words, render_since, render_whole, tile_of, whereabouts
from web.cards.limits import with_warning
from web.cards.page import read_card
from web.http import fields
from web.http.answers import NOTHING, back_to, fragments, is_opened, is_partial, removed, toast
from web.http.archived import back_to_archive
from web.http.changed import totals
from web.http.guard import actor, reader, signed_in
from web.http.places import Siblings, place_of


@signed_in("GET")
def card(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Return the open card to the script: whole, also to a page that shows `?version=`, or only what changed `?since=` one.

    Redirect a browser that opens this address to the card's own.
    """
    found = read_card(request, card_id)
    if not is_partial(request):
        return redirect(found.card)
    if "since" in request.GET:
        return fragments(render_since(request, found, request.GET["since"]))
    answer = fragments(render_whole(request, found, request.GET.get("version", "")))
    if is_opened(request):
        note_opened(reader(request), card_id)
    return answer


@signed_in("POST")
def card_notifications(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Mark the card's notifications as read, for a page on which it is open. Answer with how many others are unread."""
    visible_card(card_id, reader(request))
    mark_card_read(reader(request), card_id)
    return JsonResponse({"unread": unread_count(reader(request))})


@signed_in("POST")
def due(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    found, _role = visible_card(card_id, reader(request))
    dates = fields.due(request, found)
    if "startDate" in request.POST:
        dates["start_day"] = fields.day(request, "startDate")
    changed = update_card(actor=actor(request), card_id=card_id, **dates)
    return card_changed(request, changed, own=["due"])


@signed_in("POST")
def cover(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    hue = fields.whole_number(request, "cover")
    changed = update_card(actor=actor(request), card_id=card_id, cover_hue=hue)
    return card_changed(request, changed, own=["cover"])


@signed_in("POST")
def recurrence(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    rule = request.POST.get("recurrence", "")
    changed = update_card(actor=actor(request), card_id=card_id, recurrence=rule)
    return card_changed(request, changed, own=["recurrence"])


@signed_in("POST")
def completion(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    done = fields.flag(request, "done")
    changed = (complete_card if done else reopen_card)(actor=actor(request), card_id=card_id)
    text, button = done_words(request, changed) if done else (_("Reopened."), NOTHING)
    return card_changed(request, changed, about(changed, text), own=["head"], button=button)


@signed_in("POST")
def archival(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    return _archive(request, card_id) if fields.flag(request, "archived") else _restore(request, card_id)


def _archive(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    archived, following = archive_card(actor=actor(request), card_id=card_id)
    text = pgettext("card", "Archived.") if following is None else _("Archived. The next occurrence is on the board.")
    text = about(archived, text)
    if not is_partial(request):
        return back_to(request, archived.board.get_absolute_url(), text)
    new = tile_of(request, following.pk) if following else []
    counts = totals(request, archived.board, archived.list_id)
    return fragments(removed("card", card_id), *new, *counts, toast(text, request))


def _restore(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    before, _role = visible_card(card_id, reader(request))
    restored, _next, gone = restore_card(actor=actor(request), card_id=card_id)
    text = with_warning(pgettext("card", "Restored."), restored.list if before.archived_at else None)
    address = restored.get_absolute_url()
    if answer := back_to_archive(request, restored.board, about(restored, text), address, _("Open card")):
        return answer
    return card_changed(
        request,
        restored,
        about(restored, text),
        *([removed("card", gone)] if gone else []),
        *totals(request, restored.board, restored.list_id),
    )


@signed_in("POST")
def place(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Move the card to another list or place."""
    sent = request.POST.dict()
    before, _role = visible_card(card_id, reader(request))
    into = fields.id_of(sent, "list") if "list" in sent else None
    moved = move_card(actor=actor(request), card_id=card_id, list_id=into, place=_place(sent, before, into))
    if moved.version == before.version:
        return card_changed(request, moved, own=["place"])
    text = with_warning(whereabouts(moved), moved.list if moved.list_id != before.list_id else None)
    counts = totals(request, before.board, before.list_id, moved.list_id)
    return card_changed(request, moved, about(moved, text), *counts, own=["place"])


def _place(sent: dict[str, str], card: Card, into: UUID | None) -> Place:
    if "before" in sent:
        return Place("before", fields.id_of(sent, "before"))
    return place_of(sent, Siblings(Card, "list", into or card.list_id), moving=[card.pk])


@signed_in("GET", "POST")
def deletion(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """GET: ask for confirmation. POST: delete the card for good."""
    found, role = visible_card(card_id, reader(request))
    if request.method == "POST":
        delete_card(actor=actor(request), card_id=card_id)
        text = pgettext("card", "“%(title)s” was deleted.") % {"title": found.title}
        return back_to(request, f"{found.board.get_absolute_url()}/archive", text)
    access.require(role, Role.OWNER)
    context = {
        "board": found.board,
        "heading": _("Delete this card permanently?"),
        "subject": found.title,
        "words": _("Its description, checklists and comments will be deleted too. This cannot be undone."),
        "button": _("Delete permanently"),
        "back": f"{found.board.get_absolute_url()}/archive",
    }
    return render(request, "web/confirm.html", context)
