"""The Share dialog of a board: its people, invitations and links in one place. Its forms are those of the pages for each."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string

from boards.reading.reach import visible_board
from core.http.requests import SignedInRequest
from web.boards.forms import InvitationForm
from web.boards.link_form import LinkForm
from web.boards.members import address_of, holds_secret, members_context
from web.http.answers import fragments, is_partial
from web.http.guard import reader, signed_in


@signed_in("GET")
def share(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Return what the dialog shows; without scripts, lead to the page of the members."""
    board, role = visible_board(board_id, reader(request))
    if not is_partial(request):
        return redirect(address_of(board))
    context = members_context(board, role) | {
        "invitation": InvitationForm(),
        "link_form": LinkForm(),
        "is_dialog": True,
    }
    answer = fragments(render_to_string("web/partials/people/share.html", context, request))
    answer.holds_secret = holds_secret(context)  # type: ignore[attr-defined]
    return answer
