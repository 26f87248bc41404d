"""Texts in tables that spreadsheets open: an apostrophe keeps them from being taken for formulas. docs/export.md has the rule.

`plain(harmless(text)) == text`, whatever the text.
"""

import re

SIGNS = "=+@＝＋－＠"
# After what, and before what, a formula could begin. Where lists are written with semicolons, cells begin at these in the
# middle of ours, and rows at each line: items of lists and lines of dashes are left alone there, as descriptions are full
# of them.
PLACES = [
    (r"\A", rf"'*[{SIGNS}\-\t\r\n]"),
    (r"(?<=[;\t])", rf"'*[{SIGNS}\-]"),
    (r"(?<=[\r\n])", rf"'*(?:[{SIGNS}]|-(?! |-*$))"),
]
UNMARKED = re.compile("|".join(f"{after}(?={before})" for after, before in PLACES), re.MULTILINE)
MARKED = re.compile("|".join(f"{after}'(?={before})" for after, before in PLACES), re.MULTILINE)


def harmless(text: str) -> str:
    """Return the text with an apostrophe wherever a formula could begin, and one more where apostrophes are."""
    return UNMARKED.sub("'", text)


def plain(text: str) -> str:
    """Return what `harmless` was given."""
    return MARKED.sub("", text)
