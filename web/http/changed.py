"""Show changed cards in an answer. With a filter on the page that asks, those that it does not keep leave the page."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.http import QueryDict
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from boards.errors import DomainError
from boards.models import Board
from boards.reader import MEMBERS, Reader
from boards.reading.columns import count_cards
from boards.reading.filters import BoardFilter, condition, filter_in, kept_cards
from boards.reading.reach import visible_board
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.changes import changed_and_removed, totals_of
from web.http.answers import removed, toast, total_of


class Filtered:
    """The filter of the page that a request comes from: the header `X-Filter: <board> <query of the filter>`."""

    def __init__(self, request: SignedInRequest) -> None:
        self.user = request.user
        board, _space, query = request.headers.get("X-Filter", "").partition(" ")
        self._board_id, self._query = parse_id(board), query

    @cached_property
    def board(self) -> Board | None:
        """The board of the page, if the reader can see it and it is filtered."""
        try:
            return visible_board(self._board_id, Reader(self.user))[0] if self._board_id and self.wanted else None
        except DomainError:
            return None

    @cached_property
    def wanted(self) -> BoardFilter:
        try:
            return filter_in(QueryDict(self._query))
        except DomainError:
            return BoardFilter()

    def left_out(self, card_ids: Collection[UUID]) -> set[UUID]:
        """Return which of these cards the filter does not keep; none without a filter."""
        if not card_ids or self.board is None:
            return set()
        kept = kept_cards(self.board, self.wanted, self.user).filter(pk__in=card_ids)
        return {*card_ids} - {*kept.values_list("pk", flat=True)}

    def totals(self, list_ids: Collection[UUID]) -> list[SafeString]:
        if self.board is None:
            return []
        matching = count_cards(list_ids, condition(self.board, self.wanted, self.user))
        return [total_of(pk, matching[pk], every) for pk, every in count_cards(list_ids).items()]


def filtered(request: SignedInRequest) -> Filtered:
    """Return the filter of the page, the same for the whole request."""
    found: Filtered = vars(request).setdefault("_filtered", Filtered(request))
    return found


def followed(request: SignedInRequest, card_ids: Iterable[UUID], list_ids: Iterable[UUID]) -> list[SafeString]:
    """Return what follows the tiles of these cards where the page has a filter: what leaves it, and the lists' totals."""
    found, shown = filtered(request), list(dict.fromkeys(card_ids))
    if found.board is None:
        return []
    gone = found.left_out(shown)
    parts = [format_html('<template data-left-out="card-{}"></template>', pk) for pk in shown if pk in gone]
    return [*parts, *found.totals({*list_ids}), *([toast(_words(len(gone)))] if gone else [])]


def _words(number: int) -> str:
    text = ngettext(
        "The card doesn't match the filter and is hidden.",
        "%(number)s cards don't match the filter and are hidden.",
        number,
    )
    return text % {"number": number}


def fragments_since(request: SignedInRequest, board: Board, version: int) -> list[SafeString]:
    """Return what changed on the board since that version, to be placed and removed.

    Returns [] if that is more than an answer should hold. The live updates then tell the page to read its lists anew.
    """
    found = changed_and_removed(board.pk, version, board.last_card_number, MEMBERS)
    if found is None:
        return []
    parts = [
        *(SafeString(one["html"]) for one in found.changed),
        *(removed(one["kind"], one["id"]) for one in found.removed),
    ]
    if filtered(request).board is not None:
        cards = [UUID(one["id"]) for one in found.changed if one["kind"] == "card"]
        return [*parts, *followed(request, cards, found.lists)]
    return [*parts, *(total_of(list_id, total) for list_id, total in found.totals.items())]


def totals(request: SignedInRequest, board: Board, *list_ids: UUID) -> list[SafeString]:
    """Tell pages with a filter, and those of a board with many cards, how many these lists have now."""
    found = filtered(request)
    if found.board is not None:
        return found.totals({*list_ids})
    return [total_of(list_id, total) for list_id, total in totals_of({*list_ids}, board.last_card_number).items()]
