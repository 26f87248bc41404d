"""Read Markdown by pyromark, the parser that descriptions had before: to compare with what we have now.

Wraps pulldown-cmark, which is quick and exact, but has no option to turn off HTML and reference definitions.
"""

import re
from typing import Any

import pyromark

from boards.richtext import Doc
from boards.richtext.builder import Builder
from boards.richtext.inline import PLAIN, Marks, address_in
from boards.richtext.links import safe_address
from boards.richtext.nodes import CODE, paragraph
from boards.text import FORBIDDEN

OPTIONS = pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_TASKLISTS | pyromark.Options.ENABLE_TABLES
# A noncharacter is put where HTML and definitions begin, and removed from all texts that come back.
NOTHING = "\ufdd0"
SWALLOWING = re.compile(r"(?<=\]):|(?<=<)(?=[A-Za-z/!?])(?!https?:|mailto:|[\w.+-]+@)", re.IGNORECASE)
MARKS = {"Strong": "bold", "Emphasis": "italic", "Strikethrough": "strike"}
ENDS_BLOCK = ("Paragraph", "Heading", "TableCell")
CONTAINERS = ("BlockQuote", "List", "Item", "Table", "TableHead", "TableRow")


def from_markdown(text: str) -> Doc | None:
    source = SWALLOWING.sub(rf"{NOTHING}\g<0>", _readable(text)) + "\n"
    reader = _Reader()
    for event in pyromark.events(source, options=OPTIONS):
        # An event, and also the tag inside one, is either a name or {name: value}.
        reader.event(*_split(event))
    return reader.builder.document()


def _split(event: Any) -> tuple[str, Any]:
    return next(iter(event.items())) if isinstance(event, dict) else (event, None)


def _readable(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text.replace(NOTHING, ""))


class _Reader:
    def __init__(self) -> None:
        self.builder = Builder()
        self.marks: Marks = PLAIN
        self.outer_marks: list[Marks] = []
        self.links: list[tuple[str, int]] = []
        self.words = 0
        self.code: list[str] | None = None
        self.language = ""

    def event(self, kind: str, value: Any) -> None:
        if kind == "Start":
            self.start(*_split(value))
        elif kind == "End":
            self.end(_split(value)[0])
        elif kind == "Text":
            self.text(_readable(value.replace("\r", "\n")))
        elif kind == "Code":
            self.words += 1
            self.builder.text(_readable(value), self.marks | {CODE})
        elif kind == "Rule":
            self.builder.rule()
        elif kind == "TaskListMarker":
            self.builder.checkbox(value)
        else:
            self.builder.line_break()

    def start(self, tag: str, value: Any) -> None:
        builder = self.builder
        if tag == "Paragraph":
            builder.open_block(paragraph())
        elif tag == "Heading":
            builder.open_block({"type": "heading", "attrs": {"level": int(value["level"][1])}})
        elif tag == "BlockQuote":
            builder.open_quote()
        elif tag == "List":
            builder.open_list(value)
        elif tag == "Item":
            builder.open_item()
        elif tag == "Table":
            builder.open_table()
        elif tag in ("TableHead", "TableRow"):
            builder.open_row()
        elif tag == "TableCell":
            builder.open_cell()
        elif tag == "CodeBlock":
            self.code = []
            self.language = _readable(value["Fenced"]) if isinstance(value, dict) else ""
        elif tag in MARKS:
            self.mark(MARKS[tag])
        else:
            written = _readable(("mailto:" if value["link_type"] == "Email" else "") + value["dest_url"])
            self.links.append((written, self.words))
            self.mark("" if address_in(self.marks) else safe_address(written))

    def end(self, tag: str) -> None:
        if tag in ENDS_BLOCK:
            self.builder.end_block()
        elif tag in CONTAINERS:
            self.builder.close()
        elif tag == "CodeBlock":
            self.builder.code("".join(self.code or []).removesuffix("\n"), self.language)
            self.code = None
        elif tag in MARKS:
            self.marks = self.outer_marks.pop()
        else:
            written, words_before = self.links.pop()
            if self.words == words_before:
                self.text(written)
            self.marks = self.outer_marks.pop()

    def text(self, text: str) -> None:
        if self.code is not None:
            self.code.append(text)
            return
        self.words += not text.isspace()
        self.builder.text(text, self.marks)

    def mark(self, name: str) -> None:
        self.outer_marks.append(self.marks)
        self.marks = self.marks | {name} if name else self.marks
