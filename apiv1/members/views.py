"""Members of a board."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from rest_framework.request import Request

from apiv1.base import ApiView, answer
from apiv1.boards.shapes import member_out
from apiv1.members import shapes
from apiv1.schema import call
from boards.access import require
from boards.actions.people.members import change_role, remove_member
from boards.actions.sharing.invitations import invite_member
from boards.actions.unchanged import UNCHANGED
from boards.models import Role
from boards.reading.reach import visible_board
from boards.reading.whole_board import member_on
from boards.statements import read_members
from core.ids import parse_id
from notifications.mail.invited import let_know
from security.events import log_event
from security.models import EventKind


class BoardMembersView(ApiView):
    counted_as = {"GET": "read", "POST": "write"}

    @call("listMembers", "Get the members of a board", shapes.MembersAnswer, says="The members.")
    def get(self, request: Request, board_id: str) -> HttpResponse:
        """All of them, the longest member first, without their addresses."""
        board, _role = visible_board(parse_id(board_id), self.reader)
        return answer({"members": [member_out(member) for member in read_members(board.pk)]})

    @call(
        "inviteMember",
        "Invite somebody to a board",
        shapes.InvitationAnswer,
        status=201,
        says="The invitation. It is the same whether an account has the address or not.",
        takes=shapes.MemberIn,
        key=True,
    )
    def post(self, request: Request, board_id: str) -> HttpResponse:
        """Only the owner may. They become a member when they accept."""
        data = self.validated(shapes.MemberIn)
        return self.created(lambda: self.invite(parse_id(board_id), data))

    @transaction.atomic
    def invite(self, board_id: UUID | None, data: dict[str, Any]) -> dict[str, Any]:
        sent = invite_member(actor=self.actor, board_id=board_id, **data)
        log_event(
            EventKind.INVITED,
            self.request._request,
            user=self.owner,
            board=str(board_id),
            invited=sent.email,
            role=sent.role,
        )
        let_know(sent)
        return {"invitation": shapes.invitation_out(sent)}


class MemberView(ApiView):
    counted_as = {"PATCH": "write", "DELETE": "write"}

    @call(
        "updateMember",
        "Change the role of a member",
        shapes.MemberAnswer,
        says="The member as they are now.",
        takes=shapes.MemberChange,
    )
    def patch(self, request: Request, board_id: str, user_id: str) -> HttpResponse:
        """Only the owner of the board may. A board gets another owner when it is handed over, on its pages."""
        data = self.patched(shapes.MemberChange)
        board, role = visible_board(parse_id(board_id), self.reader)
        member = member_on(board, parse_id(user_id))
        require(role, Role.OWNER)
        change_role(actor=self.actor, board_id=board.pk, user_id=member.user_id, role=data.get("role", UNCHANGED))
        return answer({"member": member_out(member_on(board, member.user_id))})

    @call("removeMember", "Remove a member, or leave", status=204, says="They are no member any more.")
    def delete(self, request: Request, board_id: str, user_id: str) -> HttpResponse:
        """The owner may remove others. Whoever removes themselves leaves the board, which the owner cannot."""
        self.take_no_fields()
        board, _role = visible_board(parse_id(board_id), self.reader)
        member = member_on(board, parse_id(user_id))
        remove_member(actor=self.actor, board_id=member.board_id, user_id=member.user_id)
        return HttpResponse(status=204)
