"""The examples of the CommonMark specification, as far as they are about the Markdown that descriptions have.

`commonmark-0.31.2.json` has the examples of https://spec.commonmark.org/0.31.2/ by John MacFarlane, under the licence
CC BY-SA 4.0, each with its number, the Markdown and the HTML.
"""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from boards.richtext import from_markdown
from boards.richtext.builder import Builder
from boards.richtext.inline import PLAIN, address_in
from boards.richtext.links import safe_address
from boards.richtext.nodes import CODE, paragraph

EXAMPLES = json.loads((Path(__file__).parent / "commonmark-0.31.2.json").read_text())
# HTML and reference definitions, which descriptions do not have, and links to other schemes in angle brackets
OTHER = re.compile(r"<[A-Za-z/!?](?!ttps?:|ailto:)(?![\w.+-]*@)|\]:", re.MULTILINE)
MARKS = {"strong": "bold", "em": "italic"}


class Expected(HTMLParser):
    """Builds the document that some HTML of the specification shows."""

    def __init__(self, html):
        super().__init__()
        self.builder, self.marks, self.outer = Builder(), PLAIN, []
        self.block, self.code, self.language, self.skip_newline = "", None, "", False
        self.links, self.words = [], 0
        self.feed(html)
        self.document = self.builder.document()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "p":
            self.builder.open_block(paragraph())
        elif re.fullmatch("h[1-6]", tag):
            self.builder.open_block({"type": "heading", "attrs": {"level": int(tag[1])}})
        elif tag == "blockquote":
            self.builder.open_quote()
        elif tag in ("ul", "ol"):
            self.builder.open_list(int(attributes.get("start", 1)) if tag == "ol" else None)
        elif tag == "li":
            self.builder.open_item()
        elif tag == "hr":
            self.builder.rule()
        elif tag == "br":
            self.builder.line_break()
            self.skip_newline = True
        elif tag == "pre":
            self.code = ""
        elif tag == "code" and self.code is not None:
            self.language = attributes.get("class", "").removeprefix("language-")
        elif tag == "img":
            self.start_link(attributes["src"])
            self.text(attributes["alt"])
            self.end_link()
        elif tag == "a":
            self.start_link(attributes["href"])
        else:
            self.mark(CODE if tag == "code" else MARKS[tag])

    def handle_endtag(self, tag):
        if tag in ("br", "hr", "img"):
            return
        if tag == "p" or re.fullmatch("h[1-6]", tag):
            self.builder.end_block()
        elif tag in ("blockquote", "ul", "ol", "li"):
            self.builder.close()
        elif tag == "pre":
            self.builder.code(self.code.removesuffix("\n"), self.language)
            self.code = None
        elif tag == "a":
            self.end_link()
        elif tag != "code" or self.code is None:
            self.marks = self.outer.pop()

    def handle_data(self, data):
        if self.code is not None:
            self.code += data
        elif self.builder.block is not None or data.strip("\n"):
            self.text(data.removeprefix("\n") if self.skip_newline else data)
            self.skip_newline = False

    def text(self, text):
        self.words += bool(text.strip())
        first, *others = text.split("\n")
        self.builder.text(first, self.marks)
        for line in others:
            self.builder.line_break()
            self.builder.text(line, self.marks)

    def mark(self, name):
        self.outer.append(self.marks)
        self.marks = self.marks | {name} if name else self.marks

    def start_link(self, address):
        self.links.append((address, self.words))
        self.mark("" if address_in(self.marks) else safe_address(address))

    def end_link(self):
        address, words_before = self.links.pop()
        if self.words == words_before:
            self.text(address)
        self.marks = self.outer.pop()


def ours():
    return [
        pytest.param(one["markdown"], one["html"], id=str(one["example"]))
        for one in EXAMPLES
        if not OTHER.search(one["markdown"])
    ]


@pytest.mark.parametrize("markdown, html", ours())
def test_an_example_of_the_specification_gives_the_document_that_its_html_shows(markdown, html):
    # The specification writes the addresses of links in one way of several.
    assert unquote(str(from_markdown(markdown))) == unquote(str(Expected(html).document))
