"""The lists of a board: rename, limit, move, archive, restore, delete."""

from uuid import UUID

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from boards import access
from boards.actions.cards.archive import archive_all_cards, archive_done_cards
from boards.actions.cards.moves import move_all_cards
from boards.actions.lists.list import archive_list, delete_list, limit_list, move_list, rename_list, restore_list
from boards.actions.lists.sorting import sort_list
from boards.actions.ordering import BOTTOM, TOP, Place
from boards.errors import Invalid
from boards.models import Card, List, Role, Verb
from boards.reader import MEMBERS
from boards.reading.reach import visible_list
from core.http.requests import SignedInRequest
from web.boards.list_cards import first_part
from web.cards.answers import about
from web.cards.limits import with_warning, with_warnings
from web.fragments import render_list
from web.http import fields
from web.http.answers import back_to, fragments, is_partial, removed, toast
from web.http.archived import back_to_archive
from web.http.changed import fragments_since
from web.http.guard import actor, reader, signed_in
from web.http.places import Siblings, place_of


@signed_in("POST")
def title(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    changed = rename_list(actor=actor(request), list_id=list_id, title=request.POST.get("title", ""))
    return _list_changed(request, changed)


@signed_in("POST")
def limit(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Set the limit from which on the list warns; an empty field removes it."""
    return _list_changed(
        request, limit_list(actor=actor(request), list_id=list_id, card_limit=fields.whole_number(request, "limit"))
    )


@signed_in("POST")
def place(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Move the list one place to the left or to the right, or beside another list. `told`: answer with the message, too."""
    found, _role = visible_list(list_id, reader(request))
    moved = move_list(actor=actor(request), list_id=list_id, place=_place(request.POST, found))
    is_told = "told" in request.POST and bool(actor(request).changes)
    return _list_changed(
        request, moved, *([toast(about(moved, str(Verb.LIST_MOVED.label)), request)] if is_told else [])
    )


def _place(sent: QueryDict, row: List) -> Place:
    if "direction" not in sent:
        return place_of(sent, Siblings(List, "board", row.board_id))
    if sent["direction"] not in ("left", "right"):
        raise Invalid.of("direction", _("%(field)s must be left or right."))
    return _beside(row, sent["direction"])


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
    text = _("“%(title)s” and its cards were archived.") if archived else _("“%(title)s” was restored.")
    text = with_warning(text % {"title": changed.title}, None if archived else changed)
    address = changed.board.get_absolute_url()
    if answer := back_to_archive(request, changed.board, text, f"{address}#list-{list_id}", _("Open board")):
        return answer
    if not is_partial(request):
        return back_to(request, address, text)
    shown = removed("list", list_id) if archived else first_part(changed)
    return fragments(shown, toast(text, request))


@signed_in("POST")
def order(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Sort the list once."""
    before, _role = visible_list(list_id, reader(request))
    sort_list(actor=actor(request), list_id=list_id, by=request.POST.get("by", ""))
    text = _("“%(title)s” was sorted.") if actor(request).changes else _("“%(title)s” is already in this order.")
    return _cards_changed(request, before, text % {"title": before.title})


@signed_in("POST")
def done_archival(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    before, _role = visible_list(list_id, reader(request))
    archive_done_cards(actor=actor(request), list_id=list_id)
    number = len(actor(request).changes)
    if not number:
        return _cards_changed(request, before, _("“%(title)s” has no done cards.") % {"title": before.title})
    text = ngettext("%(number)s done card archived.", "%(number)s done cards archived.", number) % {"number": number}
    if Card.objects.filter(list=before, archived_at=None, completed_at__isnull=False).exists():
        text = " ".join((text, _("There are more. Repeat this to archive them too.")))
    return _cards_changed(request, before, text)


@signed_in("POST")
def cards_archival(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Archive all cards of the list."""
    before, _role = visible_list(list_id, reader(request))
    total = _number_of_cards(before)
    archive_all_cards(actor=actor(request), list_id=list_id)
    number = len(actor(request).changes)
    text = ngettext("Card archived.", "%(number)s cards archived.", number) % {"number": number}
    more = _("There are more. Repeat this to archive them too.")
    return _cards_changed(request, before, _all_words(before, total, number, text, more))


@signed_in("POST")
def cards_place(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Move all cards of the list to the end of the `list` of the form."""
    before, _role = visible_list(list_id, reader(request))
    total = _number_of_cards(before)
    into = move_all_cards(actor=actor(request), list_id=list_id, into_id=fields.id_of(request.POST, "list"))
    number = len(actor(request).changes)
    text = ngettext("%(number)s card moved to %(list)s.", "%(number)s cards moved to %(list)s.", number)
    more = _("There are more. Repeat this to move them too.")
    text = _all_words(before, total, number, text % {"number": number, "list": into.title}, more)
    return _cards_changed(request, before, with_warnings(text, [into] if number else []))


def _number_of_cards(row: List) -> int:
    return Card.objects.filter(list=row, archived_at=None).count()


def _all_words(row: List, total: int, number: int, text: str, more: str) -> str:
    """Say what was done to `number` of the list's cards, and whether it had more."""
    if not number:
        return _("Nothing changed in “%(title)s”.") % {"title": row.title}
    return " ".join((text, more)) if total > number else text


def _cards_changed(request: SignedInRequest, before: List, text: str) -> HttpResponse:
    if not is_partial(request):
        return back_to(request, before.board.get_absolute_url(), text)
    return fragments(*fragments_since(request, before.board, before.board.version), toast(text, request))


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


def _list_changed(request: SignedInRequest, changed: List, *told: SafeString) -> HttpResponse:
    return fragments(render_list(changed, [], view=MEMBERS), *told) if is_partial(request) else redirect(changed.board)
