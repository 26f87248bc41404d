"""The older changes of an open card. A browser without scripts reads them on the activity page."""

from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect

from core.http.requests import SignedInRequest
from web.cards.page import read_card
from web.cards.parts import further_changes
from web.http.answers import fragments, is_partial
from web.http.guard import signed_in


@signed_in("GET")
def changes(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    """Return the changes from the number `?from=` down."""
    page = read_card(request, card_id)
    if is_partial(request):
        return fragments(further_changes(request, page))
    return redirect(f"{page.board.get_absolute_url()}/activity?{urlencode({'card': card_id})}")
