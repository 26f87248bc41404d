"""Conditions that let a database find texts with a word by an index of trigrams, or of signs (docs/decisions/search.md).

They never leave out a text with the word, and what has none of it is left out by the condition for the word itself. In all of
this SQL the card is called this.
"""

import re
from collections.abc import Collection, Iterable

from django.db import connection

from boards.word_index import EACH_SIGN, SIGNS, has_word_index, with_tripled_signs
from boards.word_index import TITLE as TITLE_ON_SQLITE
from core.sql import NOTHING, Statement, combined, is_postgresql

TRIGRAM = 3  # characters
MOST = 30  # trigrams of a word that are asked for
# Columns of which PostgreSQL has an index of signs
WITH_SIGNS = ("search_text", "body", "title", "text", "file_name")
INDEXED_TITLE = "SUBSTRING(search_text, 1, STRPOS(search_text, '\n'))"  # folded, as the first line; in the words of PostgreSQL's index
TITLE = "SUBSTRING(search_text, 1, STRPOS(search_text, CHR(10)))"  # the same, without that index
NO_SIGNS = f"[^{SIGNS[1:]}+"
FEW = 2000  # texts with a word, from which on it does not matter how many
AMONG = "this.id IN ({})"
READ_TITLES = "SELECT card FROM boards_wordtitle WHERE "
TITLED = (
    "SELECT card FROM boards_wordsource WHERE id IN"
    " (SELECT -rowid FROM boards_words WHERE boards_words MATCH %s AND rowid < 0)"
)
WITH_WORDS = "SELECT card FROM boards_wordsource WHERE id IN (SELECT rowid FROM boards_words WHERE boards_words MATCH %s AND rowid > 0)"
COUNT = "(SELECT count(*) FROM (SELECT 1 FROM boards_words WHERE boards_words MATCH %s AND rowid > 0 LIMIT %s))"


def are_signs(word: str) -> bool:
    """Tell whether all of a word are Chinese, Japanese or Korean signs, which have no upper and lower case."""
    return not EACH_SIGN.sub("", word)


def signs_in(field: str, *words: str) -> Statement:
    """Return the condition that a text has all signs of those words that are too short for a trigram; no SQL if they have none.

    It is for PostgreSQL alone, whose index has the array of a text's signs, and no text of ASCII alone.
    """
    signs = {sign for word in words if len(word) < TRIGRAM for sign in EACH_SIGN.findall(word)}
    if not signs or field not in WITH_SIGNS or not is_postgresql():
        return NOTHING
    array = f"STRING_TO_ARRAY(REGEXP_REPLACE({field}, '{NO_SIGNS}', '', 'g'), NULL)"
    return Statement(f"OCTET_LENGTH({field}) > CHAR_LENGTH({field}) AND {array} @> %s", [sorted(signs)])


def contains(field: str, word: str, *, any_case: bool = False) -> Statement:
    """Return the condition that a text has a word, for which PostgreSQL has indexes."""
    if not is_postgresql():
        like = rf"{field} LIKE %s ESCAPE '\'"
    else:
        like = f"UPPER({field}) LIKE UPPER(%s)" if any_case else f"{field} LIKE %s"
    return Statement(like, [f"%{_escaped(word)}%"])


def _escaped(word: str) -> str:
    """Return the word as LIKE finds it literally."""
    return re.sub(r"([\\%_])", r"\\\1", word)


def text_with(words: Collection[str]) -> Statement:
    """Return the condition that a card has all of these words in title and description, which no index has: for few cards, so
    that the database cannot look for the words among all.
    """
    return _has_all("search_text", words)


def _has_all(text: str, words: Collection[str]) -> Statement:
    place = "STRPOS" if is_postgresql() else "INSTR"
    return Statement(" AND ".join([f"{place}({text}, %s) > 0"] * len(words)), [*words])


def cards_with_all(words: Iterable[str]) -> Statement:
    """Return a condition of cards that have all of these words in title and description; no SQL without an index for them."""
    matches = [found for word in words if (found := _match([word]))]
    if not matches or not has_word_index():
        return NOTHING
    return Statement(AMONG.format(WITH_WORDS + " AND source = card"), [" AND ".join(matches)])


def has_title_with(words: Collection[str]) -> Statement:
    """Return the condition that a card has all of these words in the title, which no index has."""
    return _has_all(TITLE if is_postgresql() else TITLE_ON_SQLITE.format(row=""), words)


def cards_titled(words: Collection[str]) -> Statement | None:
    """Return a condition that cards with all of these words in the title meet, and few others; None where no index has such words
    of titles.
    """
    if is_postgresql():
        in_title = [contains(INDEXED_TITLE, word) for word in words]
        return combined(" AND ", in_title) if any(len(word) >= TRIGRAM for word in words) else None
    if not words or not has_word_index():
        return None
    if matches := [found for word in words if (found := _match([word]))]:
        return Statement(AMONG.format(TITLED), [" AND ".join(matches)])
    return Statement(AMONG.format(READ_TITLES + " AND ".join(["instr(title, %s)"] * len(words))), [*words])


def cards_with_the_rarest(words: Iterable[Collection[str]]) -> Statement | None:
    """Return a condition of cards that have one of these words, each given in its spellings, wherever it may be.

    It is of the word that the fewest texts have: one statement if there are several. If many texts have each of them, it is of
    cards that have all. None where there is no index for them.
    """
    matches = [found for spellings in words if (found := _match(spellings))] if has_word_index() else []
    if len(matches) < 2:
        return _cards(*matches) if matches else None
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join([COUNT] * len(matches))}", [part for one in matches for part in (one, FEW)])
        numbers = cursor.fetchone()
    if min(numbers) < FEW:
        return _cards(matches[numbers.index(min(numbers))])
    return _cards(*matches)


def _cards(*matches: str) -> Statement:
    return Statement(AMONG.format(" INTERSECT ".join([WITH_WORDS] * len(matches))), matches)


def _match(spellings: Collection[str]) -> str:
    """Return what FTS5 is asked for: all trigrams of a spelling. It is empty if one has none."""
    asked = [
        " AND ".join(_quoted(text[place : place + TRIGRAM]) for place in range(len(text) - TRIGRAM + 1)[:MOST])
        for text in map(with_tripled_signs, spellings)
    ]
    return f"({') OR ('.join(asked)})" if all(asked) else ""


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
