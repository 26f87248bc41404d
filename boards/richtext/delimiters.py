"""Find bold, italic and strike-through among the delimiters of one text, in linear time.

The rules are CommonMark's (https://spec.commonmark.org/0.31.2/#delimiter-stack), and GitHub's for `~` and `~~`. mistune's own
way counts the depth of what it has found at every closing delimiter, which takes quadratic time.
"""

import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from unicodedata import category

Token = dict[str, Any]

RUNS = re.compile(r"(\*+|_+|(?<!~)~{1,2}(?!~))")
NAMES = {"*": "italic", "_": "italic", "**": "bold", "__": "bold", "~": "strike", "~~": "strike"}
PUNCTUATION = "."


@dataclass(slots=True, eq=False)
class Run:
    """A delimiter, one or more times in a row. `~` and `~~` are two different ones, which occur once."""

    sign: str
    size: int
    opens: bool
    closes: bool
    left: int  # how many have no partner yet; in the end they are text
    place: int = 0  # among the runs
    ended: int = 0  # how many marks end here
    begun: list[str] = field(default_factory=list)  # the marks that begin here, innermost first

    def tokens(self) -> list[Token]:
        ends: list[Token] = [{"type": "off"}] * self.ended
        text = [{"type": "text", "raw": self.sign * self.left}] if self.left else []
        return ends + text + [{"type": "on", "mark": mark} for mark in reversed(self.begun)]


def with_marks(tokens: list[Token], around: str) -> list[Token]:
    """Return the tokens with {"type": "on", "mark": its name} where a mark begins and {"type": "off"} where one ends.

    `around` is a character like those that stand before and after these tokens.
    """
    tokens = _joined(tokens)
    if not any(may_have_delimiters(token) and RUNS.search(token["raw"]) for token in tokens):
        return tokens
    pieces = _pieces(tokens, around)
    _pair([piece for piece in pieces if isinstance(piece, Run)])
    return [token for piece in pieces for token in (piece.tokens() if isinstance(piece, Run) else (piece,))]


def may_have_delimiters(token: Token) -> bool:
    """Tell whether this is text, other than characters that stood behind a backslash."""
    return token["type"] == "text" and "_emphasis" not in token


def _joined(tokens: list[Token]) -> list[Token]:
    """Return one text instead of several in a row."""
    joined: list[Token] = []
    for is_text, group in groupby(tokens, may_have_delimiters):
        if is_text:
            joined.append({"type": "text", "raw": "".join([text["raw"] for text in group])})
        else:
            joined += group
    return joined


def _pieces(tokens: list[Token], around: str) -> list[Token | Run]:
    """Split the texts at their delimiters."""
    source = f"{around}{''.join(map(_seen, tokens))}{around}"
    pieces: list[Token | Run] = []
    at = 1
    for token in tokens:
        if not may_have_delimiters(token):
            pieces.append(token)
            at += len(_seen(token))
            continue
        for number, part in enumerate(RUNS.split(token["raw"])):
            end = at + len(part)
            if number % 2:
                pieces.append(_run(part, source[at - 1], source[end]))
            elif part:
                pieces.append({"type": "text", "raw": part})
            at = end
    return pieces


def _seen(token: Token) -> str:
    """Return what stands for this token beside a delimiter. Links and code begin and end with punctuation."""
    return token["raw"] if token["type"] in ("text", "linebreak") else PUNCTUATION


def _run(text: str, before: str, after: str) -> Run:
    """Return the run with what its neighbours let it do: "left-flanking" and "right-flanking" in the specification."""
    opens = not after.isspace() and (not _is_punctuation(after) or before.isspace() or _is_punctuation(before))
    closes = not before.isspace() and (not _is_punctuation(before) or after.isspace() or _is_punctuation(after))
    if text[0] in "_~" and text != "~~" and opens and closes:
        opens, closes = _is_punctuation(before), _is_punctuation(after)
    sign, size = (text, 1) if text[0] == "~" else (text[0], len(text))
    return Run(sign, size, opens, closes, left=size)


def _is_punctuation(character: str) -> bool:
    return not character.isalnum() and category(character)[0] in "PS"


def _pair(runs: list[Run]) -> None:
    waiting: list[Run] = []  # open, without a partner
    # The place of the last closing run of each kind that found no partner. What opens before it fits none of that kind,
    # so the next one does not look there again: this makes the time linear.
    searched: dict[tuple[str, int, bool], int] = {}
    for place, run in enumerate(runs):
        run.place = place
        kind = (run.sign, run.size % 3, run.opens)
        while run.closes and run.left:
            opener = _partner(waiting, run, searched.get(kind, 0))
            if opener is None:
                searched[kind] = place
                break
            count = min(2, run.left, opener.left)
            opener.begun.append(NAMES[run.sign * count])
            opener.left -= count
            run.ended += 1
            run.left -= count
            if not opener.left:
                waiting.pop()
        if run.opens and run.left:
            waiting.append(run)


def _partner(waiting: list[Run], closer: Run, lowest: int) -> Run | None:
    """Return the last opening run that fits. Those after it can find no partner any more, so they are removed."""
    for at in range(len(waiting) - 1, -1, -1):
        opener = waiting[at]
        if opener.place < lowest:
            break
        if opener.sign == closer.sign and not _only_look_alike(opener, closer):
            del waiting[at + 1 :]
            return opener
    return None


def _only_look_alike(opener: Run, closer: Run) -> bool:
    """Apply CommonMark's rule of three, by which `*a**b*` is one emphasis."""
    both_ways = opener.closes or closer.opens
    return both_ways and (opener.size + closer.size) % 3 == 0 and opener.size % 3 != 0
