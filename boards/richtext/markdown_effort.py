"""Cap the work that a Markdown text may take. It is counted while mistune parses."""

import re
from collections.abc import MutableMapping
from typing import Any

from boards.richtext.inline import Marks
from boards.richtext.nodes import MARKS

Env = MutableMapping[str, Any]  # what mistune hands on from block to block of one text

# In steps of 2 to 4 µs. Lists of 20,000 characters with a link or two marks in each item take up to 16,000.
MOST = 18_000
# What `to_markdown` wrote may take more, so that a description that was saved is never too much to be sent back: what it
# writes takes up to 1.32 times as many steps as what was read.
MOST_WRITTEN = 23_800

STEPS = "steps"
LINE = re.compile(r"^.", re.MULTILINE)
BUSY = re.compile(r"\\[^-+=#>.)\[]|<(?!http)|https?:|`+|(?<!\\)[*_~\[\]!&\n]")  # each becomes a token or two
START = re.compile(r"\\[-+=#>.)\[]")  # what the writer adds where a line would begin a block


class TooMuch(Exception):
    """The text takes more work than is allowed."""


def count_block(env: Env, text: str) -> None:
    """Count what it takes to find the blocks of the text, or of the part of it that is in one quote or item."""
    _count(env, 6 + len(LINE.findall(text)) + len(text) // 20)


def count_line(env: Env) -> None:
    """Count a line of a paragraph that looked like the first one of a list."""
    _count(env, 4)


def count_cells(env: Env, cells: int) -> None:
    """Count the cells of a table, also those that its shorter rows are filled up with."""
    _count(env, cells)


def count_inline(env: Env, text: str) -> None:
    """Count what it takes to find marks and links in one paragraph or heading."""
    _count(env, 4 + 3 * len(BUSY.findall(text)) + len(START.findall(text)))


def count_marks(env: Env, marks: Marks, *, at_break: bool) -> None:
    """Count what becomes longer when it is written: marks begin anew on each line, addresses in each text of a link."""
    if marks:
        steps = sum(0 if mark in MARKS else len(mark) // 20 for mark in marks)
        _count(env, steps + (12 * len(marks) if at_break else 0))


def _count(env: Env, steps: int) -> None:
    env[STEPS] = env.get(STEPS, 0) + steps
    if env[STEPS] > MOST_WRITTEN:
        raise TooMuch
