"""The card that is chosen in the inbox: where it is, what happened there last, and what can be done with its notifications."""

from typing import Any
from uuid import UUID

from core.http.requests import SignedInRequest
from notifications.inbox.entries import note_opened
from notifications.inbox.piles import Pile, in_pile
from web.cards.page import read_card
from web.http.answers import is_opened
from web.http.guard import reader

SHOWN = 8  # comments and changes, the newest


def pane_context(request: SignedInRequest, card_id: UUID | None) -> dict[str, Any]:
    """Return what the pane shows of a card, whose notifications are read by that. Raise NotFound."""
    page = read_card(request, card_id)
    if is_opened(request):
        note_opened(reader(request), page.card.pk)
    return {
        "page": page,
        "entries": page.stream[:SHOWN][::-1],
        "has_earlier": len(page.stream) > SHOWN or page.older_changes or page.comments.earlier,
        "newest": in_pile(reader(request), Pile.ALL).filter(card_id=page.card.pk).first(),
    }
