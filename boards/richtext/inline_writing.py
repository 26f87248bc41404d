"""One line of a paragraph, or a heading, to Markdown.

Markdown reads `**` and the like by their neighbours: with a space inside, or a letter and a bracket on the wrong sides,
they are text. A neighbour in the way is written as a character reference, which Markdown takes for punctuation.
"""

from collections.abc import Callable, Iterator
from string import punctuation

from boards.richtext.escaping import (
    code_span,
    escaped,
    escaped_address,
    escaped_heading_end,
    escaped_start,
    reference,
)
from boards.richtext.inline import PLAIN, Line, Run, address_in, lines_of
from boards.richtext.nodes import CODE, Node

Delimiters = dict[str, str]
ALONE: Delimiters = {"bold": "**", "italic": "*", "strike": "~~"}
BESIDE_BOLD = ALONE | {"italic": "_"}  # `***` could be read in two ways

# The marks that end and those that begin between two runs, in the order of their delimiters
Edge = tuple[list[str], list[str]]

# What a text is written as when it is not simply escaped, and what its ends are then
FORMS: dict[str, Callable[[str], str]] = {"code": code_span, "address": "<{}>".format, "reference": reference}
ENDS = {"code": "``", "address": "<>", "reference": "&;"}


def line_markdown(line: Line) -> str:
    markdown = _line(line)
    return escaped_start(line[0][0], markdown) if line and not line[0][1] else markdown


def heading_markdown(nodes: list[Node]) -> str:
    (line,) = lines_of(nodes)
    return escaped_heading_end(_line(line))


def _line(line: Line) -> str:
    if not line or len(line) == 1 and not line[0][1]:
        return escaped(line[0][0]) if line else ""
    has_bold = any("bold" in marks for text, marks in line)
    return "".join(_pieces(line, BESIDE_BOLD if has_bold else ALONE))


def _pieces(line: Line, delimiters: Delimiters) -> Iterator[str]:
    edges = _edges(line)
    forms = [_form(run, edge, next_edge) for run, edge, next_edge in zip(line, edges, edges[1:], strict=False)]
    ends = ["", *[ENDS.get(form) or run[0] for run, form in zip(line, forms, strict=True)], ""]
    hide_first = False
    for number, run in enumerate(line):
        hide_last, hide_next = _in_the_way(edges[number + 1], ends[number + 1][-1:], ends[number + 2][:1], delimiters)
        if number == 0:
            hide_first = _in_the_way(edges[0], "", ends[1][0], delimiters)[1]
        yield _at(edges[number], delimiters)
        if form := forms[number]:
            yield FORMS[form](run[0])
        else:
            yield _text(run, hide_first, hide_last)
        hide_first = hide_next
    yield _at(edges[-1], delimiters)


def _edges(line: Line) -> list[Edge]:
    """One before each run and one at the end. What lasts longest opens first, and what opened last closes first."""
    edges: list[Edge] = []
    is_open: list[str] = []
    for number, (_, marks) in enumerate([*line, ("", PLAIN)]):
        stays = 0
        while stays < len(is_open) and is_open[stays] in marks:
            stays += 1
        closing = is_open[stays:][::-1]
        del is_open[stays:]
        opening = [mark for mark in marks if mark not in is_open and mark != CODE]
        if len(opening) > 1:
            opening.sort(key=lambda mark: (-_runs_with(mark, line, number), mark not in ALONE, mark))
        is_open += opening
        edges.append((closing, opening))
    return edges


def _runs_with(mark: str, line: Line, start: int) -> int:
    """How many runs in a row from this one have the mark."""
    number = start
    while number < len(line) and mark in line[number][1]:
        number += 1
    return number - start


def _form(run: Run, edge: Edge, next_edge: Edge) -> str:
    """How the text of the run is written, "" for escaped. A bare address takes the link out of the edges."""
    text, marks = run
    closing, opening = edge
    next_closing, next_opening = next_edge
    if CODE in marks:
        return "code"
    if opening and next_closing and opening[-1] == next_closing[0] == text:
        del opening[-1], next_closing[0]
        return "address"
    # A single letter, outside of the marks on one side and inside of those on the other, cannot suit both.
    only_closing = closing and not opening and next_closing and not next_opening
    only_opening = opening and not closing and next_opening and not next_closing
    return "reference" if len(text) == 1 and (only_closing or only_opening) else ""


def _in_the_way(edge: Edge, before: str, after: str, delimiters: Delimiters) -> tuple[bool, bool]:
    """Whether the character before and the one after these delimiters must be written as a reference."""
    closing, opening = edge
    hide_before = hide_after = False
    if closing:
        hide_before = before.isspace() and closing[0] in delimiters
        if not opening:
            hide_after = _disturbed(delimiters.get(closing[-1]), after, before, len(closing))
    if opening:
        hide_after = after.isspace() and opening[-1] in delimiters
        if not closing:
            makes_image = before == "!" and opening[0] not in delimiters
            hide_before = makes_image or _disturbed(delimiters.get(opening[0]), before, after, len(opening))
    return hide_before, hide_after


def _disturbed(outermost: str | None, outside: str, inside: str, count: int) -> bool:
    """Whether delimiters do not work beside this character. A link's brackets, the None here, always do."""
    if not outermost or not outside or outside in punctuation or outside.isspace():
        return False
    return count > 1 or outermost == "_" or not inside.isalnum()


def _at(edge: Edge, delimiters: Delimiters) -> str:
    closing, opening = edge
    ends = [delimiters.get(mark) or f"]({escaped_address(mark)})" for mark in closing]
    return "".join(ends + [delimiters.get(mark, "[") for mark in opening])


def _text(run: Run, hide_first: bool, hide_last: bool) -> str:
    text, marks = run
    first = last = ""
    if hide_first:
        first, text = reference(text[0]), text[1:]
    if hide_last and text:
        last, text = reference(text[-1]), text[:-1]
    return f"{first}{escaped(text, in_link=bool(address_in(marks)))}{last}"
