"""Lists of a board."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from rest_framework.request import Request

from apiv1.base import ApiView, answer
from apiv1.lists import shapes
from apiv1.schema import call, query
from boards.actions.lists.list import (
    archive_list,
    create_list,
    delete_list,
    limit_list,
    move_list,
    rename_list,
    restore_list,
)
from boards.actions.unchanged import UNCHANGED
from boards.actor import Actor
from boards.errors import Conflict
from boards.models import List
from boards.reading.reach import visible_board
from boards.reading.whole_board import list_with_count, lists_of
from core.ids import parse_id

STAYS = "A list stays on its board. Move its cards to a list of the other board instead."


class BoardListsView(ApiView):
    counted_as = {"GET": "read", "POST": "write"}
    parameters = ("archived",)

    @call(
        "listLists",
        "Get the lists of a board in display order",
        shapes.ListsAnswer,
        says="The lists.",
        parameters=[query("archived", "true for the archived ones instead.", bool)],
    )
    def get(self, request: Request, board_id: str) -> HttpResponse:
        """Lists that are not archived, or those that are."""
        board, _role = visible_board(parse_id(board_id), self.reader)
        rows = lists_of(board.pk, archived=self.flag("archived"))
        return answer({"lists": [shapes.list_out(row) for row in rows]})

    @call(
        "createList",
        "Create a list",
        shapes.ListAnswer,
        status=201,
        says="The list was created.",
        takes=shapes.ListIn,
        key=True,
    )
    def post(self, request: Request, board_id: str) -> HttpResponse:
        """At the end of the board, or at `place`."""
        data = self.validated(shapes.ListIn)
        return self.created_version(lambda: self.create(parse_id(board_id), data))

    def create(self, board_id: UUID | None, data: dict[str, Any]) -> dict[str, Any]:
        card_limit = data.pop("cardLimit", None)
        return {"list": _shown(create_list(actor=self.actor, board_id=board_id, card_limit=card_limit, **data))}


class ListView(ApiView):
    counted_as = {"GET": "read", "PATCH": "write", "DELETE": "write"}
    has_version = True

    @call("getList", "Get a list", shapes.ListAnswer, says="The list.", match=True)
    def get(self, request: Request, list_id: str) -> HttpResponse:
        """An archived one too. Its cards have a path of their own."""
        found = list_with_count(parse_id(list_id), self.reader)
        return self.found({"list": shapes.list_out(found)}, found.version)

    @call(
        "updateList",
        "Rename, move or limit a list",
        shapes.ListAnswer,
        says="The list as it is now.",
        takes=shapes.ListChange,
        match=True,
    )
    def patch(self, request: Request, list_id: str) -> HttpResponse:
        """Fields that are missing stay; `null` as `cardLimit` takes the limit away."""
        data, pk = self.patched(shapes.ListChange), parse_id(list_id)
        found = list_with_count(pk, self.reader)
        with transaction.atomic():
            _update(self.actor_expecting(pk), found, data)
        row = list_with_count(pk, self.reader)
        return self.changed({"list": shapes.list_out(row)}, row.version)

    @call("deleteList", "Delete an archived list and its cards for good", status=204, says="It is gone.", match=True)
    def delete(self, request: Request, list_id: str) -> HttpResponse:
        """Only the owner of the board may. Archive the list first."""
        self.take_no_fields()
        pk = parse_id(list_id)
        delete_list(actor=self.actor_expecting(pk), list_id=pk)
        return HttpResponse(status=204)


class ListArchiveView(ApiView):
    counted_as = {"POST": "write"}
    has_version = True

    @call("archiveList", "Archive a list", shapes.ListAnswer, says="The archived list.", match=True)
    def post(self, request: Request, list_id: str) -> HttpResponse:
        """Its cards count as archived until the list is restored."""
        self.take_no_fields()
        return self.act(archive_list, list_id)

    def act(self, action: Any, list_id: str) -> HttpResponse:
        pk = parse_id(list_id)
        row = action(actor=self.actor_expecting(pk), list_id=pk)
        return self.changed({"list": _shown(row)}, row.version)


class ListRestoreView(ListArchiveView):
    @call("restoreList", "Restore an archived list", shapes.ListAnswer, says="The restored list.", match=True)
    def post(self, request: Request, list_id: str) -> HttpResponse:
        """Its cards come back with it."""
        self.take_no_fields()
        return self.act(restore_list, list_id)


def _update(actor: Actor, found: List, data: dict[str, Any]) -> None:
    pk = found.pk
    if data.get("boardId", found.board_id) != found.board_id:
        rename_list(actor=actor, list_id=pk)  # for the checks that come first: role, token, version
        raise Conflict(STAYS)
    if "title" in data or data.keys() <= {"boardId"}:
        rename_list(actor=actor, list_id=pk, title=data.get("title", UNCHANGED))
    if "cardLimit" in data:
        limit_list(actor=actor, list_id=pk, card_limit=data["cardLimit"])
    if "place" in data:
        move_list(actor=actor, list_id=pk, place=data["place"])


def _shown(row: Any) -> dict[str, Any]:
    row.card_count = row.cards.filter(archived_at=None).count()
    return shapes.list_out(row)
