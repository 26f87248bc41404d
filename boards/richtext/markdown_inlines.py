"""mistune's inline parser, without the syntax that descriptions do not have, and with our own marks."""

import re
from collections.abc import MutableMapping
from html.entities import html5
from re import Match
from typing import Any

from mistune import InlineParser, InlineState
from mistune.helpers import parse_link_href

from boards.richtext.delimiters import PUNCTUATION, Token, with_marks
from boards.richtext.markdown_effort import count_inline
from boards.text import FORBIDDEN

LEFT_OUT = ("inline_html", "emphasis")  # HTML is text; bold and italic are found by `with_marks`

REFERENCE = r"&(?:#(?P<decimal>[0-9]{1,7})|#[xX](?P<hexadecimal>[0-9a-fA-F]{1,6})|(?P<name>[A-Za-z0-9]+));"
REFERENCES = re.compile(REFERENCE)
ESCAPES = re.compile(rf"\\(?P<escaped>[!-/:-@\[-`{{-~])|{REFERENCE}")


class Inlines(InlineParser):
    DEFAULT_RULES = tuple(rule for rule in InlineParser.DEFAULT_RULES if rule not in LEFT_OUT)  # type: ignore[assignment]
    SPECIFICATION = InlineParser.SPECIFICATION | {"auto_link": r"<(?i:https?|mailto):[^<>\x00-\x20]*>"}
    HARD_LINEBREAK = r"(?:\\| *)\n"  # mistune's takes every kind of space at the start of the next line

    # Spaces and tabs at the start of a line are no part of it, not even of code that goes on there.
    INDENTATION = re.compile(r"\n[ \t]+")

    def __call__(self, s: str, env: MutableMapping[str, Any]) -> list[Token]:
        count_inline(env, s)
        return super().__call__(self.INDENTATION.sub("\n", s), env)

    def finalize_tokens(self, tokens: list[Token], depth: int) -> list[Token]:
        in_link = depth > 0  # so between brackets
        return with_marks(tokens, PUNCTUATION if in_link else " ")

    def parse_link_close(self, m: Match[str], state: InlineState) -> int:
        """Close a link, and keep its address as it is written: mistune writes é as %C3%A9 and decodes `\\&lt;` twice."""
        end = super().parse_link_close(m, state)
        if end > m.end():
            address, _ = parse_link_href(state.src, m.end() + 1)
            state.tokens[-1]["address"] = _unescaped(address or "")
        return end

    def parse_linebreak(self, m: Match[str], state: InlineState) -> int:
        state.append_token({"type": "linebreak", "raw": m[0]})
        return m.end()

    def parse_auto_link(self, m: Match[str], state: InlineState) -> int:
        return _add_link(state, m, "")

    def parse_auto_email(self, m: Match[str], state: InlineState) -> int:
        return _add_link(state, m, "mailto:")


def _add_link(state: InlineState, m: Match[str], scheme: str) -> int:
    text = m[0][1:-1]
    shown = {"type": "text", "raw": text, "_emphasis": False}
    state.append_token({"type": "link", "address": scheme + text, "children": [shown]})
    return m.end()


def text_of(token: Token) -> str:
    """Return the text, with the characters that references such as `&amp;` stand for."""
    return token["raw"] if "_emphasis" in token else resolved(token["raw"])


def plain_text(tokens: list[Token]) -> str:
    """Return the text of these tokens and of those in them, without marks."""
    return "".join([_plain(token) for token in tokens])


def _plain(token: Token) -> str:
    if token["type"] == "text":
        return text_of(token)
    if token["type"] == "linebreak":
        return " "
    return plain_text(token["children"]) if "children" in token else token.get("raw", "")


def resolved(text: str) -> str:
    return REFERENCES.sub(_character, text) if "&" in text else text


def _unescaped(address: str) -> str:
    return ESCAPES.sub(_character, address) if "\\" in address or "&" in address else address


def _character(found: Match[str]) -> str:
    group = found.lastgroup
    if group == "escaped":
        return found[group]
    if group == "name":
        return html5.get(f"{found[group]};", found[0])
    number = int(found["decimal"]) if group == "decimal" else int(found["hexadecimal"], 16)
    return FORBIDDEN.sub("\ufffd", chr(number)) if 0 < number < 0x110000 else "\ufffd"
