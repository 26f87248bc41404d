"""The search over all boards: the page, and its results alone for the scripts that ask while somebody types, and when one of
the boards has changed.
"""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.errors import Invalid
from boards.reader import Reader
from boards.reading.search import cursor_after
from boards.reading.search_page import Hits, Known, Number, card_leads, hits_among, known_to, search_hits
from boards.reading.search_words import QUERY, words_in
from boards.reading.work import state_of
from core.http.requests import SignedInRequest
from security.limits import count
from web.http.answers import fragments, is_partial
from web.http.guard import reader, signed_in
from web.http.refusals import sentence_of
from web.search.asked import Asked, asked_in, shown_in
from web.search.narrowing import board_field, menus_of
from web.search.rows import render_boards, render_hits, render_people

A_PAGE = 20  # cards
BOARDS, PEOPLE = 6, 6
SHOWN = A_PAGE + BOARDS + PEOPLE


@signed_in("GET")
def search(request: SignedInRequest) -> HttpResponse:
    """Search what the reader can see; scripts get the results alone. Each search counts, as it reads many texts.

    A page that names the results that it `shows` gets those of them that are left, which are few.
    """
    asked, mine = asked_in(request.GET), reader(request)
    shown = shown_in(request.GET, SHOWN)
    if shown is not None and is_partial(request):
        return fragments(render_to_string("web/search/results.html", _left(asked, mine, shown), request))
    if asked.query or asked.narrows:
        count(request, "search", str(request.user.pk))
    known = Known([], []) if is_partial(request) and not asked.is_wide else known_to(mine)
    if is_partial(request):
        return fragments(render_to_string("web/search/results.html", _results(asked, mine, known), request))
    status = 200
    seen = state_of(known.boards)  # read before the results: what changes between both is told to the page later
    try:
        context = _results(asked, mine, known)
    except Invalid as error:
        context, status = {"asked": asked, "problem": True, "said": sentence_of(error)}, 422
    board = board_field(asked, mine, known)
    context |= {"narrowing": [board] if board.offered else [], "menus": menus_of(asked, mine, known)}
    context |= {"longest": QUERY, "seen": seen}
    return render(request, "web/search/search.html", context, status=status)


def _results(asked: Asked, mine: Reader, known: Known) -> dict[str, Any]:
    words_in(asked.query)  # raises Invalid, also where nothing is looked for
    if not asked.query and not asked.narrows:
        return {"asked": asked, "said": ""}
    found = _hits(asked, mine)
    boards = known.boards_with(asked.query) if asked.is_wide else []
    people = known.people_with(asked.query) if asked.is_wide else []
    rows = render_hits(found.hits, asked.query, mine.user)
    leads = bool(asked.query) and not asked.after and card_leads(asked.query, [hit.card for hit in found.hits], boards)
    return {
        "asked": asked,
        "best": rows[0] if leads else "",
        "cards": rows[1:] if leads else rows,
        "boards": render_boards(boards[:BOARDS], asked.query),
        "people": render_people(people[:PEOPLE], asked),
        "numbers": {"boards": len(boards), "people": len(people), "cards": str(found.number or "")},
        "said": _said(found.number or Number(len(rows), not found.more), len(boards) + len(people)),
        "first": asked.address() if asked.after else "",
        "further": asked.address(after=cursor_after(asked.filters(mine.user), found.hits[-1].card))
        if found.more
        else "",
        "with_archived": "" if asked.archived else asked.address(archived=1),
    }


def _left(asked: Asked, mine: Reader, shown: set[UUID]) -> dict[str, Any]:
    """Return those of the shown results that a search for the same would still find, as they are now."""
    known = known_to(mine) if asked.is_wide else Known([], [])
    boards = [board for board in known.boards_with(asked.query) if board.pk in shown]
    people = [user for user in known.people_with(asked.query) if user.pk in shown]
    return {
        "asked": asked,
        "cards": render_hits(hits_among(mine, asked.filters(mine.user), shown), asked.query, mine.user),
        "boards": render_boards(boards, asked.query),
        "people": render_people(people, asked),
    }


def _hits(asked: Asked, mine: Reader) -> Hits:
    filters = asked.filters(mine.user)
    try:
        return search_hits(mine, filters, limit=A_PAGE, after=asked.after or None)
    except Invalid as error:
        if error.field != "cursor":
            raise
        return search_hits(mine, filters, limit=A_PAGE)  # the cursor is of another search: from the beginning


def _said(cards: Number, others: int) -> str:
    number = cards.value + others
    if not cards.is_exact:
        return _("More than %(number)s results") % {"number": number}
    if not number:
        return _("No results")
    return ngettext("%(number)s result", "%(number)s results", number) % {"number": number}
