"""The lines of a table in Markdown: `| a | b |`, and `| --- | --- |` below the first one.

The rules are GitHub's (https://github.github.com/gfm/#tables-extension-), but cells beyond the first row's are kept. Not
mistune's plugin: it wants an empty line before a table, and takes only rows with as many cells as the first one.
"""

import re

# Possessive quantifiers (`++`, `*+`) keep this linear. There must be a `|`: with none it underlines a heading.
_CELL = r":?-++:?+[ \t]*+"
_FURTHER = rf"(?:\|[ \t]*+{_CELL})"
DELIMITERS = rf"(?:{_FURTHER}++(?:\|[ \t]*+)?|{_CELL}(?:{_FURTHER}++(?:\|[ \t]*+)?|\|[ \t]*+))"
ESCAPED = r"\|"
SEPARATOR = re.compile(r"(?<!\\)\|")


def cells_of(line: str) -> list[str]:
    """Return the Markdown of each cell of a row. A `|` behind a backslash is part of a cell, in code too."""
    line = line.strip(" \t\n").removeprefix("|")
    if line.endswith("|") and not line.endswith(ESCAPED):
        line = line[:-1]
    return [text.replace(ESCAPED, "|") for text in SEPARATOR.split(line)]


def row_of(cells: list[str]) -> str:
    """Return the line of these cells: the inverse of `cells_of`."""
    return f"| {' | '.join([cell.replace('|', ESCAPED) for cell in cells])} |"
