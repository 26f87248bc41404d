"""Renders what a search found, with the words marked: the hits as web/my/rows.py does its rows. Everything that people typed
is escaped here, piece by piece.
"""

from collections.abc import Collection, Iterable
from html import escape
from uuid import UUID

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from boards.models import Board, Card
from boards.reading.marks import marked
from boards.reading.search_page import Hit
from boards.reading.search_parts import CHECKLIST, COMMENT, FILE
from boards.reading.snippets import DESCRIPTION, marked_words
from web.fragments import joined
from web.my.rows import CardRenderer
from web.search.asked import Asked
from web.templatetags.board_tags import avatar, icon


class HitRenderer:
    """Renders found cards for one reader. They are links alone, so that nothing would be refused."""

    def __init__(self, words: Collection[str], query: str, user: User) -> None:
        self.words, self.number = words, query if not words else ""
        self.rows = CardRenderer(user)
        self.icons = {name: icon(name) for name in ("circle-check", "paperclip", "circle")}
        self.kinds = {
            DESCRIPTION: _("description"),
            COMMENT: _("comment"),
            CHECKLIST: _("checklist"),
            FILE: _("file"),
        }

    def __call__(self, hit: Hit) -> SafeString:
        card = hit.card
        picture = "circle-check" if card.completed_at else "paperclip" if hit.snippet.kind == FILE else "circle"
        return SafeString(
            f'<li class="hit{" done" if card.completed_at else ""}" id="hit-{card.pk}">{self.icons[picture]}'
            f'<a class="title" href="{card.get_absolute_url()}">{render_marked(card.title, self.words)}</a>{self._end(card)}'
            f'<span class="snippet">{self._sentence(hit)}<span class="where">{self._where(hit)}</span></span></li>'
        )

    def _end(self, card: Card) -> str:
        due, people = (
            "" if card.completed_at else self.rows.due(card, self.rows.local(card)),
            joined(map(avatar, _assignees(card))),
        )
        facts = f'<span class="facts">{due}</span>' if due else ""
        return f'<span class="end">{facts}{people}</span>' if facts or people else ""

    def _sentence(self, hit: Hit) -> str:
        shown = render_marked(hit.snippet.text, self.words)
        return f"{escape(hit.snippet.name)}: {shown}" if hit.snippet.name else shown

    def _where(self, hit: Hit) -> str:
        """Say in which part the words are, what state the card has, its number, and its board and list."""
        card, snippet = hit.card, hit.snippet
        kind = self.kinds.get(snippet.kind, "")
        day = self.rows.written(timezone.localtime(snippet.at, self.rows.now.tzinfo).date()) if snippet.at else ""
        state = pgettext("card", "archived") if _is_archived(card) else _("done") if card.completed_at else ""
        number = f"<mark>#{card.number}</mark>" if self.number else f"#{card.number}"
        board = card.board_title  # type: ignore[attr-defined]  # `cards_with_faces` sets it
        before, behind = map(escape, filter(None, (kind, day, state))), map(escape, (board, card.list.title))
        where = " · ".join((*before, number, *behind))
        return f" · {where}" if snippet.text else where


def render_hits(hits: Iterable[Hit], query: str, user: User) -> list[SafeString]:
    return [*map(HitRenderer(marked_words(query), query, user), hits)]


def render_boards(boards: Iterable[Board], query: str) -> list[SafeString]:
    row = '<li class="hit" id="hit-{}"><span class="dot hue-{}"></span><a class="title" href="{}">{}</a></li>'
    words = marked_words(query)
    return [
        format_html(row, board.pk, board.hue, board.get_absolute_url(), render_marked(board.title, words))
        for board in boards
    ]


def render_people(people: Iterable[User], asked: Asked) -> list[SafeString]:
    """Render people as links to the cards that are assigned to them."""
    row = '<li class="hit" id="hit-{}">{}<a class="title" href="{}">{}</a><span class="end">{}</span></li>'
    words, meaning = marked_words(asked.query), _("Assigned cards")
    return [
        format_html(
            row,
            user.pk,
            avatar(user, named=False),
            Asked(people=(str(user.pk),)).address(),
            render_marked(user.display_name, words),
            meaning,
        )
        for user in people
    ]


def render_marked(text: str, words: Collection[str]) -> SafeString:
    pieces = ((escape(piece.text), piece.is_found) for piece in marked(text, words))
    return SafeString("".join(f"<mark>{shown}</mark>" if is_found else shown for shown, is_found in pieces))


def _assignees(card: Card) -> Iterable[User]:
    rows = card.face_rows  # type: ignore[attr-defined]  # `cards_with_faces` sets it
    return (User(pk=UUID(pk), name=name, email=email, picture=picture) for pk, name, email, picture in rows)


def _is_archived(card: Card) -> bool:
    return card.archived_at is not None or card.list.archived_at is not None
