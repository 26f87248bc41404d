"""The lists of a board: rename, move, archive, restore, delete."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boards import access
from boards.actions.lists import archive_list, delete_list, move_list, rename_list, restore_list
from boards.actions.ordering import BOTTOM, TOP, Place
from boards.errors import Invalid
from boards.models import Card, List, Role
from boards.reading.reach import visible_list
from core.http import SignedInRequest
from web.door import fields
from web.door.answers import Undo, back_to, fragments, is_partial, removed, toast
from web.door.guard import actor, reader, signed_in
from web.fragments import render_list, render_tile, tiles


@signed_in("POST")
def title(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Rename the list. The field's name ends with the list's id, because one form holds the fields of all lists."""
    given = request.POST.get(f"title-{list_id}", "")
    changed = rename_list(actor=actor(request), list_id=list_id, title=given)
    return _list_changed(request, changed)


@signed_in("POST")
def place(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Move the list one place to the left or to the right."""
    found, _role = visible_list(list_id, reader(request))
    direction = request.POST.get("direction")
    if direction not in ("left", "right"):
        raise Invalid.of("direction", _("%(field)s must be left or right."))
    return _list_changed(request, move_list(actor=actor(request), list_id=list_id, place=_beside(found, direction)))


def _beside(row: List, direction: str) -> Place:
    others = List.objects.filter(board=row.board_id, archived_at=None)
    if direction == "left":
        before = others.filter(position__lt=row.position).order_by("-position").first()
        return Place("before", before.pk) if before else TOP
    after = others.filter(position__gt=row.position).order_by("position").first()
    return Place("after", after.pk) if after else BOTTOM


@signed_in("POST")
def archival(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    archived = fields.flag(request, "archived")
    changed = (archive_list if archived else restore_list)(actor=actor(request), list_id=list_id)
    undo = Undo(request.path, "archived", "0" if archived else "1")
    text = _("“%(title)s” and its cards were archived.") if archived else _("“%(title)s” was restored.")
    text %= {"title": changed.title}
    if not is_partial(request):
        return back_to(request, changed.board.get_absolute_url(), text, undo)
    cards = () if archived else tiles(Card.objects.filter(list=changed))
    shown = removed("list", list_id) if archived else render_list(changed, [render_tile(card) for card in cards])
    return fragments(shown, toast(text, undo))


@signed_in("GET", "POST")
def deletion(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """GET: ask for confirmation. POST: delete the list and its cards for good."""
    found, role = visible_list(list_id, reader(request))
    address = f"{found.board.get_absolute_url()}/archive"
    if request.method == "POST":
        delete_list(actor=actor(request), list_id=list_id)
        return back_to(request, address, pgettext("list", "“%(title)s” was deleted.") % {"title": found.title})
    access.require(role, Role.OWNER)
    context = {
        "board": found.board,
        "heading": _("Delete this list permanently?"),
        "subject": found.title,
        "words": _("All its cards and their comments will be deleted too. This cannot be undone."),
        "button": _("Delete permanently"),
        "back": address,
    }
    return render(request, "web/confirm.html", context)


def _list_changed(request: SignedInRequest, changed: List) -> HttpResponse:
    return fragments(render_list(changed, [])) if is_partial(request) else redirect(changed.board)
