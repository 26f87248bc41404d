"""Read Markdown into a document. docs/decisions/rich-text.md has the changes of the parser, and their reasons."""

from typing import cast

from mistune import Markdown

from boards.richtext.builder import Builder
from boards.richtext.delimiters import Token
from boards.richtext.inline import PLAIN, Marks, Run, address_in, mention_run, picture_run
from boards.richtext.links import mention_address, picture_address, safe_address
from boards.richtext.markdown_blocks import Blocks
from boards.richtext.markdown_effort import MOST, STEPS, Env, TooMuch, count_marks
from boards.richtext.markdown_inlines import Inlines, plain_text, resolved, text_of
from boards.richtext.markdown_writer import to_markdown
from boards.richtext.nodes import CODE, MAX_DEPTH, Doc, paragraph
from boards.text import FORBIDDEN

PARSER = Markdown(block=Blocks(max_nested_level=MAX_DEPTH), inline=Inlines(hard_wrap=True, max_nested_level=MAX_DEPTH))


def from_markdown(text: str) -> Doc | None:
    """Return the document; None when it would be empty. A newline in a paragraph is a hard break, and HTML is text.

    A text with too much Markdown to be read in time is shown as it was typed, as code.
    """
    if not text:
        return None
    text = FORBIDDEN.sub("\ufffd", text)
    try:
        tokens, state = PARSER.parse(text)
        reader = _Reader(state.env)
        reader.blocks(cast(list[Token], tokens))
        document = reader.builder.document()
        if state.env[STEPS] <= MOST or text == to_markdown(document):
            return document
    except TooMuch:
        pass
    return _as_code(text)


def _as_code(text: str) -> Doc | None:
    builder = Builder()
    builder.code(text, "")
    return builder.document()


class _Reader:
    """Passes the parser's tokens on to a Builder, and keeps the state between them."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self.builder = Builder()
        self.marks: Marks = PLAIN
        self.outer_marks: list[Marks] = []
        self.words = 0

    def blocks(self, tokens: list[Token]) -> None:
        for token in tokens:
            self.block(token)

    def block(self, token: Token) -> None:
        kind, builder = token["type"], self.builder
        if kind == "paragraph":
            builder.open_block(paragraph())
            self.texts(token["children"])
        elif kind == "heading":
            builder.open_block({"type": "heading", "attrs": {"level": token["attrs"]["level"]}})
            self.texts(token["children"])
        elif kind == "block_code":
            builder.code(token["raw"].removesuffix("\n"), resolved(token.get("attrs", {}).get("info", "")))
        elif kind == "thematic_break":
            builder.rule()
        elif kind == "table_cell":
            builder.open_cell()
            self.texts(token["children"])
        elif kind != "blank_line":
            self.container(token)

    def container(self, token: Token) -> None:
        kind, builder = token["type"], self.builder
        if kind == "block_quote":
            builder.open_quote()
        elif kind == "list":
            builder.open_list(token["attrs"]["start"])
        elif kind == "table":
            builder.open_table()
        elif kind == "table_row":
            builder.open_row()
        else:
            builder.open_item(token.get("checked"))
        self.blocks(token["children"])
        builder.close()

    def texts(self, tokens: list[Token]) -> None:
        for token in tokens:
            kind = token["type"]
            if kind == "text":
                self.text(text_of(token))
            elif kind == "codespan":
                self.words += 1
                count_marks(self.env, self.marks, at_break=False)
                self.builder.text(token["raw"], self.marks | {CODE})
            elif kind == "linebreak":
                count_marks(self.env, self.marks, at_break=True)
                self.builder.line_break()
            elif kind == "on":
                self.mark(token["mark"])
            elif kind == "off":
                self.unmark()
            else:
                self.link(token)

    def text(self, text: str) -> None:
        self.words += not text.isspace()
        count_marks(self.env, self.marks, at_break=False)
        self.builder.text(text, self.marks)

    def mark(self, name: str) -> None:
        self.outer_marks.append(self.marks)
        self.marks = self.marks | {name} if name else self.marks

    def unmark(self) -> None:
        self.marks = self.outer_marks.pop()

    def link(self, token: Token) -> None:
        """Read a link or image. Without a text it shows its address."""
        if not address_in(self.marks):
            if mention := mention_address(token["address"]):
                self.mention(token, mention)
                return
            if token["type"] == "image" and (picture := picture_address(token["address"])):
                self.single(picture_run(plain_text(token["children"]), picture))
                return
        words_before = self.words
        self.mark("" if address_in(self.marks) else safe_address(token["address"]))
        self.texts(token["children"])
        if self.words == words_before:
            self.text(token["address"])
        self.unmark()

    def mention(self, token: Token, address: str) -> None:
        """Read a mention. Without a label it mentions nobody, and its text stays."""
        text = plain_text(token["children"]).strip()
        self.single(mention_run(text.removeprefix("@"), address) or (text or address, self.marks))

    def single(self, run: Run) -> None:
        self.words += 1
        count_marks(self.env, run[1], at_break=False)
        self.builder.text(*run)
