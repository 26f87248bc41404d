"""A board as one Markdown file: lists and cards are headings, and the headings of descriptions stand below those."""

import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from boards.richtext import to_markdown
from exporter.readable.facts import Board, Content, Setting, facts, groups, link_to_file
from exporter.walking import CARD, LIST, Step

LIST_LEVEL, CARD_LEVEL, PART_LEVEL, LOWEST = 2, 3, 4, 6
OWN_FILE = re.compile(r"(?<=]\()/attachments/([-0-9a-f]{36})(?=[ )])")


def board_markdown(content: Content, steps: Iterator[Step], setting: Setting) -> Iterator[str]:
    board = Board(content)
    yield heading(1, board.title)
    if board.archived_at:
        yield "\n" + _("This board was archived on %(moment)s.") % {"moment": setting.moment(board.archived_at)} + "\n"
    for step, comments in groups(steps, CARD):
        if step.depth == LIST:
            yield "\n" + heading(LIST_LEVEL, step.content["title"])
            if archived_at := step.content["archivedAt"]:
                yield "\n" + fact(pgettext("time", "Archived"), setting.moment(archived_at))
        else:
            yield from card_markdown(step, comments, board, setting)


def card_markdown(step: Step, comments: Iterator[Step], board: Board, setting: Setting) -> Iterator[str]:
    card = step.content
    files = {attachment["id"]: attachment for attachment in card["attachments"]}
    yield "\n" + heading(CARD_LEVEL, f"#{card['number']} {card['title']}") + "\n"
    for name, value in facts(card, board, setting):
        yield fact(name, value)
    yield f"- <{board.card_address(card)}>\n"
    if step.more["document"]:
        text = to_markdown(lowered(step.more["document"], PART_LEVEL - 1))
        yield "\n" + offline(text, files, setting) + "\n"
    for checklist in card["checklists"]:
        yield "\n" + heading(PART_LEVEL, checklist["title"]) + "\n"
        yield from [f"- [{'x' if item['done'] else ' '}] {plain(item['text'])}\n" for item in checklist["items"]]
    if card["attachments"]:
        yield "\n" + heading(PART_LEVEL, _("Files")) + "\n"
        yield from [file_line(attachment, setting) for attachment in card["attachments"]]
    if number := step.more["comments"]:
        words = ngettext("%(number)s comment", "%(number)s comments", number) % {"number": number}
        yield "\n" + heading(PART_LEVEL, words)
    for said in comments:
        comment = said.content
        yield f"\n**{plain(comment['author']['name'])}**, {setting.moment(comment['createdAt'])}\n\n"
        body = offline(comment["body"], files, setting)
        yield "".join(f"> {line}".rstrip() + "\n" for line in body.splitlines())


def offline(text: str, files: dict[str, Content], setting: Setting) -> str:
    """Return the text with the pictures of the card's files shown from the files beside the page."""

    def address(found: "re.Match[str]") -> str:
        file = files.get(found[1])
        return link_to_file(file) if file and file["id"] not in setting.missing else f"{settings.BASE_URL}{found[0]}"

    return OWN_FILE.sub(address, text)


def file_line(attachment: Content, setting: Setting) -> str:
    name = plain(attachment["fileName"])
    if attachment["id"] in setting.missing:
        return f"- {name} ({missing()})\n"
    return f"- [{name}]({link_to_file(attachment)})\n"


def missing() -> str:
    return _("deleted while this export was being created")


def fact(name: str, value: str) -> str:
    return f"- **{plain(name)}:** {plain(value)}\n"


def heading(level: int, text: str) -> str:
    return to_markdown(doc({"type": "heading", "attrs": {"level": level}, "content": words(text)})) + "\n"


def plain(text: str) -> str:
    """Return the text so that nothing of it is read as Markdown."""
    return to_markdown(doc({"type": "paragraph", "content": words(text)})) if text else ""


def words(text: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": " ".join(text.split()) or " "}]


def doc(node: dict[str, Any]) -> dict[str, Any]:
    return {"type": "doc", "content": [node]}


def lowered(node: dict[str, Any], by: int) -> dict[str, Any]:
    """Return the document with its headings that much deeper."""
    found = dict(node)
    if node["type"] == "heading":
        found["attrs"] = {"level": min(LOWEST, node["attrs"]["level"] + by)}
    elif node["type"] != "paragraph" and "content" in node:
        found["content"] = [lowered(child, by) for child in node["content"]]
    return found
