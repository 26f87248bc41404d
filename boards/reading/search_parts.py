"""Words in what hangs on cards: comments, checklists and names of files (docs/decisions/search.md)."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, Q, QuerySet, Value
from django.db.models.expressions import RawSQL

from boards.models import Attachment, Card, Checklist, ChecklistItem, Comment, Membership
from boards.reader import Reader
from boards.reading.search_index import TRIGRAM, cards_with_the_rarest, signs_of
from boards.reading.search_words import number_in, split_words, words_in
from core.sql import is_postgresql, table
from core.text.folding import fold

COMMENT, CHECKLIST, FILE = "comment", "checklist", "file"
PARTS: tuple[tuple[str, Any, str], ...] = (
    (COMMENT, Comment, "body"),
    (CHECKLIST, Checklist, "title"),
    (CHECKLIST, ChecklistItem, "text"),
    (FILE, Attachment, "file_name"),
)


def words_anywhere(reader: Reader, query: str) -> Q:
    """Return the condition that a card has the number that the query is, or else all of its words, somewhere.

    Cards with one word are found by indexes, and these are asked for the others.
    """
    if number := number_in(query):
        return Q(number=number)
    words = words_in(query)
    if among := cards_with_the_rarest(_spellings(word, query) for word in words):
        return among & words_nearby(query)
    if indexed := [word for word in words if not _is_common(word)]:
        boards = Membership.objects.filter(reader.membership()).values("board")
        return _anywhere(indexed, query, boards) & words_nearby(query)
    return words_nearby(query)


def words_nearby(query: str) -> Q:
    """Return the same condition for few cards, of which each is asked for all of its texts."""
    if number := number_in(query):
        return Q(number=number)
    found = Q()
    for word in words_in(query):
        found &= _near(word, query)
    return found


def _is_common(word: str) -> bool:
    return len(word) < TRIGRAM and word.isascii()  # of other scripts two letters may be a word


def _anywhere(words: Sequence[str], query: str, boards: "QuerySet[Any, Any]") -> Q:
    """Return the condition that a card is in a set made of one for each place, so that each is read by its own index.

    The first word is looked for. Words too short for a trigram are in many cards, but few have two: a card has both in its own
    text, or one of them in a part.
    """
    asked = words[: 2 if len(words[0]) < TRIGRAM else 1]
    own = Q(board__in=boards)
    for word in asked:
        own &= signs_of("search_text", word) & Q(search_text__contains=word)
    cards: QuerySet[Any, Any] = Card.objects.filter(own).order_by()
    parts = (
        model.objects.filter(has_word(field, word, query, signs_of), board__in=boards).order_by().values("card")
        for word in asked
        for _kind, model, field in PARTS
    )
    return Q(pk__in=cards.values("pk").union(*parts, all=True))


def _near(word: str, query: str) -> Q:
    """Return the condition that a card has the word itself or in one of its parts, for few cards.

    The ORM takes longer to build a subquery for each kind of parts than they take. PostgreSQL plans an EXISTS of one table in two
    ways, but a union in one.
    """
    patterns = [f"%{_escaped(spelling)}%" for spelling in sorted(_spellings(word, query))]
    like = "UPPER(part.{0}) LIKE UPPER(%s)" if is_postgresql() else r"part.{0} LIKE %s ESCAPE '\'"
    any_of = " OR ".join([like] * len(patterns))
    parts = " UNION ALL ".join(
        f"SELECT 1 FROM {table(model)} part WHERE part.card_id = {table(Card)}.id AND ({any_of.format(field)})"  # noqa: S608 (own names)
        for _kind, model, field in PARTS
    )
    in_parts = RawSQL(f"EXISTS ({parts})", patterns * len(PARTS), output_field=BooleanField())  # noqa: S611 (own SQL)
    return Q(search_text__contains=word) | Q(in_parts)


def _escaped(word: str) -> str:
    """Return the word as LIKE finds it literally."""
    return re.sub(r"([\\%_])", r"\\\1", word)


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
    words = sorted(set().union(*lacking.values()))
    first, *others = (
        model.objects.filter(has_word(field, word, query), card__in=[*lacking])
        .order_by()
        .annotate(kind=Value(kind), word=Value(word))
        .values_list("card", "kind", "word")
        for kind, model, field in PARTS
        for word in words
    )
    found: Iterable[tuple[UUID, str, str]] = first.union(*others)
    return sorted(found, key=lambda row: (COMMENT, CHECKLIST, FILE).index(row[1]))


def has_word(field: str, word: str, query: str, index: Callable[[str, str], Q] = lambda field, word: Q()) -> Q:
    """Return the condition that a text as people wrote it has the word, in any case; `index` returns one for its index."""
    found = Q()
    for spelling in _spellings(word, query):
        found |= Q((f"{field}__icontains", spelling)) & index(field, spelling)
    return found


def _spellings(word: str, query: str) -> set[str]:
    """Return the ways to write a folded word that the database must be asked for: these texts are not stored folded.

    SQLite knows upper and lower case of ASCII alone.
    """
    spellings = {word, *(sent for sent in split_words(query) if fold(sent) == word)}
    if connection.vendor == "sqlite":
        spellings |= {way for one in spellings if not one.isascii() for way in (one.upper(), one.capitalize())}
    return spellings
