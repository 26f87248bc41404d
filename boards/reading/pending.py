"""What waits for a user's answer: invitations to boards, and boards that are offered to them."""

from uuid import UUID

from django.db.models import QuerySet

from boards.access import not_found
from boards.models import Board, Invitation, Offer
from boards.reader import Reader
from boards.statements import read_offer


def invitations_to(reader: Reader) -> "QuerySet[Invitation]":
    """Return the invitations that the reader can accept, oldest first, with board and inviter."""
    return Invitation.objects.to(reader.user).select_related("board", "invited_by")


def invitation_to(reader: Reader, invitation_id: UUID) -> Invitation:
    """Return one of them. Raise NotFound."""
    found = invitations_to(reader).filter(pk=invitation_id).first()
    if found is None:
        raise not_found()
    return found


def offers_to(reader: Reader) -> "QuerySet[Offer]":
    """Return the offers of boards that the reader can accept, with board and owner."""
    mine = Offer.objects.filter(reader.membership("board__memberships__"), to=reader.user)
    return mine.select_related("board", "offered_by")


def offer_of(board: Board | UUID) -> Offer | None:
    """Return the board's offer with its board, receiver and owner, if there is one."""
    return read_offer(board.pk if isinstance(board, Board) else board)
