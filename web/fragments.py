"""Renders the live regions of a board. The page, the answers to its forms and the socket all use these functions.

A fragment is the same for all readers of one language, so it holds no role, user, time zone or CSRF token. Its buttons
name the page's own form by `form=`, CSS hides controls that the role does not allow, and `<time>` is in UTC and in the
form of the language (`day_in_language`), until a script converts it to the reader's zone and form. Holders of a
public link, a `view`, get fragments of their own without any control, made of what boards/reading/public.py gives them.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boards.actions.lists.sorting import CardOrder
from boards.backgrounds import kind_of, picture_of
from boards.colours import NAMES, Hue, palette
from boards.dates import Due
from boards.models import Board, Label, List, Membership, Offer
from boards.reader import PublicView
from boards.reading.tiles import Tile
from boards.recurrence import Recurrence
from core.templatetags.kept_tags import include_kept
from core.text.lists import join_items
from web.due import render_due, render_start
from web.templatetags.board_tags import avatar, icon

__all__ = [
    "render_board_head",
    "render_fact",
    "render_label",
    "render_list",
    "render_members",
    "render_offer",
    "render_part",
    "render_tile",
]

INDENTATION = re.compile(r"\n\s*")
FILES = (
    '"/attachments/',
    '"/background/',
)  # how attributes with the address of a file begin: texts have no such quotes
KEPT = 2048  # small pieces of HTML in the cache, which many tiles share


def render_board_head(board: Board, view: PublicView | None) -> SafeString:
    """Render the title. For members the board comes with `is_shared` (boards/reading/pending.py)."""
    kind, picture = kind_of(board.background), picture_of(board.background)
    if view:
        shown = {"board": board, "background": kind, "picture": picture}
        return render_to_string("web/public/board_head.html", shown)
    return include_kept(
        "web/partials/board/board_head.html",
        pk=board.pk,
        version=board.version,
        title=board.title,
        hue=board.hue,
        background=kind,
        picture=picture,
        is_shared=board.is_shared,
    )


def with_files_below(base: str, text: str) -> str:
    """Return what a public page gets, HTML or JSON, with the addresses of files below the page's own.

    Fragments are rendered once for all, with addresses as members get them; only the background's is of no use to those.
    """
    for beginning in FILES:
        text = text.replace(beginning, f'"{base}{beginning[1:]}')
    return text


def render_board_parts() -> SafeString:
    """Render the dialogs, menus and sentences that scripts show, which are the same on every board."""
    return include_kept("web/partials/board/board_parts.html", hues=palette, orders=CardOrder)


def render_members(members: Sequence[Membership]) -> SafeString:
    """Render the members of a board; `members` come with `user` loaded."""
    return render_to_string("web/partials/people/members.html", {"members": members})


def render_labels(labels: Iterable[Label]) -> SafeString:
    """Render the labels that quick add knows."""
    return render_to_string("web/partials/board/board_labels.html", {"labels": labels})


def render_offer(offer: Offer) -> SafeString:
    """Render the bar with the offer of its board; `offer` comes with `board` and `offered_by` loaded."""
    return render_to_string("web/partials/people/offer_bar.html", {"offer": offer, "board": offer.board})


def render_list(
    row: List,
    shown: Sequence[SafeString],
    *,
    total: int = 0,
    following: int | None = None,
    is_read: bool = True,
    all_cards: int | None = None,
    view: PublicView | None,
) -> SafeString:
    """Render a list with these tiles. Pass `shown=[]` for a page that keeps the tiles it has.

    `total` is how many cards the list has, and `following` the position of the first one behind those shown, if there
    are more. A list that is not read has no tiles yet; the page asks for it when somebody scrolls there.
    With a filter, `total` is how many cards match, of `all_cards`.
    """
    count = max(total, len(shown))
    number = count if all_cards is None else _("%(count)s of %(all_cards)s") % {"count": count, "all_cards": all_cards}
    is_over = row.card_limit is not None and (count if all_cards is None else all_cards) > row.card_limit
    context = {
        "list": row,
        "position": f"{row.position:x}",
        "tiles": joined(shown),
        "count": count,
        "number": number,
        "short": of_limit(count, row.card_limit) if all_cards is None else number,
        "is_over": is_over,
        "limit_words": limit_words(number, row.card_limit, is_over=is_over),
        "more": max(total - len(shown), 0) if following is not None or not is_read else 0,
        "next": "" if following is None else f"{following:x}",
        "is_read": is_read,
        "all_cards": all_cards,
    }
    html = render_to_string("web/public/list.html" if view else "web/partials/board/list.html", context)
    return SafeString(INDENTATION.sub(" ", html))  # a board has up to 500 lists


def of_limit(count: object, limit: object) -> str:
    """Say it for the eye, where no filter is on. place-lists.js says it too, of the placeholders {} and {limit}."""
    return pgettext("limit", "%(count)s of %(limit)s") % {"count": count, "limit": limit}


def limit_words(number: object, limit: object, *, is_over: bool) -> str:
    """Say how many cards a list has, and its limit. place-lists.js says it too, of the placeholders {} and {limit}."""
    words = _("Cards: %(number)s, limit: %(limit)s")
    if is_over:
        words = _("Cards: %(number)s, limit: %(limit)s, over the limit")
    return words % {"number": number, "limit": limit}


def render_part(row: List, board: Board, following: int | None, total: int, all_cards: int | None = None) -> SafeString:
    """Render what tells the page which part of a list the tiles behind it are, and of which version of the board."""
    part = '<template data-part-of="list-{}" data-version="{}" data-total="{}"{}{}></template>'
    behind = SafeString("") if following is None else format_html(' data-next="{}"', f"{following:x}")
    every = SafeString("") if all_cards is None else format_html(' data-all="{}"', all_cards)
    return format_html(part, row.pk, board.version, total, behind, every)


def render_tile(card: Tile) -> SafeString:
    """Render a tile in Python rather than with a template, which takes several times as long on a large board.

    The people stand at the end of its last row: never on one of their own.

    Everything but numbers, ids and fragments is escaped here. Positions are hexadecimal: most of them then end in
    zeros, which makes a large board a sixth smaller on the wire.
    """
    cover = " pictured" if card.cover_attachment_id else " covered" if card.cover_hue else ""
    state = f"{' done' if card.completed_at else ''}{cover}"
    labels, facts = joined(_labels(card)), joined(_facts(card))
    last = " beside" if card.people else ""
    beside_title, beside_labels = "" if labels or facts else last, "" if facts else last
    return SafeString(
        f'<li class="card{state}" id="card-{card.pk}" data-list="{card.list_id}"'
        f' data-position="{card.position:x}" data-version="{card.version}">{_cover(card)}'
        f'<a class="title{beside_title}" href="?card={card.pk}">{escape(card.title)}'
        f' <span class="number">#{card.number}</span></a>{_excerpt(card.excerpt)}'
        f"{_row('labels', labels, beside_labels)}{_row('facts', facts, last)}{_people(card)}</li>"
    )


def _row(name: str, content: str, beside: str) -> str:
    return f'<div class="{name}{beside}">{content}</div>' if content else ""


def _cover(card: Tile) -> str:
    """Show the picture or the colour. The picture's place is as high before it is there."""
    if card.cover_attachment_id:
        source = f"/attachments/{card.cover_attachment_id}/thumbnail"
        return f'<div class="cover picture"><img src="{source}" alt="" width="280" height="140" loading="lazy"></div>'
    return _cover_band(card.cover_hue, str(NAMES[Hue(card.cover_hue)])) if card.cover_hue else ""


@lru_cache(KEPT)
def _cover_band(hue: int, name: str) -> SafeString:
    meaning = _("Cover color: %(color)s") % {"color": name}
    return format_html('<div class="cover hue-{}" role="img" aria-label="{}"></div>', hue, meaning)


def _excerpt(text: str) -> str:
    """Show the first line of the description to readers who chose so (static/js/board/excerpts.js)."""
    return f'<p class="excerpt">{escape(text)}</p>' if text else ""


def joined(parts: Iterable[SafeString]) -> SafeString:
    return SafeString("".join(parts))


def _labels(card: Tile) -> Iterable[SafeString]:
    return (render_label(row.hue, row.name) for row in card.labels)


@lru_cache(KEPT)
def render_label(hue: int, name: str) -> SafeString:
    return format_html('<span class="label hue-{}" dir="auto">{}</span>', hue, name)


def _facts(card: Tile) -> Iterable[SafeString]:
    if card.due_at:
        yield render_due(Due(card.due_at, card.due_day), card.start_day, done=card.completed_at is not None)
    elif card.completed_at:
        yield render_fact("circle-check", _("Done"), css=" met")
    if card.start_day and not card.due_at:
        yield render_fact("calendar", _("Start"), render_start(card.start_day))
    if card.recurrence:
        yield render_fact("repeat", Recurrence(card.recurrence).label)
    if card.items:
        yield render_fact("square-check", _("Checklists"), f"{card.ticked}/{card.items}")
    if card.files:
        yield render_fact("paperclip", _("Files"), card.files)
    if card.comments:
        yield render_fact("message-square", _("Comments"), card.comments)


def _people(card: Tile) -> str:
    """Show three faces at most, or two and how many more there are. Scripts read all of them."""
    if not card.people:
        return ""
    faces, more = joined(avatar(person) for person in card.people), len(card.people) - 2
    if more < 2:
        return f'<span class="avatars">{faces}</span>'
    names = escape(join_items(person.display_name for person in card.people[2:]))
    return f'<span class="avatars many">{faces}<span class="more" role="img" aria-label="{names}" title="{names}">+{more}</span></span>'


@lru_cache(KEPT)
def render_fact(picture: str, meaning: str, value: object = "", css: str = "") -> SafeString:
    """Show an icon, with its meaning as text for screen readers."""
    return format_html(
        '<span class="fact{}" title="{}">{}<span class="visually-hidden">{}</span>{}</span>',
        css,
        meaning,
        icon(picture),
        meaning,
        value,
    )
