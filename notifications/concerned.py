"""Select cards by what only notifications know of a person: which they follow, and where somebody mentioned them."""

from django.db.models import Q, QuerySet

from accounts.models import User
from boards.models import Card
from boards.reading.columns import Condition
from notifications.kinds import Kind
from notifications.models import Chosen, Follow, Level, Notification


def followed_by(user: User) -> Condition:
    """Select the cards that a person follows: of their choices by hand the nearest counts, card over list over board."""
    mine = Follow.objects.filter(user=user)

    def chose(level: Level, chosen: Chosen) -> QuerySet[Follow, object]:
        return mine.filter(level=level, chose=chosen).values("subject_id")

    by_itself = mine.filter(level=Level.CARD, by_itself=True, chose=Chosen.DEFAULT).values("subject_id")
    found = Q(pk__in=by_itself)
    for level, field in ((Level.BOARD, "board"), (Level.LIST, "list"), (Level.CARD, "pk")):
        found &= ~Q(**{f"{field}__in": chose(level, Chosen.MUTE)})
        found |= Q(**{f"{field}__in": chose(level, Chosen.FOLLOW)})
    # The same again as one set of ids, which a database can begin with: it looks at no other card.
    candidates = by_itself.union(
        chose(Level.CARD, Chosen.FOLLOW),
        Card.objects.order_by().filter(list__in=chose(Level.LIST, Chosen.FOLLOW)).values("pk"),
        Card.objects.order_by().filter(board__in=chose(Level.BOARD, Chosen.FOLLOW)).values("pk"),
    )
    return _ids(Q(pk__in=candidates) & found)


def mentioning(user: User) -> Condition:
    """Select the cards on which somebody mentioned a person, as long as the notification is kept: 90 days."""
    told = Notification.objects.filter(user=user, kind=Kind.MENTIONED, card_id__isnull=False)
    return _ids(Q(pk__in=told.order_by().values("card_id")))


def _ids(which: Q) -> Condition:
    return Condition(*Card.objects.filter(which).order_by().values("pk").query.sql_with_params())
