"""The cards of one list, part by part: for the page of a board where somebody scrolls on, and for a page of the list."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boards.errors import Invalid
from boards.models import List
from boards.reader import MEMBERS, PublicView
from boards.reading.columns import END, FILL, PAGE, Condition, count_cards, read_part
from boards.reading.filters import condition, filter_in
from boards.reading.public import tiles_for
from boards.reading.reach import visible_list
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.boards.context import board_context
from web.cards.create import new_cards
from web.fragments import render_list, render_part, render_tile
from web.http.answers import fragments, is_partial
from web.http.guard import reader, signed_in

LENGTH = 17  # hexadecimal digits of a position, with its sign


@signed_in("GET", "POST")
def cards(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """GET: return the cards `?from=` a position on, or the list with its first ones. POST: add one card or several."""
    if request.method == "POST":
        return new_cards(request, list_id=list_id)
    found, _role = visible_list(list_id, reader(request))
    if not is_partial(request):
        return redirect(f"/list/{list_id}?{request.GET.urlencode()}")
    start = position_in(request)
    only = condition(found.board, filter_in(request.GET), request.user)
    shown, following, total = part_of(found, start, only, view=MEMBERS)
    every = count_cards([found.pk])[found.pk] if only else None
    part = render_part(found, found.board, following, total, every)
    if start is None:
        return fragments(
            part, render_list(found, shown, total=total, following=following, all_cards=every, view=MEMBERS)
        )
    return fragments(part, *shown)


def first_part(row: List) -> SafeString:
    """Render a list with its first cards."""
    shown, following, total = part_of(row, None, None, view=MEMBERS)
    return render_list(row, shown, total=total, following=following, view=MEMBERS)


def part_of(
    row: List, start: int | None, only: Condition | None, *, view: PublicView | None
) -> tuple[list[SafeString], int | None, int]:
    """Return the tiles of a list from a position on, where the next part begins, and how many cards the list has."""
    ids, following = read_part(row, start, FILL if start is None else PAGE, only)
    shown = [render_tile(tile) for tile in tiles_for(view, ids)]
    return shown, following, count_cards([row.pk], only)[row.pk]


def position_in(request: HttpRequest) -> int | None:
    """Return the position in `?from=`, which is hexadecimal as on the tiles; None if there is none."""
    value = request.GET.get("from", "")
    if not value:
        return None
    try:
        if not value.isascii() or len(value) > LENGTH or abs(found := int(value, 16)) > END:
            raise ValueError
        return found
    except ValueError:
        raise Invalid.of("from", _("%(field)s must come from the link “Show more” of this list.")) from None


@signed_in("GET")
def list_page(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Show the list by itself, with its menu as a page and its cards part by part: for readers without scripts."""
    found, role = visible_list(list_id, reader(request))
    if opened := parse_id(request.GET.get("card", "")):  # the address of a tile is relative to its page
        return redirect(f"{found.board.get_absolute_url()}?card={opened}")
    wanted = filter_in(request.GET)
    only = condition(found.board, wanted, request.user)
    shown, following, total = part_of(found, position_in(request), only, view=MEMBERS)
    context = board_context(found.board, role)
    also = {
        "list": found,
        "tiles": shown,
        "total": total,
        "next": "" if following is None else f"{following:x}",
        "filter": wanted.address(),
        "can_edit": context["can_edit"] and found.archived_at is None,
    }
    return render(request, "web/list.html", context | also)
