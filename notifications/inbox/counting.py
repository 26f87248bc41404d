"""The follower that counts, for each member of a board, the changes by others since that member last opened it."""

from uuid import UUID

from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from boards.models import Activity, Membership, Verb
from notifications.models import Unseen

NAME = "unseen"
LEAVING = (Verb.MEMBER_REMOVED, Verb.MEMBER_LEFT)


def count_unseen(board_id: UUID, changes: list[Activity]) -> None:
    """Add the changes to the counts of the board's members. Five statements at most, however many members and changes."""
    members = dict(Membership.objects.filter(board=board_id).values_list("user_id", "version"))
    rows = Unseen.objects.filter(board=board_id)
    if any(one.verb in LEAVING for one in changes):
        rows.exclude(user__in=members).delete()
    authors = {one.user_id for one in changes}
    others = members.keys() - (authors if len(authors) == 1 else set())
    if not others:
        return
    for_the_first_time = others - {*rows.values_list("user_id", flat=True)}
    if for_the_first_time:
        new = [Unseen(user_id=user, board_id=board_id, seen=members[user] - 1) for user in for_the_first_time]
        Unseen.objects.bulk_create(new, ignore_conflicts=True)  # they may open the board at this moment
    by_others = (
        Activity.objects.filter(board=board_id, version__gte=changes[0].version, version__lte=changes[-1].version)
        .filter(version__gt=OuterRef("seen"))
        .exclude(user=OuterRef("user"))
    )
    number = by_others.order_by().values("board").annotate(number=Count("pk")).values("number")
    rows.filter(user__in=others).update(count=F("count") + Coalesce(Subquery(number), 0))
