"""Renders the live regions of a board. The page, the answers to its forms and the socket all use these functions.

A fragment is the same for all readers of one language, so it holds no role, user, time zone or CSRF token. Its buttons
name the page's own form by `form=`, CSS hides controls that the role does not allow, and `<time>` is in UTC until a
script converts it to the reader's zone.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boards.dates import timestamp
from boards.models import Board, List, Membership, Offer
from boards.reading.tiles import Tile, tiles
from boards.recurrence import Recurrence
from web.templatetags.board_tags import avatar, icon

__all__ = ["render_board_head", "render_list", "render_members", "render_offer", "render_tile", "tiles"]

SOON = timedelta(hours=24)
KEPT = 2048  # small pieces of HTML in the cache, which many tiles share


def render_board_head(board: Board) -> SafeString:
    return render_to_string("web/partials/board_head.html", {"board": board})


def render_members(members: Sequence[Membership]) -> SafeString:
    """Render the members of a board; `members` come with `user` loaded."""
    return render_to_string("web/partials/members.html", {"members": members})


def render_offer(offer: Offer) -> SafeString:
    """Render the bar with the offer of its board; `offer` comes with `board` and `offered_by` loaded."""
    return render_to_string("web/partials/offer_bar.html", {"offer": offer, "board": offer.board})


def render_list(row: List, shown: Sequence[SafeString]) -> SafeString:
    """Render a list with these tiles. Pass `shown=[]` for a page that keeps the tiles it has."""
    context = {"list": row, "position": f"{row.position:x}", "tiles": joined(shown), "count": len(shown)}
    return render_to_string("web/partials/list.html", context)


def render_tile(card: Tile) -> SafeString:
    """Render a tile in Python rather than with a template, which takes several times as long on a large board.

    Everything but numbers, ids and fragments is escaped here. Positions are hexadecimal: most of them then end in
    zeros, which makes a large board a sixth smaller on the wire.
    """
    return SafeString(
        f'<li class="card{" done" if card.completed_at else ""}" id="card-{card.pk}" data-list="{card.list_id}"'
        f' data-position="{card.position:x}" data-version="{card.version}">{joined(_labels(card))}'
        f'<a class="title" href="?card={card.pk}">{escape(card.title)} <span class="number">#{card.number}</span></a>'
        f'<div class="facts">{joined(_facts(card))}</div></li>'
    )


def joined(parts: Iterable[SafeString]) -> SafeString:
    return SafeString("".join(parts))


def due_state(due_at: datetime, *, done: bool) -> str:
    """Return the CSS class `met`, `late`, `soon` or "". static/js/times.js updates it while the page is open."""
    left = due_at - timezone.now()
    if done:
        return "met"
    if left < timedelta():
        return "late"
    return "soon" if left < SOON else ""


def _labels(card: Tile) -> Iterable[SafeString]:
    if card.labels:
        names = joined(_label(row.hue, row.name) for row in card.labels)
        yield SafeString(f'<div class="labels">{names}</div>')


@lru_cache(KEPT)
def _label(hue: int, name: str) -> SafeString:
    return format_html('<span class="label hue-{}">{}</span>', hue, name)


def _facts(card: Tile) -> Iterable[SafeString]:
    if card.due_at:
        yield _due(card.due_at, done=card.completed_at is not None)
    elif card.completed_at:
        yield _fact("circle-check", _("Done"), css=" met")
    if card.recurrence:
        yield _fact("repeat", Recurrence(card.recurrence).label)
    if card.items:
        yield _fact("square-check", _("Checklists"), f"{card.ticked}/{card.items}")
    if card.comments:
        yield _fact("message-square", _("Comments"), card.comments)
    if card.people:
        faces = joined(avatar(person) for person in card.people)
        yield SafeString(f'<span class="avatars">{faces}</span>')


def _due(due_at: datetime, *, done: bool) -> SafeString:
    opening = _due_opening(due_state(due_at, done=done), _("Due"), _("Overdue"))
    day = date_format(due_at.astimezone(UTC), "MONTH_DAY_FORMAT")
    return SafeString(f'{opening}<time datetime="{timestamp(due_at)}">{day}</time></span>')


@lru_cache(KEPT)
def _due_opening(state: str, due: str, overdue: str) -> SafeString:
    """Always contain the word "overdue"; the style sheet shows it for `late`, which a script may set later."""
    return format_html(
        '<span class="fact due {}" title="{}">{}<span class="late-word">{}</span>',
        state,
        due,
        icon("circle-check" if state == "met" else "clock"),
        overdue,
    )


@lru_cache(KEPT)
def _fact(picture: str, meaning: str, value: object = "", css: str = "") -> SafeString:
    """Show an icon, with its meaning as text for screen readers."""
    return format_html(
        '<span class="fact{}" title="{}">{}<span class="visually-hidden">{}</span>{}</span>',
        css,
        meaning,
        icon(picture),
        meaning,
        value,
    )
