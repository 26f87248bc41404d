"""The start page: an introduction for visitors, for signed-in users their boards and what waits for their answer."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from boards.reader import Reader
from boards.reading.boards import archived_boards, boards_with_counts, open_board_ids
from boards.reading.due import due_cards
from boards.reading.pending import invitations_to, offers_to
from core.http.requests import SignedInRequest
from notifications.inbox.lines import quoted, told
from notifications.inbox.piles import Pile, in_pile, page_of
from notifications.inbox.unseen import unseen_counts
from web.boards.board_tiles import render_board_tiles
from web.boards.links_followed import links_followed
from web.fragments import joined
from web.http.answers import fragments, is_partial
from web.http.guard import reader, signed_in
from web.my.rows import RowRenderer

INVITATIONS = 3  # on the start page; the others are on a page of their own
ARCHIVED = 20  # on the start page
ARCHIVED_A_PAGE = 50

BOARDS = 100  # on one page
DUE, NEWS = 6, 4  # rows of what is due and of what is new


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the start page; to scripts of a signed-in user *What's new* alone, which names their open boards."""
    if not request.user.is_authenticated:
        return render(request, "web/start.html")
    mine = Reader(request.user)
    if is_partial(request):
        context = _news(mine) | {"open_boards": open_board_ids(mine)}
        return fragments(render_to_string("web/partials/inbox/start_news.html", context, request))
    page = Paginator(open_board_ids(mine), BOARDS).get_page(request.GET.get("page"))
    found, unseen = boards_with_counts(mine, list(page)), unseen_counts(mine)
    for board in found:
        board.unseen = unseen.get(board.pk, 0)
    gone, invitations = list(archived_boards(mine)[: ARCHIVED + 1]), list(invitations_to(mine)[: INVITATIONS + 1])
    context = {
        "boards": found,
        "tiles": render_board_tiles(found),
        "archived": gone[:ARCHIVED],
        "more_archived": len(gone) > ARCHIVED,
        "invitations": invitations[:INVITATIONS],
        "more_invitations": len(invitations) > INVITATIONS,
        "unconfirmed": not request.user.has_confirmed_address,
        "offers": list(offers_to(mine)),
        "links": links_followed(request),
        "page": page,
        "due": joined(map(RowRenderer(request.user, has_menu=False), due_cards(mine, DUE))),
    }
    return render(request, "web/home.html", context | _news(mine))


def _news(mine: Reader) -> dict[str, Any]:
    """Return the first rows of the inbox, and how many are unread as the bell counts them; None where others follow."""
    rows = page_of(in_pile(mine, Pile.UNREAD), most=NEWS)
    unread = sum(row.others + 1 for row in rows) if len(rows) <= NEWS else None
    return {"news": quoted(told(rows[:NEWS])), "unread": unread}


@signed_in("GET")
def archived(request: SignedInRequest) -> HttpResponse:
    """List every archived board of the user, page by page."""
    pages = Paginator(archived_boards(reader(request)), ARCHIVED_A_PAGE)
    return render(request, "web/archived_boards.html", {"page": pages.get_page(request.GET.get("page"))})
