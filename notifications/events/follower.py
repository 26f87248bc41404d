"""The follower of the history that tells people what happened. It writes each notification once (jobs/delivery.py)."""

from uuid import UUID

from django.utils import timezone

from boards.models import Activity, Membership, Verb
from notifications.events.bursts import bursts_of
from notifications.events.changes import events_of, ids_of
from notifications.events.fanout import fan_out
from notifications.events.telling import tell
from notifications.following import begin_following, carry_over, forget_what_left, forget_who_left
from notifications.inbox.ringing import ring
from notifications.kinds import Kind
from notifications.models import Notification
from notifications.push.turns import push_later

NAME = "notifications"
LEAVING = (Verb.MEMBER_REMOVED, Verb.MEMBER_LEFT)


def tell_changes(board_id: UUID, changes: list[Activity]) -> None:
    """Tell the members of the board. The number of statements does not depend on how many they are, or follow it."""
    events = events_of(changes)
    begin_following(board_id, changes, events)
    carry_over(board_id, changes)
    if any(one.verb in LEAVING for one in changes):
        forget_who_left(board_id)
        _take_back(board_id)
    for change in changes:
        if change.verb == Verb.MEMBER_REMOVED:
            _tell_removed(change)
    began = timezone.now()
    told = fan_out(board_id, events, bursts_of(board_id, changes))
    ring(told)
    push_later(told, began)
    forget_what_left(board_id, changes)


def _take_back(board_id: UUID) -> None:
    """Delete the notifications of people about a board that they have left. Nobody could see them any more."""
    members = Membership.objects.filter(board=board_id).values("user")
    ours = Notification.objects.filter(board_id=board_id).exclude(user__in=members)
    gone = set(ours.values_list("user_id", flat=True).distinct())
    ours.delete()
    ring(gone)


def _tell_removed(change: Activity) -> None:
    """They cannot see the board any more, so the line holds its name, as it was when they could."""
    user = ids_of(change, "member_id")[0]
    if user:
        words = {"person": change.user.recorded_name, "board": change.subject.get("title", "")}
        words["person_id"] = str(change.user_id)  # by which forgetting.py finds the name
        tell(user, Kind.ACCESS, f"removed:{change.pk}", words)
