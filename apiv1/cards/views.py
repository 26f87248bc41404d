"""Cards."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from apiv1.base import ApiView
from apiv1.cards import shapes
from apiv1.schema import errors, idempotency_key
from boards.access import why_no_card
from boards.actions.cards.card import create_card
from boards.dates import Due, parse_due_date
from boards.errors import NotAllowed, NotFound
from core.ids import parse_id


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
            raise why_no_card(actor=self.actor, list_id=list_id, board_id=board_id) from None
        return shapes.card_out(card, data["dueDate"])
