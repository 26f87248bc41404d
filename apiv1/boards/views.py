"""Boards."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from apiv1.base import FIRST_VERSION, ApiView, answer
from apiv1.boards import shapes
from apiv1.schema import call, errors, idempotency_key, query
from boards.actions.boards.board import archive_board, create_board, delete_board, restore_board, update_board
from boards.actions.boards.copies import copy_board
from boards.reading.boards import BoardEntry, ListEntry, archived_boards_with_lists, boards_with_lists
from boards.reading.whole_board import whole_board
from core.ids import parse_id


class BoardsView(ApiView):
    counted_as = {"GET": "boards-read", "POST": "boards"}
    ignores_unknown = FIRST_VERSION
    parameters = ("archived",)

    @extend_schema(
        operation_id="listBoards",
        summary="Get all boards you can access, with their lists in display order",
        parameters=[query("archived", "true for the archived boards instead.", bool)],
        responses={200: OpenApiResponse(shapes.BoardsAnswer, "The boards."), **errors(400, 401, 429)},
    )
    def get(self, request: Request) -> HttpResponse:
        """Oldest board first; archived boards and lists are left out. Use it to learn the ids of lists."""
        read = archived_boards_with_lists if "archived" in request.GET and self.flag("archived") else boards_with_lists
        return answer({"boards": [shapes.entry_out(board) for board in read(self.reader)]})

    @extend_schema(
        operation_id="createBoard",
        summary="Create a board, empty or from a template",
        request=shapes.BoardIn,
        parameters=[idempotency_key],
        responses={
            201: OpenApiResponse(shapes.NewBoardAnswer, "The board was created."),
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
        return shapes.entry_out(BoardEntry(board.pk, board.title, lists)) | {"url": board.get_absolute_url()}


class BoardView(ApiView):
    counted_as = {"GET": "read", "PATCH": "write", "DELETE": "write"}
    has_version = True

    @call(
        "getBoard",
        "Get a board with its lists, labels and members",
        shapes.BoardAnswer,
        says="The board.",
        match=True,
    )
    def get(self, request: Request, board_id: str) -> HttpResponse:
        """An archived one too. The cards are a collection of their own."""
        found = whole_board(parse_id(board_id), self.reader)
        return self.found({"board": shapes.board_out(found)}, found.board.own_version)

    @call(
        "updateBoard",
        "Rename or recolor a board",
        shapes.BoardAnswer,
        says="The board as it is now.",
        takes=shapes.BoardChange,
        match=True,
    )
    def patch(self, request: Request, board_id: str) -> HttpResponse:
        """Fields that are missing stay."""
        data, pk = self.patched(shapes.BoardChange), parse_id(board_id)
        update_board(actor=self.actor_expecting(pk), board_id=pk, title=data.get("title"), hue=data.get("color"))
        return self.shown(pk)

    @call("deleteBoard", "Delete an archived board for good", status=204, says="It is gone.", match=True)
    def delete(self, request: Request, board_id: str) -> HttpResponse:
        """Only its owner may. Archive the board first."""
        self.take_no_fields()
        pk = parse_id(board_id)
        delete_board(actor=self.actor_expecting(pk), board_id=pk, only_archived=True)
        return HttpResponse(status=204)

    def shown(self, board_id: UUID | None) -> HttpResponse:
        found = whole_board(board_id, self.reader)
        return self.changed({"board": shapes.board_out(found)}, found.board.own_version)


class BoardArchiveView(BoardView):
    counted_as = {"POST": "write"}
    http_method_names = ["post"]

    @call("archiveBoard", "Archive a board", shapes.BoardAnswer, says="The archived board.", match=True)
    def post(self, request: Request, board_id: str) -> HttpResponse:
        """Only its owner may. Its invitations and its public link end."""
        self.take_no_fields()
        pk = parse_id(board_id)
        archive_board(actor=self.actor_expecting(pk), board_id=pk)
        return self.shown(pk)


class BoardRestoreView(BoardView):
    counted_as = {"POST": "write"}
    http_method_names = ["post"]

    @call("restoreBoard", "Restore an archived board", shapes.BoardAnswer, says="The restored board.", match=True)
    def post(self, request: Request, board_id: str) -> HttpResponse:
        """Only its owner may. The board counts against the limit of their plan again."""
        self.take_no_fields()
        pk = parse_id(board_id)
        restore_board(actor=self.actor_expecting(pk), board_id=pk)
        return self.shown(pk)


class BoardCopyView(ApiView):
    counted_as = {"POST": "boards"}

    @call(
        "copyBoard",
        "Copy a board",
        shapes.BoardAnswer,
        status=201,
        says="The copy.",
        takes=shapes.BoardCopy,
        key=True,
    )
    def post(self, request: Request, board_id: str) -> HttpResponse:
        """Its lists and labels, and with `cards` the open cards. The copy belongs to the owner of the token."""
        data = self.validated(shapes.BoardCopy)
        return self.created_version(lambda: self.copy(parse_id(board_id), data))

    def copy(self, board_id: UUID | None, data: dict[str, Any]) -> dict[str, Any]:
        with_cards = data.get("cards", False)
        board = copy_board(actor=self.actor, board_id=board_id, title=data["title"], with_cards=with_cards)
        return {"board": shapes.board_out(whole_board(board.pk, self.reader))}
