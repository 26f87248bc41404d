"""A board as one page that opens without the service: no script, nothing loaded from elsewhere, everything escaped."""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.utils.translation import get_language_bidi, ngettext, pgettext
from django.utils.translation import gettext as _

from boards.richtext import from_markdown, to_html
from exporter.readable.facts import Board, Content, Setting, facts, groups, link_to_file
from exporter.readable.markdown import missing
from exporter.walking import CARD, LIST, Step

PART = 50  # cards that a browser lays out together: page.css
CSS = (Path(__file__).parent / "page.css").read_text()
POLICY = f"default-src 'none'; style-src 'sha256-{base64.b64encode(hashlib.sha256(CSS.encode()).digest()).decode()}'; base-uri 'none'; form-action 'none'"
IMAGE = re.compile(r'<img\b[^>]*?\balt="([^"]*)"[^>]*>|<img\b[^>]*>')  # as boards/richtext writes it
OWN_ADDRESS = re.compile(r'(<a\b[^>]*?\bhref=")/(attachments/([-0-9a-f]{36})|(?!/))')


def opened(title: str, setting: Setting) -> str:
    direction = "rtl" if get_language_bidi() else "ltr"
    return (
        f'<!doctype html>\n<html lang="{escape(setting.language)}" dir="{direction}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{escape(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n'
    )


CLOSED = "</body>\n</html>\n"


def index_html(boards: Iterable[tuple[str, str, bool]], whose: str, made_at: str, setting: Setting) -> Iterator[str]:
    """`boards` are the title, the name of the files and whether it is archived."""
    title = _("Boards of %(name)s") % {"name": whose}
    yield opened(title, setting)
    yield f'<main>\n<h1 dir="auto">{escape(title)}</h1>\n<p class="quiet">{escape(when_made(made_at, setting))}</p>\n<ul class="boards">\n'
    for board, name, is_archived in boards:
        archived = archived_mark() if is_archived else ""
        yield f'<li><a href="boards/{quote(name)}.html" dir="auto">{escape(board)}</a>{archived}</li>\n'
    yield "</ul>\n</main>\n" + CLOSED


def archived_mark() -> str:
    word = escape(pgettext("a board", "Archived"))
    return f' <span class="quiet">{word}</span>'


def when_made(made_at: str, setting: Setting) -> str:
    words = {"moment": setting.moment(made_at), "zone": setting.zone.key}
    return _("Exported on %(moment)s. All times are in the time zone %(zone)s.") % words


def board_html(content: Content, steps: Iterator[Step], setting: Setting) -> Iterator[str]:
    board = Board(content)
    yield opened(board.title, setting)
    back = escape(_("All boards"))
    yield f'<main>\n<p><a href="../index.html">{back}</a></p>\n<h1 dir="auto">{escape(board.title)}</h1>\n'
    yield f'<p><a href="{escape(board.address)}">{escape(board.address)}</a></p>\n'
    if board.archived_at:
        words = _("This board was archived on %(moment)s.") % {"moment": setting.moment(board.archived_at)}
        yield f'<p class="quiet">{escape(words)}</p>\n'
    number, end = 0, ""
    for step, comments in groups(steps, CARD):
        if step.depth == LIST:
            archived = archived_mark() if step.content["archivedAt"] else ""
            yield f'{end}<section>\n<h2 dir="auto">{escape(step.content["title"])}{archived}</h2>\n'
            number, end = 0, "</section>\n"
        else:
            if number % PART == 0:
                yield "</div>\n" if number else ""
                yield '<div class="part">\n'
            yield from card_html(step, comments, board, setting)
            number, end = number + 1, "</div>\n</section>\n"
    yield f"{end}</main>\n{CLOSED}"


def card_html(step: Step, comments: Iterator[Step], board: Board, setting: Setting) -> Iterator[str]:
    card = step.content
    done = ' class="done"' if card["completed"] else ""
    yield f'<article{done} id="card-{card["number"]}">\n<h3 dir="auto"><a href="{escape(board.card_address(card))}">'
    yield f'<span class="quiet">#{card["number"]}</span> {escape(card["title"])}</a></h3>\n'
    if found := facts(card, board, setting):
        rows = (f'<div><dt>{escape(name)}</dt><dd dir="auto">{escape(value)}</dd></div>' for name, value in found)
        yield f"<dl>{''.join(rows)}</dl>\n"
    files = {attachment["id"]: attachment for attachment in card["attachments"]}
    if step.more["document"]:
        yield f'<div class="text" dir="auto">{offline(to_html(step.more["document"]), files, setting)}</div>\n'
    for checklist in card["checklists"]:
        items = (
            f'<li><input type="checkbox" disabled{" checked" if item["done"] else ""} aria-label="{escape(item["text"])}">'
            f'<span dir="auto">{escape(item["text"])}</span></li>'
            for item in checklist["items"]
        )
        yield f'<h4 dir="auto">{escape(checklist["title"])}</h4>\n<ul class="tasks">{"".join(items)}</ul>\n'
    if files:
        head = escape(_("Files"))
        yield f"<h4>{head}</h4>\n<ul>{''.join(file_html(one, setting) for one in files.values())}</ul>\n"
    if number := step.more["comments"]:
        words = ngettext("%(number)s comment", "%(number)s comments", number) % {"number": number}
        yield f"<h4>{escape(words)}</h4>\n"
    for comment in comments:
        yield comment_html(comment, files, setting)
    yield "</article>\n"


def comment_html(step: Step, files: dict[str, Content], setting: Setting) -> str:
    comment = step.content
    html = offline(step.more["html"] or to_html(from_markdown(comment["body"])), files, setting)
    who = f"<b>{escape(comment['author']['name'])}</b> {setting.moment(comment['createdAt'])}"
    return f'<div class="comment"><p class="quiet">{who}</p><div class="text" dir="auto">{html}</div></div>\n'


def file_html(attachment: Content, setting: Setting) -> str:
    name = f"<bdi>{escape(attachment['fileName'])}</bdi>"
    if attachment["id"] in setting.missing:
        return f'<li>{name} <span class="quiet">{escape(missing())}</span></li>'
    return f'<li><a href="{escape(link_to_file(attachment))}">{name}</a></li>'


def offline(html: str, files: dict[str, Content], setting: Setting) -> str:
    """Return the HTML of a text with pictures as their names, and links that lead to the files beside the page."""

    def address(found: "re.Match[str]") -> str:
        file = files.get(found[3] or "")
        if file is not None and file["id"] not in setting.missing:
            return found[1] + escape(link_to_file(file))
        return f"{found[1]}{escape(settings.BASE_URL)}/{found[2]}"

    return OWN_ADDRESS.sub(address, IMAGE.sub(lambda found: found[1] or escape(pgettext("in a text", "Picture")), html))
