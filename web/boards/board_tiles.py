"""Renders the boards of the start page, in Python rather than with a template: a page has a hundred of them."""

from collections.abc import Iterable
from math import ceil
from typing import Any
from uuid import UUID

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from boards.backgrounds import kind_of, picture_of
from core.templatetags.kept_tags import include_kept
from web.fragments import joined
from web.templatetags.board_tags import ago, avatar, up_to_99

LISTS_DRAWN, CARDS_DRAWN = 6, 5


def render_board_tiles(boards: Iterable[Any]) -> SafeString:
    """Render boards as boards/reading/boards.py returns them, with `unseen`. Everything that people typed is escaped."""
    faces: dict[UUID, SafeString] = {}
    return joined(_tile(board, faces) for board in boards)


def _tile(board: Any, faces: dict[UUID, SafeString]) -> SafeString:
    star = include_kept("web/partials/board/star.html", pk=board.pk, title=board.title, starred=bool(board.starred))
    return SafeString(
        f'<li class="board-tile hue-{board.hue}" data-board="{board.pk}">{_view(board)}'
        f'<a class="title" href="{board.get_absolute_url()}">{escape(board.title)}</a>{star}'
        f'<div class="foot"><p class="muted small">{" · ".join(_facts(board))}</p>'
        f'<span class="avatars">{_people(board, faces)}</span></div></li>'
    )


def _view(board: Any) -> str:
    """Draw the board: its background, its first lists, and how full each is beside the fullest of them."""
    sizes, kind = board.list_sizes[:LISTS_DRAWN], kind_of(board.background)
    fullest = max([CARDS_DRAWN, *sizes])
    lists = "".join(f"<i>{'<b></b>' * ceil(CARDS_DRAWN * size / fullest)}</i>" for size in sizes)
    name = picture_of(board.background)
    image = f'<img src="/board/{board.pk}/background/{name}" alt="" loading="lazy">' if name else ""
    return f'<div class="view background" data-background="{kind}" aria-hidden="true">{image}{lists}</div>'


def _facts(board: Any) -> Iterable[str]:
    cards, unseen = sum(board.list_sizes), board.unseen
    yield ngettext("%(number)s open card", "%(number)s open cards", cards) % {"number": cards}
    if unseen:
        words = ngettext("%(shown)s new", "%(shown)s new", unseen) % {"shown": up_to_99(unseen)}
        yield f'<span class="unseen">{words}</span>'
    yield ago(board.changed_at)


def _people(board: Any, faces: dict[UUID, SafeString]) -> SafeString:
    for user in board.faces:
        if user.pk not in faces:
            faces[user.pk] = avatar(user)
    others = board.member_count - len(board.faces)
    more = format_html('<span class="more">+{}</span>', others) if others > 0 else SafeString()
    return joined([*(faces[user.pk] for user in board.faces), more])
