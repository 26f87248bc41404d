"""Collections of cards, and the calls that make cards."""

from collections.abc import Container
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from apiv1.base import ApiView
from apiv1.bodies import read_json_object
from apiv1.cards import shapes
from apiv1.cards.filters import FILTERS, WORDS, wanted_cards
from apiv1.errors import first_message
from apiv1.fields import NEEDS_DATE
from apiv1.paging import page_of
from apiv1.schema import call, errors, idempotency_key, refusal
from boards.access import not_found, why_no_card
from boards.actions.cards.card import Placed, create_card, create_cards_on, draft_card
from boards.actions.cards.dates import require_order
from boards.actions.ordering import BOTTOM
from boards.dates import Due, parse_due_date
from boards.errors import Conflict, Invalid, NoNeighbour, NotAllowed, NotFound, NotOfBoard
from boards.models import List
from boards.reading.card_pages import read_page
from boards.reading.card_rows import card_rows
from boards.reading.reach import visible_board
from boards.reading.whole_board import list_with_count
from core.ids import parse_id

NAMES = tuple(parameter.name for parameter in FILTERS)
MOST = 100
NOT_NOW = "The neighbor in place is not there any more, or a request with this Idempotency-Key is still running."
ONE_BOARD = "all cards of a batch go to one board."


class CardsBase(ApiView):
    repeatable = tuple(parameter.name for parameter in FILTERS if parameter.many)

    def page(self, sort: str, *, board_id: UUID | None = None, list_id: UUID | None = None) -> HttpResponse:
        request = self.request._request
        wanted = wanted_cards(request.GET, self.owner, sort, board_id=board_id, list_id=list_id)
        page = page_of(request)
        found = read_page(self.reader, wanted.filters, wanted.order, page.limit, page.after)
        if not found.cards and board_id:  # otherwise it is known to be there
            visible_board(board_id, self.reader)
        if not found.cards and list_id:
            list_with_count(list_id, self.reader)
        return self.paged({"cards": [shapes.row_out(card) for card in found.cards]}, found.place)


class CardsView(CardsBase):
    counted_as = {"POST": "cards", "GET": "read"}
    ignores_unknown: Container[str] = ("POST",)
    parameters = ("q", *NAMES)

    @call(
        "searchCards",
        "Search the cards of all boards",
        shapes.CardPageAnswer,
        says="A page of cards.",
        parameters=(WORDS, *FILTERS),
    )
    def get(self, request: Request) -> HttpResponse:
        """By words and filters, by due date when `sort` is left out. Boards that are archived are left out."""
        return self.page("due")

    @extend_schema(
        operation_id="createCard",
        summary="Create a card at the end of a list",
        request=shapes.CardIn,
        parameters=[idempotency_key],
        responses={
            201: OpenApiResponse(shapes.NewCardAnswer, "The card was created."),
            **errors(400, 401, 403, 404, 411, 413, 415, 422, 429),
            409: refusal(NOT_NOW),
        },
    )
    def post(self, request: Request) -> HttpResponse:
        """The card appears on open boards right away. The owner of the token must be an editor or the owner of the board."""
        data = self.validated(shapes.CardIn)
        due = self.due(data)
        return self.created(lambda: {"card": self.create(data, due)})

    def due(self, data: dict[str, Any]) -> Due | None:
        due = None if data["dueDate"] is None else parse_due_date(data["dueDate"], self.owner.zone)
        if due is None and "recurrence" in data:
            raise Invalid(NEEDS_DATE, "recurrence")
        return due

    def create(self, data: dict[str, Any], due: Due | None) -> dict[str, Any]:
        list_id, board_id = parse_id(data["listId"]), parse_id(data["boardId"])
        try:
            card = create_card(
                actor=self.actor,
                list_id=list_id,
                board_id=board_id,
                place=data.get("place", BOTTOM),
                **fields_of(data, due),
            )
        except (NoNeighbour, NotOfBoard):
            raise
        except (NotFound, NotAllowed):  # the reason is looked up only for a refused card: docs/decisions/api.md
            raise why_no_card(actor=self.actor, list_id=list_id, board_id=board_id) from None
        return shapes.new_card_out(card, data["dueDate"])


def known(text: str) -> UUID:
    """Return the id in a path. Raises NotFound for what cannot be one."""
    found = parse_id(text)
    if found is None:
        raise not_found()
    return found


def fields_of(data: dict[str, Any], due: Due | None) -> dict[str, Any]:
    """Return the fields of a new card as the actions take them."""
    return {
        "title": data["title"],
        "description": data["description"],
        "due_at": due and due.at,
        "due_day": due and due.day,
        "start_day": data["startDate"],
        "recurrence": data.get("recurrence"),
        "label_ids": data.get("labelIds", ()),
        "assignee_ids": data.get("assigneeIds", ()),
        "cover_hue": data.get("coverColor"),
    }


class CardBatchView(CardsView):
    counted_as = {"POST": "batch"}
    ignores_unknown = ()
    http_method_names = ["post"]

    @call(
        "createCards",
        "Create up to 100 cards of one board",
        shapes.CardsAnswer,
        status=201,
        says="The cards, in the order in which they were sent.",
        takes=shapes.CardsIn,
        key=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """All or none. An error names the card at fault by its place in the list, from 0 on."""
        data = read_json_object(request._request)
        self.check_names(data, ["cards"])
        sent = data.get("cards")
        if not isinstance(sent, list) or not 1 <= len(sent) <= MOST:
            raise Invalid(f"cards must be a list of 1 to {MOST} cards.", "cards")
        cards = [self.checked(place, one) for place, one in enumerate(sent)]
        return self.created(lambda: {"cards": self.make(cards)})

    def checked(self, place: int, sent: Any) -> dict[str, Any]:
        """Return the checked fields of one card. Raises Invalid, which names its place."""
        try:
            if not isinstance(sent, dict):
                raise Invalid("each card is a JSON object.")
            data = self.valid(shapes.CardIn, {name: value for name, value in sent.items() if value is not None})
            due = self.due(data)
            require_order(data["startDate"], due, self.owner.zone)
            draft = draft_card(**fields_of(data, due))
        except ValidationError as error:
            raise Invalid(f"cards[{place}]: {first_message(error.detail)}", "cards") from None
        except Invalid as error:
            raise Invalid(f"cards[{place}]: {error.message}", "cards") from None
        return {"draft": draft, "place": data.get("place", BOTTOM), "list": data["listId"], "board": data["boardId"]}

    def make(self, cards: list[dict[str, Any]]) -> list[dict[str, Any]]:
        lists = [parse_id(one["list"]) for one in cards]
        board_id = self.board_of(cards, lists)
        placed = [Placed(one["draft"], list_id, one["place"]) for one, list_id in zip(cards, lists, strict=True)]
        try:
            made = create_cards_on(actor=self.actor, board_id=board_id, cards=placed)
        except NotOfBoard as error:
            named = (error.ids & {*one.draft.label_ids, *one.draft.assignee_ids} for one in placed)
            at, ids = next((place, found) for place, found in enumerate(named) if found)
            reason = NotOfBoard(error.message, ids).reason or error.message
            raise NotFound(f"cards[{at}]: {reason}") from None
        except NoNeighbour as error:
            raise Conflict(f"cards[{error.index}]: {error.reason}") from None
        return [shapes.row_out(card) for card in card_rows([card.pk for card in made])]

    def board_of(self, cards: list[dict[str, Any]], lists: list[UUID | None]) -> UUID | None:
        """Return the one board of all cards, which go to these lists. Raises Invalid, and NotFound for a list or board
        that is not there.
        """
        seen = List.objects.visible_to(self.reader).filter(pk__in={pk for pk in lists if pk})
        boards: dict[UUID | None, UUID] = dict(seen.open().values_list("pk", "board_id"))
        found = None
        for place, (one, list_id) in enumerate(zip(cards, lists, strict=True)):
            home = parse_id(one["board"]) if one["list"] is None else boards.get(list_id)
            if home is None:
                raise NotFound(f"cards[{place}]: {not_found().message}")
            if found not in (None, home):
                raise Invalid(f"cards[{place}]: {ONE_BOARD}", "cards")
            found = home
        if not boards:  # otherwise the reader sees the board of a list
            visible_board(found, self.reader)
        return found


class BoardCardsView(CardsBase):
    counted_as = {"GET": "read"}
    parameters = NAMES

    @call(
        "listBoardCards",
        "Get the cards of a board",
        shapes.CardPageAnswer,
        says="A page of cards.",
        parameters=FILTERS,
    )
    def get(self, request: Request, board_id: str) -> HttpResponse:
        """In display order when `sort` is left out. Archived cards are left out unless `status` asks for them."""
        return self.page("board", board_id=known(board_id))


class ListCardsView(CardsBase):
    counted_as = {"GET": "read"}
    parameters = NAMES

    @call(
        "listListCards",
        "Get the cards of a list",
        shapes.CardPageAnswer,
        says="A page of cards.",
        parameters=FILTERS,
    )
    def get(self, request: Request, list_id: str) -> HttpResponse:
        """In display order when `sort` is left out. The cards of an archived list count as archived."""
        return self.page("board", list_id=known(list_id))
