"""What waits for somebody's answer on a board, and ends when the board is archived or its owner changes."""

from boards.actions.change import Change
from boards.models import Board, Invitation, Offer


def end_invitations(c: Change[Board]) -> None:
    Invitation.objects.filter(board=c.board).delete()


def end_offer(c: Change[Board], **to: object) -> Offer | None:
    """Delete the board's offer, if there is one, and return it. `to` limits that to the offer to one member."""
    offer = Offer.objects.filter(board=c.board, **to).select_related("to", "offered_by").first()
    if offer is not None:
        c.remove(offer)
    return offer
