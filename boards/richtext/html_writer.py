"""Write a document as HTML that is safe to put into a page, whatever its texts contain."""

from collections.abc import Callable, Iterator
from html import escape
from itertools import groupby

from django.utils.safestring import SafeString, mark_safe

from boards.richtext.inline import Run, address_in, lines_of
from boards.richtext.links import safe_address
from boards.richtext.nodes import MARKS, Doc, Node
from boards.richtext.plain_writer import inline_text

# Of what this module writes. Kept HTML of another version is written anew (boards/actions/comments.py).
HTML_VERSION = 1

TAGS = {"paragraph": "p", "blockquote": "blockquote", "bulletList": "ul", "listItem": "li"}
MARK_TAGS = {"bold": "strong", "italic": "em", "strike": "s", "code": "code"}


def to_html(doc: Doc | None) -> SafeString:
    out: list[str] = []
    for node in doc["content"] if doc else []:
        _block(out, node)
    return mark_safe("".join(out))  # noqa: S308  every text and attribute below goes through escape()


def _block(out: list[str], node: Node) -> None:
    kind, content = node["type"], node.get("content", [])
    opening, closing = _around(node)
    out.append(opening)
    if kind in ("paragraph", "heading"):
        out.extend(_inline(content))
    elif kind == "codeBlock":
        out.extend(escape(text["text"]) for text in content)
    else:
        for child in content:
            _block(out, child)
    out.append(closing)


def _around(node: Node) -> tuple[str, str]:
    kind = node["type"]
    if tag := TAGS.get(kind):
        return f"<{tag}>", f"</{tag}>"
    return SPECIAL[kind](node)


def _heading(node: Node) -> tuple[str, str]:
    tag = f"h{int(node['attrs']['level'])}"
    return f"<{tag}>", f"</{tag}>"


def _numbered(node: Node) -> tuple[str, str]:
    start = int(node["attrs"]["start"])
    return "<ol>" if start == 1 else f'<ol start="{start}">', "</ol>"


def _task(node: Node) -> tuple[str, str]:
    """Return the tags around a task. The first paragraph is the checkbox's accessible name."""
    label = escape(inline_text(node["content"][0].get("content", [])))
    checked = " checked" if node["attrs"]["checked"] else ""
    return f'<li><input type="checkbox" disabled{checked} aria-label="{label}"><div>', "</div></li>"


def _code(node: Node) -> tuple[str, str]:
    language = node["attrs"]["language"]
    name = f' class="language-{escape(language)}"' if language else ""
    return f"<pre><code{name}>", "</code></pre>"


SPECIAL: dict[str, Callable[[Node], tuple[str, str]]] = {
    "heading": _heading,
    "orderedList": _numbered,
    "taskList": lambda node: ('<ul class="tasks">', "</ul>"),
    "taskItem": _task,
    "codeBlock": _code,
    "horizontalRule": lambda node: ("<hr>", ""),
}


def _inline(nodes: list[Node]) -> Iterator[str]:
    for number, line in enumerate(lines_of(nodes)):
        if number:
            yield "<br>"
        if len(line) == 1 and not line[0][1]:
            yield escape(line[0][0])
            continue
        for address, runs in groupby(line, key=_address):
            inside = "".join(map(_run, runs))
            yield _link(address, inside) if address else inside


def _link(address: str, inside: str) -> str:
    if not (address := safe_address(address)):
        return inside
    return f'<a href="{escape(address)}" rel="noopener noreferrer nofollow">{inside}</a>'


def _address(run: Run) -> str:
    return address_in(run[1])


def _run(run: Run) -> str:
    text, marks = run
    html = escape(text)
    for name in reversed(MARKS) if marks else ():
        if name in marks:
            html = f"<{MARK_TAGS[name]}>{html}</{MARK_TAGS[name]}>"
    return html
