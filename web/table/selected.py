"""Changes of the cards that are selected in the table of *My work*: on several boards, all or none."""

from django.http import HttpResponse
from django.urls import reverse

from boards.actions.cards.together import across_boards
from core.http.requests import SignedInRequest
from web.boards.cards import ANYWHERE, action_of, cards_of
from web.http.answers import back_to, fragments, is_partial, toast
from web.http.guard import actor, signed_in


@signed_in("POST")
def my_cards(request: SignedInRequest) -> HttpResponse:
    """Mark each `card` of the form as done, archive it or set its due date. One Undo takes all of it back."""
    ids, act = cards_of(request), action_of(request, ANYWHERE)
    with across_boards(ids):
        text = act(request, None, ids)
    said = text if actor(request).changes else ""
    if not is_partial(request):
        return back_to(request, reverse("my_table"), said)
    return fragments(toast(said, request)) if said else fragments()
