"""Boards, cards, people and lists for the command palette, the field of the head and "Move to…" while somebody types, as options
of a list box.
"""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.models import User, WorkFilter
from accounts.work_filters import filters_of
from boards.models import OwnTemplate
from boards.reader import Reader
from boards.reading.board_views import SavedFilter, saved_filters_of
from boards.reading.boards import open_boards
from boards.reading.jump import best, boards_like, cards_like, lists_like
from boards.reading.search_page import card_leads, known_to
from boards.reading.search_words import QUERY
from boards.text import clean_text
from core.http.requests import SignedInRequest
from core.ids import parse_id
from security.limits import count
from web.http.answers import fragments, is_partial
from web.http.guard import reader, signed_in

BOARDS, PEOPLE, CARDS, LISTS, FILTERS, TEMPLATES = 6, 6, 12, 50, 6, 4


@signed_in("GET")
def jump(request: SignedInRequest) -> HttpResponse:
    """Offer what the search page finds first, and the filters saved for this board; without letters, starred boards and the last
    changed.
    """
    letters, here = _asked(request)
    mine = reader(request)
    context: dict[str, object] = {
        "letters": letters,
        "filters": _filters_like(mine, letters, here) if here else [],
        "here": here,
    }
    if letters:
        count(request, "search", str(request.user.pk))
        context |= _found(mine, letters, here) | {
            "work_filters": _work_filters_like(request.user, letters),
            "templates": _templates_like(request.user, letters),
        }
    else:
        context["boards"] = boards_like(open_boards(mine), "", limit=BOARDS)
    return _options(request, "web/partials/kit/jump.html", context)


def _found(mine: Reader, letters: str, here: UUID | None) -> dict[str, object]:
    """Return what the search page finds first, in its order. Boards with the letters in this order come last, and only if no board
    has the words.
    """
    known = known_to(mine)
    boards, cards = known.boards_with(letters)[:BOARDS], cards_like(mine, letters, here=here, limit=CARDS)
    leading = int(card_leads(letters, cards, boards))
    return {
        "best": cards[:leading],
        "boards": boards,
        "people": known.people_with(letters)[:PEOPLE],
        "cards": cards[leading:],
        "boards_nearly": [] if boards else boards_like(known.boards, letters, limit=BOARDS),
    }


def _filters_like(reading: Reader, letters: str, here: UUID) -> list[tuple[str, str, SavedFilter]]:
    """Return the names, queries and the saved filters themselves, the best match first."""
    found = ((_("Filter: %(name)s") % {"name": one.name}, one) for one in saved_filters_of(here, reading))
    ranked = best(letters, ((words, (words, one.wanted.address(), one)) for words, one in found))
    return ranked[:FILTERS]


def _work_filters_like(user: User, letters: str) -> list[tuple[str, WorkFilter]]:
    """Return the names of the filters of *My work* and the filters themselves, the best match first."""
    found = ((_("Filter: %(name)s") % {"name": one.name}, one) for one in filters_of(user))
    return best(letters, ((words, (words, one)) for words, one in found))[:FILTERS]


def _templates_like(user: User, letters: str) -> list[tuple[str, OwnTemplate]]:
    """Return what creates a board from each of the user's own templates, and the template, the best match first."""
    own = OwnTemplate.objects.of(user).only("name", "hue")
    found = ((_("New board from “%(name)s”") % {"name": one.name}, one) for one in own)
    return best(letters, ((words, (words, one)) for words, one in found))[:TEMPLATES]


@signed_in("GET")
def destinations(request: SignedInRequest) -> HttpResponse:
    """Offer the lists to which the user may move cards."""
    letters, here = _asked(request)
    found = lists_like(reader(request), letters, here=here, limit=LISTS)
    return _options(request, "web/partials/board/destinations.html", {"lists": found, "here": here})


def _asked(request: SignedInRequest) -> tuple[str, UUID | None]:
    """Return the typed text, and the id of the board on which it was typed."""
    return clean_text(request.GET.get("q", ""), "q", QUERY).strip(), parse_id(request.GET.get("board", ""))


def _options(request: SignedInRequest, template: str, context: dict[str, object]) -> HttpResponse:
    return fragments(render_to_string(template, context, request)) if is_partial(request) else redirect("home")
