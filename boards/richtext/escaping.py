"""Escape text so that it is not read as Markdown."""

import re

from boards.richtext.markdown_tables import DELIMITERS

SPECIAL = r"""
    \\(?=[!-/:-@\[-`{-~]|\Z)            # a backslash before what it would escape
  | [`~]
  | \*(?!(?<=\s\*)\s)                   # not between spaces
  | _(?!(?<=[^\W_]_)[^\W_])             # not inside a word
  | <(?!\s)
  | &(?=\#?\w+;)
  | (?<=\])\(
"""
# Each pattern matches the empty place before such a character, where the backslash goes.
IN_TEXT = re.compile(rf"(?={SPECIAL})", re.VERBOSE)
IN_LINK = re.compile(rf"(?={SPECIAL} | [\[\]])", re.VERBOSE)
IN_ADDRESS = re.compile(r"(?=[()]|&\#?\w+;)")
# Matches what would begin a block, up to the place where a backslash prevents that
BLOCK_START = re.compile(
    r"(?=>|\[|-(?:\s|[-\s]*\Z)|\+(?:\s|\Z)|\#{1,6}(?:\s|\Z)|=+\s*\Z|" + DELIMITERS + r"\Z)|[0-9]{1,9}(?=[.)](?:\s|\Z))"
)
HEADING_END = re.compile(r"(?<![^\s#])#\Z")
BACKSLASH = r"\\"
BACKTICKS = re.compile("`+")


def escaped(text: str, *, in_link: bool = False) -> str:
    return text if text.isalnum() else (IN_LINK if in_link else IN_TEXT).sub(BACKSLASH, text)


def escaped_address(address: str) -> str:
    return IN_ADDRESS.sub(BACKSLASH, address)


def escaped_start(text: str, markdown: str) -> str:
    """Return the Markdown of a line, escaped so that its first `text` begins no heading, list, quote or the like."""
    found = BLOCK_START.match(text)
    return f"{markdown[: found.end()]}\\{markdown[found.end() :]}" if found else markdown


def escaped_heading_end(markdown: str) -> str:
    return HEADING_END.sub(r"\#", markdown)


def reference(character: str) -> str:
    return f"&#{ord(character)};"


def fence(text: str, shortest: int) -> str:
    """Return a row of backticks longer than any in the text, of at least `shortest`."""
    if "`" not in text:
        return "`" * shortest
    return "`" * max(shortest, 1 + max(map(len, BACKTICKS.findall(text))))


def code_span(text: str) -> str:
    ticks = fence(text, 1)
    loses_spaces = text[0] == text[-1] == " " and text.strip(" ")
    space = " " if loses_spaces or "`" in (text[0], text[-1]) else ""
    return f"{ticks}{space}{text}{space}{ticks}"
