"""The words of a search: every one must be found, whatever its case. A query such as #5 is a number instead."""

import re

from django.db.models import Q
from django.utils.translation import gettext as _

from boards.errors import Invalid
from boards.reading.search_index import cards_titled, cards_with_all, contains, signs_in, text_with
from boards.text import clean_text
from core.sql import Statement, combined
from core.text.folding import fold

QUERY = 500  # characters
WORDS = 20
NUMBER = re.compile(r"#([0-9]{1,9})")
COMMA = "[,，﹐︐、﹑､︑،]"
BETWEEN = re.compile(rf"(?<!\d){COMMA}|{COMMA}(?!\d)|[\"“”„«»]")  # but no commas in numbers, as in 1,5


def matching_text(query: str) -> Q:
    """Return the condition that a card has the number that the query is, or else all of its words."""
    if number := number_in(query):
        return Q(number=number)
    found = Q()
    for word in words_in(query):
        found &= Q(search_text__contains=word)
    return found


def indexed_text(query: str) -> Statement:
    """Return the same as SQL, for many cards, which are found by indexes."""
    if number := number_in(query):
        return numbered(number)
    words, field = words_in(query), "search_text"
    return combined(
        " AND ", [*(contains(field, word) for word in words), cards_with_all(words), signs_in(field, *words)]
    )


def text_nearby(query: str) -> Statement:
    """Return the same for few cards, of which each is asked for its text."""
    if number := number_in(query):
        return numbered(number)
    return text_with(words_in(query))


def numbered(number: int) -> Statement:
    return Statement("this.number = %s", [number])


def titled(query: str) -> Statement:
    """Return a condition that cards with all words in the title meet, and few others, so that they are found by an index."""
    found = cards_titled(words_in(query))
    return indexed_text(query) if found is None else found


def number_in(query: str) -> int | None:
    """Return the number that the whole query is, as in #5."""
    number = NUMBER.fullmatch(fold(query).strip())
    return int(number[1]) if number else None


def words_in(query: str) -> list[str]:
    """Return the folded words of the query, longest first: a long word usually leaves the fewest rows for the others.

    Raises Invalid for a query that is too long or has too many words.
    """
    words = set(split_words(fold(clean_text(query, "query", QUERY))))
    if len(words) > WORDS:
        raise Invalid.of("query", _("%(field)s must have at most %(limit)d words."), limit=WORDS)
    return sorted(words, key=len, reverse=True)


def split_words(query: str) -> list[str]:
    """Return the words between spaces, commas and quotation marks, in their order; of a query without any, what is between
    spaces.
    """
    return BETWEEN.sub(" ", query).split() or query.split()
