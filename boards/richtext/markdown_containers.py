"""The lines that belong to a quote or to an item of a list.

mistune's own way has two faults: where quotes and lists alternate it goes one call deeper for each, up to a
RecursionError, and in items it makes spaces of the tabs that code begins with.
"""

import re
from dataclasses import dataclass, field

QUOTE = re.compile(r" {0,3}>")
FENCE = r"(?P<fenced_2>`{3,}(?=[^`\n]*$)|~{3,})"
HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)", re.MULTILINE)
UNDERLINE = re.compile(r" {0,3}(?:-+|=+)[ \t]*$", re.MULTILINE)
RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$", re.MULTILINE)
MARKS = re.compile(r"(?: {0,3}(?:>|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t\n]))[ \t]?)+")
CODE_BEGINS = re.compile(rf" {{0,3}}{FENCE}", re.MULTILINE)
LEADING = re.compile(r"[ \t]*")


@dataclass(slots=True)
class Container:
    """The lines of a quote or item so far, without its marker and indentation."""

    text: str = ""
    lazy: set[int] = field(default_factory=set)  # where lines begin that only go on with its last paragraph
    in_paragraph: bool = False
    fence: str = ""  # what began the code that is open
    has_more: bool = False  # quotes or lists in it, so that lines may be indented

    def add(self, line: str, mark: int, width: int) -> None:
        """Add a line without its first `width` columns; the first `mark` characters are a quote's mark."""
        self._append(_without(line, mark, width, keep_tabs=bool(self.fence)))

    def add_lazy(self, line: str) -> None:
        self.lazy.add(len(self.text))
        self.text += line

    def _append(self, line: str) -> None:
        self.text += line
        if self.fence:
            if line.strip(" \t\n").startswith(self.fence) and not line.strip(f" \t\n{self.fence[0]}"):
                self.fence = ""
            return
        marks = None if RULE.match(line) else MARKS.match(line)
        self.has_more = self.has_more or marks is not None
        inside = line[marks.end() :] if marks else line.lstrip(" \t") if self.has_more else line
        if found := CODE_BEGINS.match(inside):
            self.fence, self.in_paragraph = found["fenced_2"], False
            return
        was_paragraph = self.in_paragraph and not marks
        self.in_paragraph = not (
            is_blank(inside)
            or HEADING.match(inside)
            or RULE.match(inside)
            or (was_paragraph and UNDERLINE.match(inside))
            or (not was_paragraph and columns(inside) >= 4)
        )


def is_blank(line: str) -> bool:
    return not line.strip(" \t\n")


def columns(line: str) -> int:
    """Return how far the line is indented. A tab reaches to the next multiple of four."""
    return len(_leading(line).expandtabs(4))


def _leading(line: str, start: int = 0) -> str:
    found = LEADING.match(line, start)
    return line[: found.end()] if found else ""


def _without(line: str, mark: int, width: int, *, keep_tabs: bool) -> str:
    """Return the line without its first `width` columns.

    Tabs right after them become spaces, as their width depends on what stood before; in code only where a tab begins
    within these columns.
    """
    leading = _leading(line, mark)
    end = len(leading)
    if keep_tabs:
        end = next((end for end in range(mark, end) if len(line[:end].expandtabs(4)) >= width), end)
    return line[:end].expandtabs(4)[width:] + line[end:]
