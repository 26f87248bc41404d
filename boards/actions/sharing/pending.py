"""End invitations, offers and the public link when a board is archived or gets another owner: its former owner agreed
to them.
"""

from boards.actions.change import Change
from boards.models import Board, Invitation, InvitationLink, Offer, PublicLink


def end_invitations(c: Change[Board]) -> None:
    """End the invitations and the invitation links of the board."""
    Invitation.objects.filter(board=c.board).delete()
    for link in InvitationLink.objects.filter(board=c.board):
        c.remove(link)


def end_offer(c: Change[Board], **to: object) -> Offer | None:
    """Delete the board's offer, if there is one, and return it. `to` limits that to the offer to one member."""
    offer = Offer.objects.filter(board=c.board, **to).select_related("to", "offered_by").first()
    if offer is not None:
        c.remove(offer)
    return offer


def link_of(board: Board) -> PublicLink | None:
    """Return the public link of the board, if it is switched on."""
    return PublicLink.objects.filter(board=board).first()


def end_link(c: Change[Board]) -> None:
    if link := link_of(c.board):
        c.remove(link)
