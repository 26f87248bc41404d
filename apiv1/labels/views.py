"""Labels of a board."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from apiv1.base import ApiView, answer
from apiv1.labels import shapes
from apiv1.schema import call
from apiv1.shapes import label_out
from boards.actions.cards.labels import create_label, delete_label, update_label
from boards.colours import Hue
from boards.models import Label
from boards.reading.reach import row_of_board, visible_board
from boards.statements import read_labels
from core.ids import parse_id


class BoardLabelsView(ApiView):
    counted_as = {"GET": "read", "POST": "write"}

    @call("listLabels", "Get the labels of a board in display order", shapes.LabelsAnswer, says="The labels.")
    def get(self, request: Request, board_id: str) -> HttpResponse:
        """All of them, oldest first."""
        board, _role = visible_board(parse_id(board_id), self.reader)
        return answer({"labels": [label_out(label) for label in read_labels(board.pk)]})

    @call(
        "createLabel",
        "Create a label",
        shapes.LabelAnswer,
        status=201,
        says="The label was created.",
        takes=shapes.LabelIn,
        key=True,
    )
    def post(self, request: Request, board_id: str) -> HttpResponse:
        """A name that the board has already is refused by 409."""
        data = self.validated(shapes.LabelIn)
        return self.created(lambda: self.create(parse_id(board_id), data))

    def create(self, board_id: UUID | None, data: dict[str, Any]) -> dict[str, Any]:
        hue = data.get("color", Hue.BLUE)
        return {"label": label_out(create_label(actor=self.actor, board_id=board_id, name=data["name"], hue=hue))}


class LabelView(ApiView):
    counted_as = {"GET": "read", "PATCH": "write", "DELETE": "write"}

    @call("getLabel", "Get a label", shapes.LabelAnswer, says="The label.")
    def get(self, request: Request, label_id: str) -> HttpResponse:
        """One of an archived board too."""
        return answer({"label": label_out(row_of_board(Label, parse_id(label_id), self.reader))})

    @call(
        "updateLabel",
        "Rename or recolor a label",
        shapes.LabelAnswer,
        says="The label as it is now.",
        takes=shapes.LabelChange,
    )
    def patch(self, request: Request, label_id: str) -> HttpResponse:
        """Fields that are missing stay."""
        data, pk = self.patched(shapes.LabelChange), parse_id(label_id)
        label = update_label(actor=self.actor, label_id=pk, name=data.get("name"), hue=data.get("color"))
        return answer({"label": label_out(label)})

    @call("deleteLabel", "Delete a label", status=204, says="It is gone.")
    def delete(self, request: Request, label_id: str) -> HttpResponse:
        """It is taken from every card. The history keeps it, so that people can undo this."""
        self.take_no_fields()
        delete_label(actor=self.actor, label_id=parse_id(label_id))
        return HttpResponse(status=204)
