"""Checklists of a card, and their items."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from rest_framework.request import Request

from apiv1.base import ApiView, answer
from apiv1.checklists import shapes
from apiv1.schema import call
from boards.actions.cards.checklists import (
    add_item,
    create_checklist,
    delete_checklist,
    delete_item,
    move_checklist,
    move_item,
    rename_checklist,
    update_item,
)
from boards.actions.unchanged import UNCHANGED
from boards.reading.checklists import read_checklist, read_checklists
from core.ids import parse_id


class ChecklistBase(ApiView):
    def checklist(self, pk: UUID | None) -> dict[str, Any]:
        [found] = shapes.checklists_out(read_checklist(self.reader, pk))
        return {"checklist": found}


class CardChecklistsView(ChecklistBase):
    counted_as = {"GET": "read", "POST": "write"}

    @call(
        "listChecklists",
        "Get the checklists of a card in display order",
        shapes.ChecklistsAnswer,
        says="The checklists.",
    )
    def get(self, request: Request, card_id: str) -> HttpResponse:
        """All of them, with their items. Those of an archived card too."""
        return answer({"checklists": shapes.checklists_out(read_checklists(self.reader, parse_id(card_id)))})

    @call(
        "createChecklist",
        "Create a checklist",
        shapes.ChecklistAnswer,
        status=201,
        says="The checklist was created.",
        takes=shapes.ChecklistIn,
        key=True,
    )
    def post(self, request: Request, card_id: str) -> HttpResponse:
        """Without items, at the end of the card or at `place`."""
        data = self.validated(shapes.ChecklistIn)
        return self.created(lambda: self.create(parse_id(card_id), data))

    def create(self, card_id: UUID | None, data: dict[str, Any]) -> dict[str, Any]:
        made = create_checklist(actor=self.actor, card_id=card_id, **data)
        return {"checklist": {"id": str(made.pk), "title": made.title, "items": []}}


class ChecklistView(ChecklistBase):
    counted_as = {"GET": "read", "PATCH": "write", "DELETE": "write"}

    @call("getChecklist", "Get a checklist", shapes.ChecklistAnswer, says="The checklist.")
    def get(self, request: Request, checklist_id: str) -> HttpResponse:
        """With its items in display order."""
        return answer(self.checklist(parse_id(checklist_id)))

    @call(
        "updateChecklist",
        "Rename or move a checklist",
        shapes.ChecklistAnswer,
        says="The checklist as it is now.",
        takes=shapes.ChecklistChange,
    )
    def patch(self, request: Request, checklist_id: str) -> HttpResponse:
        """Fields that are missing stay. A checklist stays on its card."""
        data, pk = self.patched(shapes.ChecklistChange), parse_id(checklist_id)
        with transaction.atomic():
            if "title" in data or not data:
                rename_checklist(actor=self.actor, checklist_id=pk, title=data.get("title", UNCHANGED))
            if "place" in data:
                move_checklist(actor=self.actor, checklist_id=pk, place=data["place"])
        return answer(self.checklist(pk))

    @call("deleteChecklist", "Delete a checklist with its items", status=204, says="It is gone.")
    def delete(self, request: Request, checklist_id: str) -> HttpResponse:
        """The history keeps it, so that people can undo this."""
        self.take_no_fields()
        delete_checklist(actor=self.actor, checklist_id=parse_id(checklist_id))
        return HttpResponse(status=204)


class ItemsView(ApiView):
    counted_as = {"POST": "write"}

    @call(
        "createItem",
        "Add an item to a checklist",
        shapes.ItemAnswer,
        status=201,
        says="The item was added.",
        takes=shapes.ItemIn,
        key=True,
    )
    def post(self, request: Request, checklist_id: str) -> HttpResponse:
        """At the end of the checklist, or at `place`."""
        data = self.validated(shapes.ItemIn)
        return self.created(lambda: self.create(parse_id(checklist_id), data))

    def create(self, checklist_id: UUID | None, data: dict[str, Any]) -> dict[str, Any]:
        return {"item": shapes.item_out(add_item(actor=self.actor, checklist_id=checklist_id, **data))}


class ItemView(ApiView):
    counted_as = {"PATCH": "write", "DELETE": "write"}

    @call(
        "updateItem",
        "Reword, tick, untick or move an item",
        shapes.ItemAnswer,
        says="The item as it is now.",
        takes=shapes.ItemChange,
    )
    def patch(self, request: Request, item_id: str) -> HttpResponse:
        """Fields that are missing stay. With `checklistId` alone it goes to the bottom of that checklist."""
        data, pk = self.patched(shapes.ItemChange), parse_id(item_id)
        with transaction.atomic():
            item = update_item(actor=self.actor, item_id=pk, text=data.get("text"), done=data.get("done"))
            if "place" in data or "checklistId" in data:
                place, into = data.get("place"), data.get("checklistId")
                item = move_item(actor=self.actor, item_id=pk, place=place, checklist_id=into)
        return answer({"item": shapes.item_out(item)})

    @call("deleteItem", "Delete an item of a checklist", status=204, says="It is gone.")
    def delete(self, request: Request, item_id: str) -> HttpResponse:
        """The history keeps it, so that people can undo this."""
        self.take_no_fields()
        delete_item(actor=self.actor, item_id=parse_id(item_id))
        return HttpResponse(status=204)
