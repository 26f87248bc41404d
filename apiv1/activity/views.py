"""The activity of a board."""

from django.http import HttpResponse
from rest_framework.request import Request

from apiv1.activity import shapes
from apiv1.activity.filters import FILTERS, wanted_activity
from apiv1.base import ApiView
from apiv1.paging import page_of
from apiv1.schema import call
from boards.reading.activity import read_activity
from core.ids import parse_id


class BoardActivityView(ApiView):
    counted_as = {"GET": "read"}
    parameters = tuple(parameter.name for parameter in FILTERS)
    repeatable = tuple(parameter.name for parameter in FILTERS if parameter.many)

    @call(
        "listActivity",
        "Get what happened on a board",
        shapes.ActivityPageAnswer,
        says="A page of changes.",
        parameters=FILTERS,
    )
    def get(self, request: Request, board_id: str) -> HttpResponse:
        """Newest first: who changed what, when, through which door, with the values before and after."""
        filters, page = wanted_activity(request._request.GET), page_of(request._request)
        before = page.after[0] if page.after else None
        found = read_activity(self.reader, parse_id(board_id), filters, page.limit, before)
        lines = [shapes.activity_out(line, undone=line.version in found.undone) for line in found.lines]
        return self.paged({"activity": lines}, found.place)
