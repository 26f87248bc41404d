"""Convert HTML of other services' editors to Markdown. Elements that Markdown lacks are left out, their text stays."""

import re
from collections import Counter
from html.parser import HTMLParser

from boards.richtext import to_markdown
from boards.richtext.builder import Builder
from boards.richtext.links import safe_address
from boards.richtext.nodes import CODE

BLOCKS = {"p", "div", "table", "tr", "td", "th", "section", "article"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
LISTS = {"ul", "ol"}
MARKS = {
    "strong": "bold", "b": "bold", "em": "italic", "i": "italic", "s": "strike", "del": "strike", "strike": "strike",
    "code": CODE,
}  # fmt: skip
SILENT = {"script", "style", "head", "title", "label"}
DEEPEST = 50  # lists, items and quotes inside each other; those that are deeper are left out
# A "<" that begins neither a tag nor a comment that ends before the next one. Python's parser looks for the end of each
# through all of the text, which takes hours for a million of them.
UNCLOSED = re.compile(r"<(?!/?[a-zA-Z][^<>]*>|!--[^<>]*-->)")
LOOKS_LIKE = re.compile(r"\s*<(?:p|div|ul|ol|h[1-6]|blockquote|pre|table|br|strong|em|a|span)\b", re.IGNORECASE)


def markdown_of(text: str) -> str:
    """Return the text as Markdown. One that does not begin with a tag is taken for Markdown already."""
    if not LOOKS_LIKE.match(text):
        return text
    writer = _Writer()
    writer.feed(UNCLOSED.sub("&lt;", text.replace("\r\n", "\n").replace("\r", "\n")))
    writer.close()
    return writer.text()


class _Writer(HTMLParser):
    """Gives the builder of documents what the parser finds. The builder makes of it what Markdown can hold."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._builder = Builder()
        self._open: list[tuple[str, bool]] = []  # lists, items and quotes, and whether the builder has opened each
        self._marks: Counter[str] = Counter()
        self._links: list[str] = []
        self._silent = 0
        self._code: list[str] | None = None  # what stands in a block of code
        self._ends_in_space = False

    def text(self) -> str:
        return to_markdown(self._builder.document())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag in SILENT:
            self._silent += 1
        elif tag in MARKS:
            self._marks[MARKS[tag]] += 1
        elif tag == "a":
            self._links.append(safe_address(known.get("href", "")))
        elif tag == "br":
            self._line_break()
        elif tag == "img":
            self._picture(safe_address(known.get("src", "")), known.get("alt", ""))
        elif tag in LISTS:
            self._begin_list(tag)
        elif tag == "li":
            self._begin_item(known.get("data-checked", ""))
        elif tag in BLOCKS:
            self._builder.end_block()
        elif tag in HEADINGS | {"hr", "blockquote", "pre"}:
            self._begin_block(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag in MARKS:
            self._marks[MARKS[tag]] = max(0, self._marks[MARKS[tag]] - 1)
        elif tag == "a":
            del self._links[-1:]
        elif tag == "pre":
            self._end_code()
        elif tag in LISTS or tag == "blockquote":
            self._close(tag)
        elif tag in BLOCKS | HEADINGS:
            self._builder.end_block()

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        if self._code is not None:
            self._code.append(data)
        elif self._builder.block is not None or not data.isspace():
            self._write(data)

    def close(self) -> None:
        super().close()
        self._end_code()
        while self._open:
            self._close_last()

    def _write(self, text: str) -> None:
        self._require_item()
        if not self._marks[CODE]:
            text = re.sub(r"\s+", " ", text)
            if self._ends_in_space and self._builder.block is not None:
                text = text.removeprefix(" ")
        marks = {mark for mark, count in self._marks.items() if count}
        self._builder.text(text, frozenset(marks | set(filter(None, self._links[-1:]))))
        self._ends_in_space = text.endswith(" ") if text else self._ends_in_space

    def _line_break(self) -> None:
        if self._code is not None:
            self._code.append("\n")
        else:
            self._require_item()
            self._builder.line_break()

    def _begin_block(self, tag: str) -> None:
        self._end_code()
        self._require_item()
        if tag == "hr":
            self._builder.rule()
        elif tag == "pre":
            self._builder.end_block()
            self._code = []
        elif tag == "blockquote":
            if self._has_room():
                self._builder.open_quote()
                self._open.append((tag, True))
        else:
            self._builder.open_block({"type": "heading", "attrs": {"level": int(tag[1])}})

    def _begin_list(self, tag: str) -> None:
        """Begin a list. One that stands in a list but in no item of it is no list of its own."""
        self._end_code()
        if not self._has_room():
            return
        is_own = not self._is_in_list()
        if is_own:
            self._builder.open_list(1 if tag == "ol" else None)
        self._open.append((tag, is_own))

    def _begin_item(self, checked: str) -> None:
        """Begin an item, which ends the one before it: its end tag may be missing, or come before a list that belongs to it."""
        self._end_code()
        if not any(tag in LISTS for tag, _is_own in self._open):
            self._begin_list("ul")
        while self._open and not self._is_in_list():
            self._close_last()
        self._open_item()
        if checked:
            self._builder.checkbox(checked == "true")

    def _require_item(self) -> None:
        """Begin an item for what stands in a list without one."""
        if self._is_in_list():
            self._open_item()

    def _open_item(self) -> None:
        self._builder.open_item()
        self._open.append(("li", True))

    def _is_in_list(self) -> bool:
        return bool(self._open) and self._open[-1][0] in LISTS

    def _has_room(self) -> bool:
        return len(self._open) < DEEPEST

    def _close(self, tag: str) -> None:
        """Close the last element of this name, with those that are open in it."""
        self._end_code()
        if any(tag == name for name, _is_own in self._open):
            while self._close_last() != tag:
                pass

    def _close_last(self) -> str:
        tag, is_own = self._open.pop()
        if is_own:
            self._builder.close()
        return tag

    def _picture(self, address: str, text: str) -> None:
        """Write a picture of elsewhere as a link."""
        if self._links or not address:
            self.handle_data(text)
        else:
            self._links.append(address)
            self.handle_data(text or address)
            self._links.pop()

    def _end_code(self) -> None:
        if self._code is not None:
            self._builder.code("".join(self._code).strip("\n"), "")
            self._code = None
