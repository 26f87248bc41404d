"""Words in what hangs on cards: comments, checklists and names of files (docs/decisions/search.md)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from boards.access import board_ids
from boards.models import Attachment, Card, Checklist, ChecklistItem, Comment
from boards.reader import Reader
from boards.reading.search_index import (
    AMONG,
    TRIGRAM,
    are_signs,
    cards_with_the_rarest,
    contains,
    signs_in,
    text_with,
)
from boards.reading.search_words import number_in, numbered, split_words, words_in
from core import sql
from core.sql import Statement, combined, table
from core.text.folding import fold

COMMENT, CHECKLIST, FILE = "comment", "checklist", "file"
PARTS: tuple[tuple[str, Any, str], ...] = (
    (COMMENT, Comment, "body"),
    (CHECKLIST, Checklist, "title"),
    (CHECKLIST, ChecklistItem, "text"),
    (FILE, Attachment, "file_name"),
)


def words_anywhere(reader: Reader, query: str) -> Statement:
    """Return the condition that a card has the number that the query is, or else all of its words, somewhere.

    Cards with one word are found by indexes, and these are asked for the others. A single word of two letters, which the next open
    cards lack, has no index: to read each table once takes a sixth of asking each card for its parts.
    """
    if number := number_in(query):
        return numbered(number)
    words = words_in(query)
    if among := cards_with_the_rarest(spellings_of(word, query) for word in words):
        return combined(" AND ", [among, words_nearby(query)])
    if not (asked := _looked_for(words)):
        return words_nearby(query)
    found = _anywhere(asked, query, reader)
    others = words if len(asked) > 1 else [word for word in words if word not in asked]
    return combined(" AND ", [Statement(AMONG.format(found.sql), found.params), _all_near(others, query)])


def words_nearby(query: str) -> Statement:
    """Return the same condition for few cards, of which each is asked for all of its texts: no index has it."""
    if number := number_in(query):
        return numbered(number)
    return _all_near(words_in(query), query)


def _looked_for(words: Sequence[str]) -> Sequence[str]:
    """Return the words that indexes are asked for: the longest. One that is too short for a trigram is in many cards, but few
    have two.
    """
    found = [word for word in words if len(words) == 1 or not _is_common(word)]
    return found[: 2 if found and len(found[0]) < TRIGRAM else 1]


def _is_common(word: str) -> bool:
    return len(word) < TRIGRAM and word.isascii()  # of other scripts two letters may be a word


def _anywhere(words: Sequence[str], query: str, reader: Reader) -> Statement:
    """Return the statement of the cards that have all of these words in their own text, or one of them in a part: a union of sets,
    each of which is read by its own index.
    """
    own = combined(" AND ", [*(contains("search_text", word) for word in words), signs_in("search_text", *words)])
    spellings = [spelling for word in words for spelling in spellings_of(word, query)]
    parts = [(model, part_with(field, spellings, by_index=True)) for _kind, model, field in PARTS]
    sets = [_among(reader, "id", Card, own), *(_among(reader, "card_id", model, texts) for model, texts in parts)]
    return combined(" UNION ALL ", sets)


def _among(reader: Reader, key: str, model: Any, texts: Statement) -> Statement:
    """Return the statement of the cards that have these texts, on the reader's boards."""
    own = board_ids(reader)
    cards = f"SELECT {key} FROM {table(model)} WHERE {texts.sql} AND board_id IN ({own.sql})"  # noqa: S608 (own names)
    return Statement(cards, [*texts.params, *own.params])


def _all_near(words: Iterable[str], query: str) -> Statement:
    return combined(" AND ", [_near(word, query) for word in words])


def _near(word: str, query: str) -> Statement:
    """Return the condition that a card has the word itself or in one of its parts, for few cards.

    PostgreSQL plans an EXISTS of one table in two ways, but a union in one.
    """
    parts, spellings = [], spellings_of(word, query)
    for _kind, model, field in PARTS:
        found = part_with(field, spellings)
        of_card = f"SELECT 1 FROM {table(model)} part WHERE part.card_id = this.id AND {found.sql}"  # noqa: S608 (own names)
        parts.append(Statement(of_card, found.params))
    exists, params = combined(" UNION ALL ", parts)
    own = text_with([word])
    return Statement(f"({own.sql} OR EXISTS ({exists}))", [*own.params, *params])


def part_with(field: str, spellings: Iterable[str], *, by_index: bool = False) -> Statement:
    """Return the condition that a part has a word, given in its spellings, as people wrote it, in any case.

    It is SQL, as the ORM takes longer to build it for each kind of parts than they take to read.
    """
    ways = []
    for spelling in spellings:
        has_case = not are_signs(spelling) or len(spelling) >= TRIGRAM  # an index has longer words in upper case
        index = [signs_in(field, spelling)] if by_index else []
        ways.append(combined(" AND ", [contains(field, spelling, any_case=has_case), *index]))
    any_of, params = combined(" OR ", ways)
    return Statement(f"({any_of})", params)


def kinds_with_words(cards: Iterable[Card], query: str) -> dict[UUID, list[str]]:
    """Return in which parts of a card those words are that its title and description lack, for the cards that lack any.

    This takes one statement, or none where no card lacks a word.
    """
    if number_in(query):
        return {}
    words = words_in(query)
    lacking = {
        card.pk: missing for card in cards if (missing := {word for word in words if word not in card.search_text})
    }
    if not lacking:
        return {}
    found: dict[UUID, dict[str, None]] = {pk: {} for pk in lacking}
    rows = _where(lacking, query)
    for pk, kind, word in rows:
        if word in lacking[pk]:
            found[pk][kind] = None
    return {pk: list(kinds) for pk, kinds in found.items()}


def _where(lacking: Mapping[UUID, Collection[str]], query: str) -> Iterable[tuple[UUID, str, str]]:
    """Return (card, kind, word) for each kind of parts in which a card has the word."""
    words, cards = sorted(set().union(*lacking.values())), sql.keys(lacking)
    parts, spellings = [], [spellings_of(word, query) for word in words]
    for kind, model, field in PARTS:
        for place, each in enumerate(spellings):
            found = part_with(field, each)
            ids = ", ".join(["%s"] * len(cards))
            rows = f"SELECT card_id, '{kind}', {place} FROM {table(model)} WHERE card_id IN ({ids}) AND {found.sql}"  # noqa: S608 (own names)
            parts.append(Statement(rows, [*cards, *found.params]))
    found_in = [(sql.key_in(pk), kind, words[place]) for pk, kind, place in sql.rows(*combined(" UNION ", parts))]
    return sorted(found_in, key=lambda row: (COMMENT, CHECKLIST, FILE).index(row[1]))


def spellings_of(word: str, query: str) -> list[str]:
    """Return the ways to write a folded word that the database must be asked for: these texts are not stored folded.

    SQLite knows upper and lower case of ASCII alone.
    """
    spellings = {word, *(sent for sent in split_words(query) if fold(sent) == word)}
    if connection.vendor == "sqlite":
        spellings |= {way for one in spellings if not one.isascii() for way in (one.upper(), one.capitalize())}
    return sorted(spellings)
