"""The boards that an account owns, with the decision to transfer or delete each before the account is deleted."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, OuterRef, Subquery

from accounts.models import User
from boards.models import Board, Offer
from core.text.names import display_name


@dataclass(frozen=True)
class Owned:
    board: Board
    others: int  # members beside the owner
    offered_to: str  # name of the member who has not answered yet; "" if it is offered to nobody

    @property
    def field(self) -> str:
        return f"delete-{self.board.pk}"


def owned_boards(user: User) -> list[Owned]:
    """Return the boards, those with other members first. It takes one statement."""
    offers = Offer.objects.filter(board=OuterRef("pk"))
    rows = Board.objects.filter(pk__in=Board.objects.owned_by(user).order_by().values("pk")).annotate(
        members=Count("memberships"),
        name=Subquery(offers.values("to__name")[:1]),
        email=Subquery(offers.values("to__email")[:1]),
    )
    found = [Owned(row, row.members - 1, display_name(row.name or "", row.email or "")) for row in rows]
    return sorted(found, key=lambda one: one.others == 0)


def ticked(owned: list[Owned], sent: object) -> set[UUID]:
    """Return the boards whose box is ticked in the sent form."""
    return {one.board.pk for one in owned if one.field in sent}  # type: ignore[operator]
