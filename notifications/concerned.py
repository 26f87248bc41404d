"""Select cards by what only notifications know of a person: which they follow, and where somebody mentioned them."""

from django.db.models import Q, QuerySet

from accounts.models import User
from boards.models import Assignment, Card
from boards.reading.columns import Condition
from notifications.kinds import Kind
from notifications.models import Chosen, Follow, Level, Notification


def followed_by(user: User) -> Condition:
    """Select the cards that a person follows: of their choices by hand the nearest counts, card over list over board."""
    by_itself = _by_itself(user)
    found = _as_chosen(user, Q(pk__in=by_itself))
    # The same again as one set of ids, which a database can begin with: it looks at no other card.
    candidates = by_itself.union(
        _chose(user, Level.CARD, Chosen.FOLLOW),
        Card.objects.order_by().filter(list__in=_chose(user, Level.LIST, Chosen.FOLLOW)).values("pk"),
        Card.objects.order_by().filter(board__in=_chose(user, Level.BOARD, Chosen.FOLLOW)).values("pk"),
    )
    return _ids(Q(pk__in=candidates) & found)


def reminding(user: User) -> Q:
    """Select the cards of which a person is reminded: those that they follow, and assigned ones that they did not mute."""
    assigned = Assignment.objects.filter(user=user).values("card")
    return _as_chosen(user, Q(pk__in=assigned) | Q(pk__in=_by_itself(user)))


def _as_chosen(user: User, by_itself: Q) -> Q:
    """Select these cards, as far as no choice by hand says something else, and those that are followed by hand."""
    found = by_itself
    for level, field in ((Level.BOARD, "board"), (Level.LIST, "list"), (Level.CARD, "pk")):
        found &= ~Q(**{f"{field}__in": _chose(user, level, Chosen.MUTE)})
        found |= Q(**{f"{field}__in": _chose(user, level, Chosen.FOLLOW)})
    return found


def _chose(user: User, level: Level, chosen: Chosen) -> QuerySet[Follow, object]:
    return Follow.objects.filter(user=user, level=level, chose=chosen).values("subject_id")


def _by_itself(user: User) -> QuerySet[Follow, object]:
    return Follow.objects.filter(user=user, level=Level.CARD, by_itself=True, chose=Chosen.DEFAULT).values("subject_id")


def mentioning(user: User) -> Condition:
    """Select the cards on which somebody mentioned a person, as long as the notification is kept: 90 days."""
    told = Notification.objects.filter(user=user, kind=Kind.MENTIONED, card_id__isnull=False)
    return _ids(Q(pk__in=told.order_by().values("card_id")))


def _ids(which: Q) -> Condition:
    return Condition(*Card.objects.filter(which).order_by().values("pk").query.sql_with_params())
