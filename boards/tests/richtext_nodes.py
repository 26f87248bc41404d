"""Short functions that build documents of rich text."""

from typing import Any

from boards.richtext import Doc

Node = dict[str, Any]
BREAK: Node = {"type": "hardBreak"}
ED = "018f0000-0000-7000-8000-000000000001"
EMPTY: Node = {"type": "paragraph"}


def doc(*blocks: Node) -> Doc:
    return {"type": "doc", "content": list(blocks)}


def text(value: str, *marks: str, link: str = "") -> Node:
    nodes: list[Node] = [{"type": "link", "attrs": {"href": link}}] if link else []
    nodes += [{"type": name} for name in marks]
    return {"type": "text", "text": value, "marks": nodes} if nodes else {"type": "text", "text": value}


def p(*inline: Node | str) -> Node:
    return {"type": "paragraph", "content": [text(node) if isinstance(node, str) else node for node in inline]}


def heading(level: int, *inline: Node) -> Node:
    return {"type": "heading", "attrs": {"level": level}, "content": list(inline)}


def code(value: str, language: str | None = None) -> Node:
    return {"type": "codeBlock", "attrs": {"language": language}, "content": [text(value)]}


def quote(*blocks: Node) -> Node:
    return {"type": "blockquote", "content": list(blocks)}


def item(*blocks: Node) -> Node:
    return {"type": "listItem", "content": list(blocks)}


def bullets(*items: Node) -> Node:
    return {"type": "bulletList", "content": list(items)}


def numbers(start: int, *items: Node) -> Node:
    return {"type": "orderedList", "attrs": {"start": start}, "content": list(items)}


def task(checked: bool, *blocks: Node) -> Node:
    return {"type": "taskItem", "attrs": {"checked": checked}, "content": list(blocks)}


def tasks(*items: Node) -> Node:
    return {"type": "taskList", "content": list(items)}


def mention(label: str, user_id: str) -> Node:
    return {"type": "mention", "attrs": {"id": user_id, "label": label}}


def picture(alt: str, attachment_id: str) -> Node:
    return {"type": "image", "attrs": {"attachment": attachment_id, "alt": alt}}


def row(kind: str, *cells: Node | str) -> Node:
    return {"type": "tableRow", "content": [{"type": kind, "content": [p(cell) if cell else EMPTY]} for cell in cells]}


def table(headers: list[Node | str], *rows: list[Node | str]) -> Node:
    return {"type": "table", "content": [row("tableHeader", *headers), *(row("tableCell", *cells) for cells in rows)]}
