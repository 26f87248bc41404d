"""Write a document as HTML that is safe to put into a page, whatever its texts contain."""

from collections.abc import Callable, Iterator
from html import escape
from itertools import groupby

from django.utils.safestring import SafeString, mark_safe

from boards.richtext.inline import Run, address_in, lines_of
from boards.richtext.links import FILES, MENTION, PICTURE, safe_address
from boards.richtext.nodes import MARKS, Doc, Node
from boards.richtext.plain_writer import inline_text

# Of what this module writes. Kept HTML of another version is written anew (boards/actions/cards/comments.py).
HTML_VERSION = 3

TAGS = {
    "paragraph": "p",
    "listItem": "li",
    "tableRow": "tr",
    "tableCell": "td",
}
MARK_TAGS = {"bold": "strong", "italic": "em", "strike": "s", "code": "code"}


Box = Callable[[str, bool], str]  # the HTML of a box, given the text of its task and whether it is ticked


def disabled_box(text: str, checked: bool) -> str:
    return f'<input type="checkbox" disabled{" checked" if checked else ""} aria-label="{escape(text)}">'


def to_html(doc: Doc | None, box: Box = disabled_box) -> SafeString:
    """Return the HTML of the document. `box` is called for each task, in their order."""
    out: list[str] = []
    writer = _Writer(out, box)
    for node in doc["content"] if doc else []:
        writer.block(node)
    return mark_safe("".join(out))  # noqa: S308  every text and attribute below goes through escape()


class _Writer:
    def __init__(self, out: list[str], box: Box) -> None:
        self.out, self.box = out, box

    def block(self, node: Node) -> None:
        kind, content = node["type"], node.get("content", [])
        opening, closing = _around(node, self.box)
        self.out.append(opening)
        if kind == "table":
            self.rows(content)
        elif kind in ("tableHeader", "tableCell"):
            self.inline(content[0].get("content", []))
        elif kind in ("paragraph", "heading"):
            self.inline(content)
        elif kind == "codeBlock":
            self.out.extend(escape(text["text"]) for text in content)
        else:
            for child in content:
                self.block(child)
        self.out.append(closing)

    def rows(self, rows: list[Node]) -> None:
        self.out.append("<thead>")
        self.block(rows[0])
        self.out.append("</thead>")
        if len(rows) > 1:
            self.out.append("<tbody>")
            for row in rows[1:]:
                self.block(row)
            self.out.append("</tbody>")

    def inline(self, nodes: list[Node]) -> None:
        for number, line in enumerate(lines_of(nodes)):
            if number:
                self.out.append("<br>")
            if len(line) == 1 and not line[0][1]:
                self.out.append(escape(line[0][0]))
                continue
            for address, runs in groupby(line, key=_address):
                self.out.extend(self.part(address, runs))

    def part(self, address: str, runs: Iterator[Run]) -> Iterator[str]:
        """Yield the HTML of texts with this address, or without any."""
        if address.startswith(MENTION):
            yield from [f'<span class="mention">{escape(text)}</span>' for text, _marks in runs]
        elif address.startswith(PICTURE):
            yield from [_picture(FILES + address.removeprefix(PICTURE), text[1:]) for text, _marks in runs]
        else:
            inside = "".join(map(_run, runs))
            yield _link(address, inside) if address else inside


def _around(node: Node, box: Box) -> tuple[str, str]:
    kind = node["type"]
    if kind == "taskItem":
        return _task(node, box)
    if tag := TAGS.get(kind):
        return f"<{tag}>", f"</{tag}>"
    return SPECIAL[kind](node)


def _heading(node: Node) -> tuple[str, str]:
    tag = f"h{int(node['attrs']['level'])}"
    return f"<{tag}>", f"</{tag}>"


def _numbered(node: Node) -> tuple[str, str]:
    start = int(node["attrs"]["start"])
    return '<ol dir="auto">' if start == 1 else f'<ol dir="auto" start="{start}">', "</ol>"


def _task(node: Node, box: Box) -> tuple[str, str]:
    """Return the tags around a task. The first paragraph is the checkbox's accessible name."""
    text = inline_text(node["content"][0].get("content", []))
    return f"<li>{box(text, node['attrs']['checked'])}<div>", "</div></li>"


def _code(node: Node) -> tuple[str, str]:
    language = node["attrs"]["language"]
    name = f' class="language-{escape(language)}"' if language else ""
    return f"<pre><code{name}>", "</code></pre>"


SPECIAL: dict[str, Callable[[Node], tuple[str, str]]] = {
    "heading": _heading,
    "orderedList": _numbered,
    # By their texts, so that bullets, numbers, boxes and the line of a quotation are on the side where these begin.
    "blockquote": lambda node: ('<blockquote dir="auto">', "</blockquote>"),
    "bulletList": lambda node: ('<ul dir="auto">', "</ul>"),
    "taskList": lambda node: ('<ul dir="auto" class="tasks">', "</ul>"),
    "codeBlock": _code,
    # The frame scrolls sideways; without `tabindex` the keyboard could not scroll it in every browser.
    "table": lambda node: ('<div class="table" tabindex="0"><table>', "</table></div>"),
    "tableHeader": lambda node: ('<th scope="col">', "</th>"),
    "horizontalRule": lambda node: ("<hr>", ""),
}


def _picture(address: str, alt: str) -> str:
    """Return the preview, as a link to the file."""
    file, words = escape(address), escape(alt)
    return f'<a class="picture" href="{file}"><img src="{file}/preview" alt="{words}" loading="lazy"></a>'


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
