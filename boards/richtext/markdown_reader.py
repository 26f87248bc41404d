"""Read Markdown into a document. docs/decisions/rich-text.md says why we use this parser."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import pyromark

from boards.richtext.builder import Builder
from boards.richtext.inline import PLAIN, Marks, address_in
from boards.richtext.links import safe_address
from boards.richtext.nodes import CODE, NOTHING, Doc, paragraph
from boards.text import FORBIDDEN

OPTIONS = pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_TASKLISTS

# HTML and reference definitions, which descriptions do not have, would make text vanish. The parser has no option to
# turn them off, so a character that no text contains is put where they begin. It is removed from all texts that come
# back.
SWALLOWING = re.compile(r"(?<=\]):|(?<=<)(?=[A-Za-z/!?])(?!https?:|mailto:|[\w.+-]+@)", re.IGNORECASE)


def from_markdown(text: str) -> Doc | None:
    """Return the document; None when it would be empty. A newline in a paragraph is a hard break, and HTML is text."""
    source = SWALLOWING.sub(rf"{NOTHING}\g<0>", _readable(text))
    return _Reader().read(source + "\n")


def _readable(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text.replace(NOTHING, ""))


Handlers = dict[Any, Callable[[Any], None]]  # by the name of the event or tag


class _Reader:
    """Passes the parser's events on to a Builder, and keeps the state between them."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.marks: Marks = PLAIN
        self.outer_marks: list[Marks] = []
        self.links: list[tuple[str, int]] = []  # open links: the address as written, and the value of `words` before it
        self.words = 0
        self.code: list[str] | None = None
        self.language = ""

    def read(self, source: str) -> Doc | None:
        starts, ends, others = self.at_start(), self.at_end(), self.between()
        events: Iterable[Any] = pyromark.events(source, options=OPTIONS)
        for event in events:
            # An event, and also the tag inside one, is either a name or {name: value}.
            kind, value = event.popitem() if isinstance(event, dict) else (event, None)
            if kind == "Start":
                tag, value = value.popitem() if isinstance(value, dict) else (value, None)
                starts[tag](value)
            elif kind == "End":
                ends[value.popitem()[0] if isinstance(value, dict) else value]()
            else:
                others[kind](value)
        return self.builder.document()

    def at_start(self) -> Handlers:
        builder = self.builder
        return {
            "Paragraph": lambda _: builder.open_block(paragraph()),
            "Heading": self.start_heading,
            "BlockQuote": lambda _: builder.open_quote(),
            "List": builder.open_list,
            "Item": builder.open_item,
            "CodeBlock": self.start_code,
            "Link": self.start_link,
            "Image": self.start_link,
            "Strong": lambda _: self.mark("bold"),
            "Emphasis": lambda _: self.mark("italic"),
            "Strikethrough": lambda _: self.mark("strike"),
        }

    def at_end(self) -> dict[Any, Callable[[], None]]:
        builder = self.builder
        return {
            "Paragraph": builder.end_block,
            "Heading": builder.end_block,
            "BlockQuote": builder.close,
            "List": builder.close,
            "Item": builder.close,
            "CodeBlock": self.end_code,
            "Link": self.end_link,
            "Image": self.end_link,
            "Strong": self.unmark,
            "Emphasis": self.unmark,
            "Strikethrough": self.unmark,
        }

    def between(self) -> Handlers:
        builder = self.builder
        return {
            "Text": self.text,
            "Code": self.code_span,
            "SoftBreak": lambda _: builder.line_break(),
            "HardBreak": lambda _: builder.line_break(),
            "Rule": lambda _: builder.rule(),
            "TaskListMarker": builder.checkbox,
        }

    def text(self, text: str) -> None:
        if not text.isprintable():
            text = _readable(text.replace("\r", "\n"))
        if self.code is None:
            self.words += not text.isspace()
            self.builder.text(text, self.marks)
        else:
            self.code.append(text)

    def code_span(self, text: str) -> None:
        self.words += 1
        self.builder.text(_readable(text), self.marks | {CODE})

    def start_heading(self, heading: Any) -> None:
        self.builder.open_block({"type": "heading", "attrs": {"level": int(heading["level"][1])}})

    def start_code(self, kind: Any) -> None:
        self.code = []
        self.language = _readable(kind["Fenced"]) if isinstance(kind, dict) else ""

    def end_code(self) -> None:
        text = "".join(self.code or [])
        self.builder.code(text.removesuffix("\n"), self.language)
        self.code = None

    def mark(self, name: str) -> None:
        self.outer_marks.append(self.marks)
        self.marks = self.marks | {name} if name else self.marks

    def unmark(self) -> None:
        self.marks = self.outer_marks.pop()

    def start_link(self, link: Any) -> None:
        written = _readable(("mailto:" if link["link_type"] == "Email" else "") + link["dest_url"])
        self.links.append((written, self.words))
        self.mark("" if address_in(self.marks) else safe_address(written))

    def end_link(self) -> None:
        """Close a link or image. Without a text it shows its address."""
        written, words_before = self.links.pop()
        if self.words == words_before:
            self.text(written)
        self.unmark()
