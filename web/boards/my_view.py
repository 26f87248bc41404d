"""Change one's own view of a board: the star, first lines of descriptions, collapsed lists."""

import re
from collections.abc import Collection, Iterable
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString

from boards.actions.boards.board_views import collapse_list, show_excerpts, star_board
from core.http.requests import SignedInRequest, back
from web.fragments import joined
from web.http import fields
from web.http.answers import fragments, is_partial
from web.http.guard import actor, signed_in

EACH_LIST = re.compile("(?=<section)")
LIST = re.compile(r'id="list-([0-9a-f-]{36})"')
EXPANDED = 'value="1" aria-expanded="true"'  # of the button in templates/web/partials/board/list.html
COLLAPSED = 'value="0" aria-expanded="false"'


@signed_in("POST")
def star(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    star_board(actor=actor(request), board_id=board_id, starred=fields.flag(request, "starred"))
    return _kept(request)


@signed_in("POST")
def excerpts(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    show_excerpts(actor=actor(request), board_id=board_id, shown=fields.flag(request, "shown"))
    return _kept(request)


@signed_in("POST")
def collapse(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    collapse_list(actor=actor(request), list_id=list_id, collapsed=fields.flag(request, "collapsed"))
    return _kept(request)


def _kept(request: SignedInRequest) -> HttpResponse:
    """Answer scripts without fragments, as they show the choice themselves, and others with the page."""
    return fragments() if is_partial(request) else redirect(back(request))


def with_collapsed(lists: Iterable[SafeString], ids: Collection[str]) -> list[SafeString]:
    """Return the lists for one reader's page, with these collapsed from the first paint on.

    The fragments themselves are kept for all readers and stay as they are. static/js/board/collapse.js does the same to those
    that come later.
    """
    return [_collapsed_among(html, ids) if any(pk in html for pk in ids) else html for html in lists]


def _collapsed_among(html: SafeString, ids: Collection[str]) -> SafeString:
    """Collapse those of the lists in a piece of the page that have these ids."""
    return joined(
        _collapsed(SafeString(one)) if (found := LIST.search(one)) and found[1] in ids else SafeString(one)
        for one in EACH_LIST.split(html)
    )


def _collapsed(html: SafeString) -> SafeString:
    return SafeString(html.replace("<section", "<section data-collapsed", 1).replace(EXPANDED, COLLAPSED, 1))
