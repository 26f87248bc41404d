"""Read the search page: cards with where the words are in them, and boards and people by their names."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from boards.access import acquaintances
from boards.models import Board, Card, Label
from boards.reader import Reader
from boards.reading.acquaintances import by_name
from boards.reading.jump import WORDS, Thing, best, open_boards
from boards.reading.search import Filters, search_cards
from boards.reading.search_words import number_in
from boards.reading.snippets import Snippet, snippets_of

if TYPE_CHECKING:
    from accounts.models import User

LABELS = 300  # names that are offered


class Hit(NamedTuple):
    card: Card  # from `cards_with_names`
    board: Board
    snippet: Snippet


class Hits(NamedTuple):
    hits: list[Hit]
    more: bool


def search_hits(reader: Reader, filters: Filters, *, limit: int, after: str | None = None) -> Hits:
    """Return what `search_cards` does, with boards and snippets: five statements, or three where no card lacks a word."""
    found = search_cards(reader, filters, limit=limit, after=after)
    boards = Board.objects.only("title", "hue").in_bulk({card.board_id for card in found.cards})
    snippets = snippets_of(found.cards, filters.query)
    return Hits([Hit(card, boards[card.board_id], snippets[card.pk]) for card in found.cards], found.more)


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
    return Known(list(open_boards(reader)), list(by_name(acquaintances(reader))))


def label_names(reader: Reader) -> list[str]:
    """Return the names of the labels on the reader's open boards, each once: one statement."""
    labels = Label.objects.filter(reader.membership("board__memberships__"), board__archived_at=None)
    return list(labels.order_by("name").values_list("name", flat=True).distinct()[:LABELS])


def _with_words(query: str, things: Iterable[tuple[str, Thing]]) -> list[Thing]:
    return best(query, things, WORDS) if query.strip() and not number_in(query) else []
