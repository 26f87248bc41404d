"""Assign people to cards and unassign them. Only members of a card's board can be assigned."""

from uuid import UUID

from boards.access import not_found
from boards.actions.change import change
from boards.actions.guards import require_open
from boards.actor import Actor
from boards.models import Assignment, Card, Membership, Verb
from boards.models.records import CardAssigned


def assign(*, actor: Actor, card_id: UUID | None, user_id: UUID) -> Card:
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        member = Membership.objects.filter(board=c.board, user_id=user_id).select_related("user").first()
        if member is None:
            raise not_found()
        if not Assignment.objects.filter(card=c.row, user_id=user_id).exists():
            c.add(Assignment(card=c.row, user_id=user_id))
            c.touch(c.row)
            record = CardAssigned(assignee_id=(None, user_id), assignee=(None, member.user.display_name))
            c.record(Verb.CARD_ASSIGNED, c.row, record)
    return c.row


def unassign(*, actor: Actor, card_id: UUID | None, user_id: UUID) -> Card:
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        found = Assignment.objects.filter(card=c.row, user_id=user_id).select_related("user").first()
        if found is not None:
            found.delete()
            c.touch(c.row)
            record = CardAssigned(assignee_id=(user_id, None), assignee=(found.user.display_name, None))
            c.record(Verb.CARD_UNASSIGNED, c.row, record)
    return c.row
