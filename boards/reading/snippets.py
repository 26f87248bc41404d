"""Find the words of a search in a card, and the sentence around them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from boards.models import Attachment, Card, Checklist, ChecklistItem, Comment
from boards.reading.marks import sentence_with
from boards.reading.search_parts import CHECKLIST, COMMENT, FILE, part_with, spellings_of
from boards.reading.search_words import number_in, words_in
from boards.richtext import to_plain
from core import sql
from core.sql import Statement, table

DESCRIPTION = "description"


class Snippet(NamedTuple):
    """The sentence around a word; `kind` says in which part of the card, "" where it is none of these.

    `name` is the author of a comment, and `at` when it was written.
    """

    kind: str
    text: str
    name: str = ""
    at: datetime | None = None


class Parts(NamedTuple):
    """Of each kind of a card's parts the one that has most of the words, if any has one."""

    comment: Comment | None
    item: str | None
    checklist: str | None
    file: str | None

    def snippet(self, words: Collection[str]) -> Snippet | None:
        """Return the sentence of the first one that has one of these words."""
        if self.comment and (sentence := _sentence_of(self.comment, words)):
            return Snippet(COMMENT, sentence, self.comment.author.display_name, self.comment.created_at)
        for kind, text in ((CHECKLIST, self.item), (CHECKLIST, self.checklist), (FILE, self.file)):
            if text is not None and (sentence := sentence_with(text, words)):
                return Snippet(kind, sentence)
        return None


def marked_words(query: str) -> list[str]:
    """Return the folded words that are marked where they are found. A number is none."""
    return [] if number_in(query) else words_in(query)


def snippets_of(cards: Sequence[Card], query: str) -> dict[UUID, Snippet]:
    """Return the snippet of each of these found cards: two statements, or none where no card lacks a word itself.

    It prefers what the title and description lack, as people ask why a card was found.
    """
    words = marked_words(query)
    elsewhere = snippets_of_parts(cards, query)
    return {card.pk: elsewhere.get(card.pk) or _snippet(card, words) for card in cards}


def snippets_of_parts(cards: Sequence[Card], query: str) -> dict[UUID, Snippet]:
    """Return the snippets of those cards that lack a word themselves, from what hangs on them: two statements, or none."""
    words = marked_words(query)
    lacking = {card.pk: missing for card in cards if (missing := [one for one in words if one not in card.search_text])}
    parts = _parts([*lacking], sorted(set().union(*lacking.values())), query) if lacking else {}
    return {pk: found for pk, one in parts.items() if (found := one.snippet(lacking[pk]))}


def _snippet(card: Card, words: Collection[str]) -> Snippet:
    if sentence := sentence_with(to_plain(card.description), words):
        return Snippet(DESCRIPTION, sentence)
    return Snippet("", card.excerpt)


def _sentence_of(comment: Comment, words: Collection[str]) -> str:
    """Return the sentence of the text, or of its Markdown where only that has the word, as in the address of a link."""
    text = to_plain(comment.document) if comment.document else comment.body
    return sentence_with(text, words) or sentence_with(comment.body, words)


def _parts(card_ids: Sequence[UUID], words: Sequence[str], query: str) -> Mapping[UUID, Parts]:
    spellings = [spellings_of(word, query) for word in words]
    columns = [
        _best(Comment, "body", spellings, "id"),
        _best(ChecklistItem, "text", spellings),
        _best(Checklist, "title", spellings),
        _best(Attachment, "file_name", spellings),
    ]
    found = ", ".join(column.sql for column in columns)
    statement = (
        f"SELECT this.id, {found} FROM {table(Card)} this WHERE this.id IN ({', '.join(['%s'] * len(card_ids))})"  # noqa: S608 (own names)
    )
    params = [value for column in columns for value in column.params]
    rows = [
        (sql.key_in(pk), sql.key_in(comment), *texts)
        for pk, comment, *texts in sql.rows(statement, [*params, *sql.keys(card_ids)])
    ]
    comments = (
        Comment.objects.select_related("author").defer("html").in_bulk({comment for _pk, comment, *_texts in rows})
    )
    return {pk: Parts(comments.get(comment), *texts) for pk, comment, *texts in rows}


def _best(model: Any, field: str, words: Iterable[Collection[str]], wanted: str = "") -> Statement:
    """Return SQL of what is wanted, or the field itself, of the part of the outer card that has most of the words, each given in
    its spellings; of several such ones the newest.
    """
    has = [part_with(field, spellings) for spellings in words]
    any_of = " OR ".join(one.sql for one in has)
    number = " + ".join(f"CASE WHEN {one.sql} THEN 1 ELSE 0 END" for one in has)
    best = (
        f"(SELECT part.{wanted or field} FROM {table(model)} part WHERE part.card_id = this.id AND ({any_of})"  # noqa: S608 (own names)
        f" ORDER BY {number} DESC, part.id DESC LIMIT 1)"
    )
    return Statement(best, [value for one in has * 2 for value in one.params])
