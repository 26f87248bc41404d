"""The views of an open card: its fields, its place, completion, archiving and deletion."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boards import access
from boards.actions.archive import archive_card, restore_card
from boards.actions.cards import complete_card, create_card, delete_card, reopen_card, update_card
from boards.actions.moves import move_card
from boards.actions.ordering import BOTTOM, TOP, Place
from boards.errors import Conflict, Invalid
from boards.models import Card, Role
from boards.reading.reach import visible_card
from boards.richtext import to_html, to_markdown
from core.http import SignedInRequest
from web.cards.answers import card_changed, render_since, tile_of
from web.cards.page import read_card
from web.door import fields
from web.door.answers import Undo, back_to, fragments, is_partial, removed, toast
from web.door.guard import actor, reader, signed_in


@signed_in("GET")
def card(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Return the open card to the script, or only what changed `?since=` a version.

    Redirect a browser that opens this address to the card's own.
    """
    found = read_card(request, card_id)
    return (
        fragments(render_since(request, found, request.GET.get("since", "")))
        if is_partial(request)
        else redirect(found.card)
    )


@signed_in("POST")
def new_card(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Quick add. The field's name ends with the list's id, because one form holds the fields of all lists."""
    given = request.POST.get(f"new-{list_id}", "")
    made = create_card(actor=actor(request), list_id=list_id, title=given)
    if is_partial(request):
        return fragments(*tile_of(made.pk))
    return redirect(f"{made.board.get_absolute_url()}#card-{made.pk}")


@signed_in("POST")
def title(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    changed = update_card(actor=actor(request), card_id=card_id, title=request.POST.get("title", ""))
    return card_changed(request, changed, own=["head"])


@signed_in("POST")
def description(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Save the description if it is still the one that the writer saw. Otherwise show both, to choose from."""
    written, version = request.POST.get("description", ""), request.POST.get("version", "")
    try:
        changed = update_card(actor=actor(request), card_id=card_id, description=written, if_version=_version(version))
    except Conflict as conflict:
        current, _role = visible_card(card_id, reader(request))
        if current.archived_at or current.list.archived_at:
            raise
        return _both_versions(request, current, written, conflict)
    return card_changed(request, changed, own=["description"])


def _version(value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 19):
        raise Invalid(_("This form is out of date. Reload the page and try again."), "version")
    return int(value)


def _both_versions(request: SignedInRequest, card: Card, written: str, conflict: Conflict) -> HttpResponse:
    context = {
        "card": card,
        "message": conflict.message,
        "written": written,
        "theirs": to_markdown(card.description),
        "theirs_html": to_html(card.description),
    }
    if is_partial(request):
        return fragments(render_to_string("web/partials/both_versions.html", context, request), status=409)
    return render(request, "web/both_versions.html", context, status=409)


@signed_in("POST")
def due(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    found, _role = visible_card(card_id, reader(request))
    due_at = fields.due(request, found.due_at)
    changed = update_card(actor=actor(request), card_id=card_id, due_at=due_at)
    return card_changed(request, changed, own=["due"])


@signed_in("POST")
def recurrence(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    rule = request.POST.get("recurrence", "")
    changed = update_card(actor=actor(request), card_id=card_id, recurrence=rule)
    return card_changed(request, changed, own=["recurrence"])


@signed_in("POST")
def completion(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    done = fields.flag(request, "done")
    changed = (complete_card if done else reopen_card)(actor=actor(request), card_id=card_id)
    undo = Undo(request.path, "done", "0" if done else "1")
    return card_changed(request, changed, _("Marked as done.") if done else _("Reopened."), undo, own=["completion"])


@signed_in("POST")
def archival(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    return _archive(request, card_id) if fields.flag(request, "archived") else _restore(request, card_id)


def _archive(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    archived, following = archive_card(actor=actor(request), card_id=card_id)
    text = pgettext("card", "Archived.") if following is None else _("Archived. The next occurrence is on the board.")
    undo = Undo(request.path, "archived", "0")
    if not is_partial(request):
        return back_to(request, archived.board.get_absolute_url(), text, undo)
    return fragments(removed("card", card_id), *(tile_of(following.pk) if following else []), toast(text, undo))


def _restore(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    before, _role = visible_card(card_id, reader(request))
    following = Card.objects.filter(repeats=before).values_list("pk", flat=True).first()
    restored = restore_card(actor=actor(request), card_id=card_id)
    gone = following is not None and not Card.objects.filter(pk=following).exists()
    return card_changed(
        request,
        restored,
        pgettext("card", "Restored."),
        None,
        *([removed("card", following)] if gone and following else []),
    )


@signed_in("POST")
def place(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Move the card to another list or place. The Undo of the toast names the neighbour that the card had below it.

    That Undo is a button with only one field, so its list is in the query; hence the merge of GET and POST.
    """
    sent = {**request.GET.dict(), **request.POST.dict()}
    before, _role = visible_card(card_id, reader(request))
    home = _undo(request, before)
    into = fields.id_of(sent, "list") if "list" in sent else None
    moved = move_card(actor=actor(request), card_id=card_id, list_id=into, place=_place(sent))
    if moved.version == before.version:
        return card_changed(request, moved, own=["place"])
    return card_changed(request, moved, _whereabouts(moved), home, own=["place"])


def _place(sent: dict[str, str]) -> Place:
    if "before" in sent:
        return Place("before", fields.id_of(sent, "before"))
    if sent.get("where") not in ("top", "bottom"):
        raise Invalid.of("where", _("%(field)s must be top or bottom."))
    return TOP if sent["where"] == "top" else BOTTOM


def _undo(request: SignedInRequest, card: Card) -> Undo:
    below = Card.objects.filter(list=card.list_id, position__gt=card.position, archived_at=None).order_by("position")
    neighbour = below.values_list("pk", flat=True).first()
    back = ("before", str(neighbour)) if neighbour else ("where", "bottom")
    return Undo(f"{request.path}?list={card.list_id}", *back)


def _whereabouts(card: Card) -> str:
    cards = Card.objects.filter(list=card.list_id, archived_at=None)
    return _("Moved to %(list)s, %(place)d of %(all)d") % {
        "list": card.list.title,
        "place": cards.filter(position__lte=card.position).count(),
        "all": cards.count(),
    }


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
