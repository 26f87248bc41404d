"""Read the search page: cards with where the words are in them, and boards and people by their names."""

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from boards.models import Board, Card, Label, Membership
from boards.reader import Reader
from boards.reading.acquaintances import first_acquaintances
from boards.reading.boards import open_boards
from boards.reading.cards import cards_with_faces
from boards.reading.jump import WORDS, Thing, begins, best
from boards.reading.search import count_few, look_up, still_matching
from boards.reading.search_filters import Filters
from boards.reading.search_words import number_in
from boards.reading.snippets import Snippet, snippets_of
from core import sql
from core.sql import table

if TYPE_CHECKING:
    from accounts.models import User

LABELS = 300  # names that are offered
MOST = 100  # matching cards that are counted


class Hit(NamedTuple):
    card: Card  # from `cards_with_faces`
    snippet: Snippet


class Number(NamedTuple):
    """How many cards match: `value`, or more than that."""

    value: int
    is_exact: bool

    def __str__(self) -> str:
        return f"{self.value}" if self.is_exact else f"{self.value}+"


class Hits(NamedTuple):
    hits: list[Hit]
    more: bool
    number: Number | None  # on the first page


def search_hits(reader: Reader, filters: Filters, *, limit: int, after: str | None = None) -> Hits:
    """Return the cards that `search_cards` does, with snippets and the number of all matching cards.

    Four statements, or two where no card lacks a word; and at most two that count.
    """
    most = MOST + 1 if after is None else limit + 1
    ids, are_all = look_up(reader, filters, limit=limit + 1, most=most, after=after)
    number = None
    if after is None:
        number = Number(len(ids), True) if are_all else _number_of(reader, filters, len(ids))
    hits = _hits(ids[:limit], filters)
    return Hits(hits, bool(hits) and len(ids) > limit, number)  # the last hit says where the next page begins


def hits_among(reader: Reader, filters: Filters, ids: Collection[UUID]) -> list[Hit]:
    """Return those of a few cards that still match and that the reader can still see: four statements, or two."""
    return _hits([*still_matching(reader, filters, ids)], filters) if ids else []


def _hits(ids: Sequence[UUID], filters: Filters) -> list[Hit]:
    found = cards_with_faces(ids)
    cards = [found[pk] for pk in ids if pk in found]
    snippets = snippets_of(cards, filters.query)
    return [Hit(card, snippets[card.pk]) for card in cards]


def _number_of(reader: Reader, filters: Filters, known: int) -> Number:
    """Count the cards of which `known` ones were found, perhaps not all, up to MOST and unless that takes too long."""
    number = None if known > MOST else count_few(reader, filters, most=MOST + 1)
    if number is None:
        return Number(known - 1, False)
    return Number(min(number, MOST), number <= MOST)


class Known(NamedTuple):
    """The open boards of a reader, and the people with whom they share one: two statements."""

    boards: "list[Board]"
    people: "list[User]"

    def boards_with(self, query: str) -> list[Board]:
        """Return the boards whose titles have all words, the best match first."""
        return _with_words(query, ((board.title, board) for board in self.boards))

    def people_with(self, query: str) -> "list[User]":
        """Return the people whose names have all words, the best match first. Addresses are not looked at."""
        return _with_words(query, ((user.display_name, user) for user in self.people))


def known_to(reader: Reader) -> Known:
    return Known(open_boards(reader), first_acquaintances(reader))


def card_leads(query: str, cards: Sequence[Card], boards: Sequence[Board]) -> bool:
    """Tell whether the first card comes before the boards. It does not if it is the only one, or if the first board's title begins
    with the query and its own does not.
    """
    return len(cards) > 1 and (begins(query, cards[0].title) or not boards or not begins(query, boards[0].title))


def label_names(reader: Reader) -> list[str]:
    """Return the names of the labels on the reader's open boards, each once: one statement."""
    mine, params = reader.membership_sql("mine")
    found = sql.rows(
        f"SELECT DISTINCT label.name FROM {table(Label)} label"  # noqa: S608 (own names)
        f" JOIN {table(Board)} board ON board.id = label.board_id AND board.archived_at IS NULL"
        f" JOIN {table(Membership)} mine ON mine.board_id = board.id AND {mine} ORDER BY label.name LIMIT {LABELS}",
        sql.keys(params),
    )
    return [name for (name,) in found]


def _with_words(query: str, things: Iterable[tuple[str, Thing]]) -> list[Thing]:
    return best(query, things, WORDS) if query.strip() and not number_in(query) else []
