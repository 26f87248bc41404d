"""Boards."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from apiv1.base import ApiView, answer
from apiv1.boards import shapes
from apiv1.schema import errors, idempotency_key
from boards.actions.boards.board import create_board
from boards.reading.boards import BoardEntry, ListEntry, boards_with_lists


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
