"""Read what a board's owner has pending: invitations, offers of the board, the public link."""

from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from boards.access import not_found
from boards.models import Board, Invitation, Offer, PublicLink
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


def with_shared(board_id: UUID) -> Board:
    """Return the board with `is_shared`: whether its public link shows it now. Takes one statement."""
    living = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    links = PublicLink.objects.filter(living, board=OuterRef("pk"))
    board = Board.objects.annotate(has_link=Exists(links)).get(pk=board_id)
    board.is_shared = settings.PUBLIC_LINKS and board.has_link
    return board


def public_link_of(board: Board) -> PublicLink | None:
    return PublicLink.objects.filter(board=board).first()
