"""The endpoints of REST API v1."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from accounts.tokens import revoke_token
from apiv1 import serializers as shapes
from apiv1.base import ApiView, answer
from apiv1.bodies import has_body, read_json_object
from apiv1.schema import errors, idempotency_key
from boards.access import why_no_card
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.dates import Due, parse_due_date
from boards.errors import NotAllowed, NotFound
from boards.reading.boards import BoardEntry, ListEntry, boards_with_lists
from core.ids import parse_id
from security.events import log_event
from security.models import EventKind


class MeView(ApiView):
    counted_as = {"GET": "me"}
    ignores_unknown = True

    @extend_schema(
        operation_id="me",
        summary="Get the owner of the token",
        responses={200: OpenApiResponse(shapes.MeAnswer, "The owner of the token."), **errors(401, 429)},
    )
    def get(self, request: Request) -> HttpResponse:
        """The owner of the token; use it to check a token."""
        return answer({"user": shapes.user_out(self.owner)})


class BoardsView(ApiView):
    counted_as = {"GET": "boards-read", "POST": "boards"}
    ignores_unknown = True

    @extend_schema(
        operation_id="listBoards",
        summary="Get all boards you can access, with their lists in display order",
        responses={200: OpenApiResponse(shapes.BoardsAnswer, "The boards."), **errors(401, 429)},
    )
    def get(self, request: Request) -> HttpResponse:
        """Oldest board first; archived boards and lists are left out. Use it to learn the ids of lists."""
        return answer({"boards": [shapes.board_out(board) for board in boards_with_lists(self.reader)]})

    @extend_schema(
        operation_id="createBoard",
        summary="Create a board, empty or from a template",
        request=shapes.BoardIn,
        parameters=[idempotency_key],
        responses={
            201: OpenApiResponse(shapes.BoardAnswer, "The board was created."),
            **errors(400, 401, 403, 409, 411, 413, 415, 422, 429),
        },
    )
    def post(self, request: Request) -> HttpResponse:
        """The board belongs to the owner of the token and counts against the limit of their plan."""
        data = self.validated(shapes.BoardIn)
        return self.created(lambda: {"board": self.create(data)})

    def create(self, data: dict[str, Any]) -> dict[str, Any]:
        board = create_board(actor=self.actor, **data)
        lists = [ListEntry(*row) for row in board.lists.values_list("id", "title")]
        return shapes.board_out(BoardEntry(board.pk, board.title, lists)) | {"url": board.get_absolute_url()}


class CardsView(ApiView):
    counted_as = {"POST": "cards"}
    ignores_unknown = True

    @extend_schema(
        operation_id="createCard",
        summary="Create a card at the end of a list",
        request=shapes.CardIn,
        parameters=[idempotency_key],
        responses={
            201: OpenApiResponse(shapes.CardAnswer, "The card was created."),
            **errors(400, 401, 403, 404, 409, 411, 413, 415, 422, 429),
        },
    )
    def post(self, request: Request) -> HttpResponse:
        """The card appears on open boards right away. The owner of the token must be an editor or the owner of the board."""
        data = self.validated(shapes.CardIn)
        due = None if data["dueDate"] is None else parse_due_date(data["dueDate"], self.owner.zone)
        return self.created(lambda: {"card": self.create(data, due)})

    def create(self, data: dict[str, Any], due: Due | None) -> dict[str, Any]:
        list_id, board_id = parse_id(data["listId"]), parse_id(data["boardId"])
        try:
            card = create_card(
                actor=self.actor,
                list_id=list_id,
                board_id=board_id,
                title=data["title"],
                description=data["description"],
                due_at=due and due.at,
                due_day=due and due.day,
                start_day=data["startDate"],
            )
        except (NotFound, NotAllowed):  # the reason is looked up only for a refused card: docs/decisions/api.md
            raise why_no_card(list_id=list_id, board_id=board_id) from None
        return shapes.card_out(card, data["dueDate"])


class TokenView(ApiView):
    counted_as = {"DELETE": "token"}

    @extend_schema(
        operation_id="revokeToken",
        summary="Revoke the token of the request",
        responses={204: OpenApiResponse(None, "The token is revoked."), **errors(400, 401, 411, 413, 415, 429)},
    )
    def delete(self, request: Request) -> HttpResponse:
        """The token stops working immediately. This is how a client signs out. It takes no fields."""
        self.check_names(read_json_object(request._request) if has_body(request._request) else ())
        if revoke_token(self.token):
            log_event(EventKind.TOKEN_REVOKED, request._request, user=self.token.user, name=self.token.name)
        return HttpResponse(status=204)
