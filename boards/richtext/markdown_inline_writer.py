"""Write one line of a paragraph, or a heading, as Markdown.

Markdown decides by the neighbouring characters whether `**` and the like are delimiters: with a space inside, or a
letter and a bracket on the wrong sides, they are plain text. Such a neighbour is written as a character reference,
which Markdown treats as punctuation.
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
from boards.richtext.inline import PLAIN, Line, Run, address_in, is_picture, is_single, lines_of
from boards.richtext.links import FILES, PICTURE
from boards.richtext.nodes import CODE, Node

Delimiters = dict[str, str]
ALONE: Delimiters = {"bold": "**", "italic": "*", "strike": "~~"}
BESIDE_BOLD = ALONE | {"italic": "_"}  # `***` could be read in two ways

END: Run = ("", PLAIN)

# How to write a text that is not simply escaped; and the first and last character that it then has
FORMS: dict[str, Callable[[str], str]] = {
    "code": code_span,
    "address": "<{}>".format,
    "reference": reference,
    "picture": str,
}
ENDS = {"code": "``", "address": "<>", "reference": "&;", "picture": "!)"}


def line_markdown(line: Line) -> str:
    markdown = _line(line)
    return escaped_start(line[0][0], markdown) if line and not line[0][1] else markdown


def heading_markdown(nodes: list[Node]) -> str:
    (line,) = lines_of(nodes)
    return escaped_heading_end(_line(line))


def cell_markdown(nodes: list[Node]) -> str:
    (line,) = lines_of(nodes)
    return _line(line)


def _line(line: Line) -> str:
    if not line or (len(line) == 1 and not line[0][1]):
        return escaped(line[0][0]) if line else ""
    return "".join(_pieces(line, BESIDE_BOLD if _has_bold_beside_italic(line) else ALONE))


def _has_bold_beside_italic(line: Line) -> bool:
    before = PLAIN
    for _, marks in line:
        if marks or before:
            near = marks | before
            if "bold" in near and "italic" in near:
                return True
        before = marks
    return False


def _pieces(line: Line, delimiters: Delimiters) -> Iterator[str]:
    """Yield each text and then the delimiters after it."""
    bare = _bare_addresses(line)
    if bare:
        line = [(text, marks - {text} if number in bare else marks) for number, (text, marks) in enumerate(line)]
    pictures = {number for number, (_text, marks) in enumerate(line) if is_picture(marks)}
    if pictures:
        line = [(_picture(run), PLAIN) if number in pictures else run for number, run in enumerate(line)]
    is_open: list[str] = []
    text, form, last, hide_first, in_link = "", "", "", False, False
    for number, (next_text, marks) in enumerate([*line, END]):
        closing, opening = _turn(is_open, line, number)
        next_form = "address" if number in bare else "picture" if number in pictures else _form(line, number)
        ends = ENDS[next_form] if next_form else next_text
        hide_last, hide_next = _in_the_way(closing, opening, last, ends[:1], delimiters)
        yield FORMS[form](text) if form else _text(text, hide_first, hide_last, in_link=in_link)
        for mark in closing:
            yield delimiters.get(mark) or f"]({escaped_address(mark)})"
        for mark in opening:
            yield delimiters.get(mark, "[")
        text, form, last, hide_first, in_link = next_text, next_form, ends[-1:], hide_next, bool(address_in(marks))


def _bare_addresses(line: Line) -> set[int]:
    """Return the numbers of the runs that are links to their own text."""
    bare = set()
    for number, (text, marks) in enumerate(line):
        if text in marks and ":" in text and CODE not in marks:
            around = line[max(number - 1, 0) : number + 2]
            if sum(text in marks for _, marks in around) == 1:
                bare.add(number)
    return bare


def _picture(run: Run) -> str:
    """Return the Markdown of a picture: its address begins at the root of this service."""
    text, marks = run
    return f"![{escaped(text[1:], in_link=True)}]({FILES}{address_in(marks).removeprefix(PICTURE)})"


def _turn(is_open: list[str], line: Line, number: int) -> tuple[list[str], list[str]]:
    """Change `is_open` to the marks of this run.

    Return the marks that are closed, innermost first, and those that are opened, outermost first.
    """
    marks = line[number][1] if number < len(line) else PLAIN
    stays = 0
    while stays < len(is_open) and is_open[stays] in marks and not is_single(marks):
        stays += 1
    closing = is_open[stays:][::-1]
    del is_open[stays:]
    opening = [mark for mark in marks if mark not in is_open and mark != CODE] if marks else []
    if len(opening) > 1:
        opening.sort(key=lambda mark: (-_runs_with(mark, line, number), mark not in ALONE, mark))
    is_open += opening
    return closing, opening


def _runs_with(mark: str, line: Line, start: int) -> int:
    """Return how many runs in a row have the mark, from this one on."""
    number = start
    while number < len(line) and mark in line[number][1]:
        number += 1
    return number - start


def _form(line: Line, number: int) -> str:
    """Return the key in FORMS for the text of this run; "" for escaped text."""
    text, marks = line[number] if number < len(line) else END
    if CODE in marks:
        return "code"
    if len(text) != 1:
        return ""
    before = line[number - 1][1] if number else PLAIN
    after = line[number + 1][1] if number + 1 < len(line) else PLAIN
    # A single letter is outside of the delimiters on one side and inside on the other, and cannot be right for both.
    return "reference" if before < marks < after or before > marks > after else ""


def _in_the_way(
    closing: list[str], opening: list[str], before: str, after: str, delimiters: Delimiters
) -> tuple[bool, bool]:
    """Tell whether the character before and the one after these delimiters must be written as references."""
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
    """Tell whether Markdown would not take these delimiters beside the character `outside`.

    None stands for a link's brackets, which always work.
    """
    if not outermost or outside in punctuation or outside.isspace():
        return False
    return count > 1 or outermost == "_" or not inside.isalnum()


def _text(text: str, hide_first: bool, hide_last: bool, *, in_link: bool) -> str:
    first = last = ""
    if hide_first:
        first, text = reference(text[0]), text[1:]
    if hide_last and text:
        last, text = reference(text[-1]), text[:-1]
    return f"{first}{escaped(text, in_link=in_link)}{last}"
