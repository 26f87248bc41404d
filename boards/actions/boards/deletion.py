"""Delete the rows of a large board a few at a time, so that on SQLite nobody else waits long for the write lock."""

import time
from uuid import UUID

from django.db.models import Model
from django_tasks import task

from boards.models import (
    Activity,
    Assignment,
    Attachment,
    Board,
    BoardGroup,
    BoardView,
    Card,
    CardLabel,
    Checklist,
    ChecklistItem,
    Comment,
    GroupMembership,
    Invitation,
    InvitationLink,
    Label,
    List,
    Membership,
    Offer,
    PublicLink,
    Renumbering,
)
from core.limits.queues import LATER, own_queue

AT_ONCE = 1000  # changes or cards: a board with more, as one that was imported, is deleted in pieces
PIECE = 200  # rows
PAUSE = 0.05  # seconds in which others take the lock

ACCESS = (
    Membership,
    Invitation,
    InvitationLink,
    Offer,
    PublicLink,
    BoardGroup,
    GroupMembership,
    BoardView,
)  # who has the board or may get it, and what members keep about it

# What refers to another model comes before it. The former values of a change, one row at most, are deleted with it.
ROWS: tuple[type[Model], ...] = (
    Activity,
    Renumbering,
    Comment,
    Attachment,  # to which cards refer in their turn, by their cover: it is taken off
    ChecklistItem,
    Checklist,
    CardLabel,
    Assignment,
    Card,
    Label,
    List,
)


def delete_in_pieces(board: Board) -> None:
    """Take the board away from everybody now, and its rows soon. A board without members is one that is being deleted."""
    for model in ACCESS:
        model._default_manager.filter(board=board).delete()
    Board.objects.filter(pk=board.pk).update(archived_at=board.archived_at or board.changed_at)
    delete_rows.using(queue_name=own_queue("deletion"), priority=LATER).enqueue(str(board.pk))


@task(tries=20)
def delete_rows(board_id: str) -> None:
    for model in ROWS:
        rows = model._default_manager.filter(board=UUID(board_id)).order_by()  # type: ignore[misc]  # each has one
        while piece := list(rows.values_list("pk", flat=True)[:PIECE]):
            model._default_manager.filter(pk__in=piece).delete()
            time.sleep(PAUSE)
    Board.objects.filter(pk=board_id).delete()
