"""Marks the words of a search in a text, and cuts the sentence around them out of a long one.

Words are folded (core/text/folding.py) and texts are as people wrote them, so what is marked may have another length
than the word.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from typing import NamedTuple

from core.text.folding import fold

LONGEST = 180  # characters of a sentence that is shown
BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
WIDE_STOPS = "。！？"
HALF_WIDTH_MARKS = "\uff9e\uff9f"  # fold unites them with the letter before
PIECE = re.compile(rf".{{1,{LONGEST * 2}}}(?: |$)|.{{1,{LONGEST * 2}}}")  # of a sentence without an end


class Piece(NamedTuple):
    text: str
    is_found: bool


def marked(text: str, words: Collection[str]) -> list[Piece]:
    """Return the text in pieces: those that are one of the folded words, and those between."""
    whole = fold(text)
    if not any(word in whole for word in words):
        return [Piece(text, False)] if text else []
    letters = [*_letters(text)]
    pieces = [*map(_folded, letters)]
    folded, starts = "".join(pieces), [number for number, piece in enumerate(pieces) for _sign in piece]
    found = [False] * len(letters)
    for word in words:
        at = folded.find(word)
        while at >= 0:
            for number in starts[at : at + len(word)]:
                found[number] = True
            at = folded.find(word, at + len(word))
    left = iter(letters)
    return [Piece("".join(islice(left, len([*run]))), is_found) for is_found, run in groupby(found)]


def sentence_with(text: str, words: Collection[str]) -> str:
    """Return the sentence that has most of the folded words, the first such one, on one line; "" where none has a word.

    It is cut at the words if it is long, and goes on behind its end if it is short.
    """
    sentences, place, most = [*_sentences(text)], 0, 0
    for number, folded in enumerate(map(fold, sentences)):
        count = sum(word in folded for word in words)
        if count > most:
            place, most = number, count
        if count == len(words):
            break
    return _shown(sentences, place, words) if most else ""


def _shown(sentences: Sequence[str], place: int, words: Collection[str]) -> str:
    shown = sentences[place]
    for following in sentences[place + 1 :]:
        if len(shown) + len(following) >= LONGEST:
            break
        shown += following if shown[-1] in WIDE_STOPS else f" {following}"
    return cut_around(shown, words)


def _sentences(text: str) -> Iterator[str]:
    for sentence in BETWEEN_SENTENCES.split(text):
        if line := " ".join(sentence.split()):
            yield from PIECE.findall(line) if len(line) > LONGEST * 2 else [line]


def cut_around(sentence: str, words: Collection[str], longest: int = LONGEST) -> str:
    """Return so many characters of the sentence, a third of them before the first of the words. Where it is cut, … comes too."""
    if len(sentence) <= longest:
        return sentence
    first = marked(sentence, words)[0]
    start = 0 if first.is_found else max(len(first.text) - longest // 3, 0)
    end = start + longest
    return f"{'…' if start else ''}{sentence[start:end].strip()}{'…' if end < len(sentence) else ''}"


@lru_cache(4096)
def _folded(letter: str) -> str:
    return fold(letter)


def _letters(text: str) -> Iterable[str]:
    """Return the letters of the text, each with the marks that belong to it. Most texts have none, and pass at once."""
    has_marks = any(map(unicodedata.combining, text)) or any(sign in text for sign in HALF_WIDTH_MARKS)
    return _with_marks(text) if has_marks else text


def _with_marks(text: str) -> Iterator[str]:
    letter = ""
    for sign in text:
        if letter and (unicodedata.combining(sign) or sign in HALF_WIDTH_MARKS):
            letter += sign
        else:
            if letter:
                yield letter
            letter = sign
    if letter:
        yield letter
