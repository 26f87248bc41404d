"""Comments on a card."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from apiv1.base import ApiView, answer
from apiv1.comments import shapes
from apiv1.paging import PARAMETERS, page_of
from apiv1.schema import PAGES, call
from boards.actions.cards.comments import add_comment, delete_comment, edit_comment
from boards.actions.unchanged import UNCHANGED
from boards.models import Comment
from boards.reading.comments import read_comments
from boards.reading.reach import row_of_board
from core.ids import parse_id


class CardCommentsView(ApiView):
    counted_as = {"GET": "read", "POST": "write"}
    parameters = PARAMETERS

    @call(
        "listComments",
        "Get the comments on a card",
        shapes.CommentPageAnswer,
        says="A page of comments.",
        parameters=PAGES,
    )
    def get(self, request: Request, card_id: str) -> HttpResponse:
        """Oldest first. Those of an archived card too."""
        page = page_of(request._request)
        found = read_comments(self.reader, parse_id(card_id), page.limit, page.after)
        return self.paged({"comments": [shapes.comment_out(comment) for comment in found.comments]}, found.place)

    @call(
        "createComment",
        "Comment on a card",
        shapes.CommentAnswer,
        status=201,
        says="The comment was added.",
        takes=shapes.CommentIn,
        key=True,
    )
    def post(self, request: Request, card_id: str) -> HttpResponse:
        """Archived cards take comments too. Members who are mentioned by @ and their name are notified."""
        data = self.validated(shapes.CommentIn)
        return self.created(lambda: self.create(parse_id(card_id), data))

    def create(self, card_id: UUID | None, data: dict[str, Any]) -> dict[str, Any]:
        return {"comment": shapes.comment_out(add_comment(actor=self.actor, card_id=card_id, text=data["body"]))}


class CommentView(ApiView):
    counted_as = {"GET": "read", "PATCH": "write", "DELETE": "write"}

    @call("getComment", "Get a comment", shapes.CommentAnswer, says="The comment.")
    def get(self, request: Request, comment_id: str) -> HttpResponse:
        """One on an archived card too."""
        comment = row_of_board(Comment, parse_id(comment_id), self.reader, "author")
        return answer({"comment": shapes.comment_out(comment)})

    @call(
        "updateComment",
        "Edit a comment",
        shapes.CommentAnswer,
        says="The comment as it is now.",
        takes=shapes.CommentChange,
    )
    def patch(self, request: Request, comment_id: str) -> HttpResponse:
        """Only its author may."""
        data, pk = self.patched(shapes.CommentChange), parse_id(comment_id)
        comment = edit_comment(actor=self.actor, comment_id=pk, text=data.get("body", UNCHANGED))
        return answer({"comment": shapes.comment_out(comment)})

    @call("deleteComment", "Delete a comment", status=204, says="It is gone.")
    def delete(self, request: Request, comment_id: str) -> HttpResponse:
        """Its author may, and the owner of the board. The history keeps it, so that people can undo this."""
        self.take_no_fields()
        delete_comment(actor=self.actor, comment_id=parse_id(comment_id))
        return HttpResponse(status=204)
