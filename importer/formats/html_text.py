"""Convert HTML of other services' editors to Markdown. Elements that Markdown lacks are left out, their text stays."""

import re
from html.parser import HTMLParser

from boards.richtext.escaping import code_span, escaped, escaped_address, fence
from boards.richtext.links import safe_address, split_at_addresses

BLOCKS = {"p", "div", "ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr", "section", "article"}
MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "s": "~~", "del": "~~", "strike": "~~"}
SILENT = {"script", "style", "head", "title", "label", "input"}
DEEPEST = 8  # lists inside each other
# A "<" that begins neither a tag nor a comment that ends before the next one. Python's parser looks for the end of each
# through all of the text, which takes hours for a million of them.
UNCLOSED = re.compile(r"<(?!/?[a-zA-Z][^<>]*>|!--[^<>]*-->)")
LOOKS_LIKE = re.compile(r"\s*<(?:p|div|ul|ol|h[1-6]|blockquote|pre|table|br|strong|em|a|span)\b", re.IGNORECASE)


def markdown_of(text: str) -> str:
    """Return the text as Markdown. One that does not begin with a tag is taken for Markdown already."""
    if not LOOKS_LIKE.match(text):
        return text
    writer = _Writer()
    writer.feed(UNCLOSED.sub("&lt;", text))
    writer.close()
    return writer.text()


class _Writer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._out: list[str] = []
        self._lists: list[str] = []
        self._links: list[str] = []
        self._silent = 0
        self._code: list[str] | None = None
        self._is_block = False

    def text(self) -> str:
        return re.sub(r"\n{3,}", "\n\n", "".join(self._out)).strip("\n")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag in SILENT and tag != "input":
            self._silent += 1
        elif tag in ("pre", "code"):
            if self._code is None:
                self._code, self._is_block = [], tag == "pre"
        elif tag == "br":
            self._out.append("\n" + self._indent())
        elif tag == "hr":
            self._out.append("\n\n---\n\n")
        elif tag == "li":
            self._begin_item(known)
        elif tag in BLOCKS:
            self._begin_block(tag)
        elif tag in MARKS:
            self._out.append(MARKS[tag])
        elif tag == "img":
            self._picture(safe_address(known.get("src", "")), known.get("alt", ""))
        elif tag == "a":
            self._links.append(safe_address(known.get("href", "")))
            self._out.append("[" if self._links[-1] else "")

    def handle_endtag(self, tag: str) -> None:
        if tag in SILENT and tag != "input":
            self._silent = max(0, self._silent - 1)
        elif tag in ("pre", "code"):
            if self._code is not None and self._is_block == (tag == "pre"):
                self._end_code()
        elif tag in ("ul", "ol"):
            if self._lists:
                self._lists.pop()
            self._out.append("" if self._lists else "\n\n")
        elif tag in BLOCKS and not self._lists:
            self._out.append("\n\n")
        elif tag in MARKS:
            self._out.append(MARKS[tag])
        elif tag == "a" and self._links and (address := self._links.pop()):
            self._out.append(f"](<{escaped_address(address)}>)")

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        if self._code is not None:
            self._code.append(data)
            return
        text = re.sub(r"\s+", " ", data)
        if self._links:
            self._out.append(escaped(text, in_link=True))
            return
        self._out += [f"<{address}>" if address else escaped(piece) for piece, address in split_at_addresses(text)]

    def close(self) -> None:
        super().close()
        if self._code is not None:
            self._end_code()

    def _begin_block(self, tag: str) -> None:
        if tag in ("ul", "ol"):
            if len(self._lists) < DEEPEST:
                self._out.append("" if self._lists else "\n\n")
            self._lists.append(tag)
        elif not self._lists:
            heading = "#" * int(tag[1]) + " " if tag[0] == "h" else ""
            self._out.append("\n\n" + ("> " if tag == "blockquote" else heading))

    def _begin_item(self, known: dict[str, str]) -> None:
        mark = "1. " if self._lists and self._lists[-1] == "ol" else "- "
        if known.get("data-checked"):
            mark += "[x] " if known["data-checked"] == "true" else "[ ] "
        self._out.append("\n" + "   " * (len(self._lists[:DEEPEST]) - 1) + mark)

    def _picture(self, address: str, text: str) -> None:
        """Write a picture of elsewhere as a link."""
        if address and not self._links:
            self._out.append(
                f"[{escaped(text, in_link=True)}](<{escaped_address(address)}>)" if text else f"<{address}>"
            )
        else:
            self._out.append(escaped(text))

    def _indent(self) -> str:
        return "   " * len(self._lists[:DEEPEST])

    def _end_code(self) -> None:
        text, self._code = "".join(self._code or ()), None
        if self._is_block:
            ticks = fence(text, 3)
            self._out.append(f"\n\n{ticks}\n{text.strip(chr(10))}\n{ticks}\n\n")
        elif text:
            self._out.append(code_span(text))
