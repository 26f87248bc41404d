"""Follow and mute: automatically, by people's acts on cards, and by hand."""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Subquery
from django.utils.translation import gettext as _

from accounts.models import User
from boards.errors import Invalid
from boards.models import Activity, Card, Door, List, Membership, Verb
from notifications.events.changes import Event, assigned_by, ids_of
from notifications.kinds import Kind
from notifications.models import Chosen, Follow, Habits, Level, Notification

Reason = tuple[UUID, UUID, str, int]  # the person, the card, the name of the habit, the version of the change


def begin_following(board_id: UUID, changes: list[Activity], events: Iterable[Event]) -> None:
    """Let people follow the cards that they create, comment on, or are assigned to or mentioned on, if they want so.

    Three statements, where there are such changes.
    """
    reasons = [
        *_reasons(changes),
        *((one.user, one.card_id, "follow_mentioned", one.change.version) for one in _mentions(events)),
    ]
    people = {user for user, _card, _habit, _version in reasons}
    if not people:
        return
    members = set(Membership.objects.filter(board=board_id, user__in=people).values_list("user_id", flat=True))
    habits = {one.user_id: one for one in Habits.objects.filter(user__in=people)}
    wanted: dict[tuple[UUID, UUID | None], int] = {}
    for user, card, habit, version in reasons:
        if user in members and wants(habits.get(user), habit):
            wanted[user, card] = min(version, wanted.get((user, card), version))
    follow_by_itself(
        Follow(user_id=user, board_id=board_id, level=Level.CARD, subject_id=card, by_itself=True, since=version)
        for (user, card), version in sorted(wanted.items())
        if card
    )


def follow_by_itself(rows: Iterable[Follow]) -> None:
    unique, update = ["subject_id", "user"], ["by_itself", "board_id"]
    Follow.objects.bulk_create(list(rows), update_conflicts=True, unique_fields=unique, update_fields=update)


def wants(habits: Habits | None, name: str) -> bool:
    return bool(getattr(habits or Habits(), name))


def _mentions(events: Iterable[Event]) -> Iterable[Event]:
    return (one for one in events if one.kind == Kind.MENTIONED)


def _reasons(changes: list[Activity]) -> Iterable[Reason]:
    for change in changes:
        card = change.card_id
        if card is None:
            continue
        if change.verb == Verb.CARD_CREATED and change.door != Door.IMPORT:
            yield change.user_id, card, "follow_created", change.version
        if change.verb == Verb.COMMENT_CREATED:
            yield change.user_id, card, "follow_commented", change.version
        for user in assigned_by(change):
            yield user, card, "follow_assigned", change.version


def carry_over(board_id: UUID, changes: list[Activity]) -> None:
    """Let who follows a card follow it on the board to which it was moved, and its next occurrence.

    Who may not see that board is left to `forget_what_left`: the board that the card left may tell them of that later.
    """
    arrived = [one.card_id for one in changes if one.verb == Verb.CARD_ARRIVED and one.card_id]
    if arrived:
        members = Membership.objects.filter(board=board_id).values("user")
        Follow.objects.filter(subject_id__in=arrived, user__in=members).update(board_id=board_id, since=0)
    next_ones = {one.card_id: ids_of(one, "next_occurrence_id")[1] for one in changes if one.verb == Verb.CARD_ARCHIVED}
    series = {card: following for card, following in next_ones.items() if card and following}
    if series:
        rows = list(Follow.objects.filter(subject_id__in=series))
        for row in rows:
            row.pk, row.subject_id = None, series[row.subject_id]
        Follow.objects.bulk_create(rows, ignore_conflicts=True)


def forget_what_left(board_id: UUID, changes: list[Activity]) -> None:
    """Forget who followed a card that was moved to a board that they may not see, once they are told of that.

    Others who only now began to follow it do so where it is, as its arrival may have been told before. Their reminders of
    it go along.
    """
    left = [one.card_id for one in changes if one.verb == Verb.CARD_LEFT and one.card_id]
    if left:
        new_board = Card.objects.filter(pk=OuterRef(OuterRef("subject_id"))).values("board")
        may_see = Exists(Membership.objects.filter(user=OuterRef("user"), board__in=new_board))
        ours = Follow.objects.filter(board_id=board_id, subject_id__in=left)
        ours.filter(~may_see).delete()
        ours.update(board_id=Subquery(Card.objects.filter(pk=OuterRef("subject_id")).values("board")), since=0)
        new_board = Card.objects.filter(pk=OuterRef("card_id"), board__memberships__user=OuterRef("user")).values(
            "board"
        )
        reminders = Notification.objects.filter(board_id=board_id, kind=Kind.DUE, card_id__in=left)
        reminders.filter(Exists(new_board)).update(board_id=Subquery(new_board))


def forget_who_left(board_id: UUID) -> None:
    Follow.objects.filter(board_id=board_id).exclude(
        user__in=Membership.objects.filter(board=board_id).values("user")
    ).delete()


@transaction.atomic
def choose(user: User, subject: object, level: Level, chose: str) -> None:
    """Follow or mute a card, a list or a board, or go back to what happens by itself.

    The caller has looked up the subject as this user may see it. Nobody else sees the choice. Repeating is harmless.
    """
    if chose not in Chosen.values:
        raise Invalid.of("follow", _("%(field)s must be follow, mute or empty."))
    board_id = subject.board_id if isinstance(subject, Card | List) else subject.pk  # type: ignore[attr-defined]
    row = Follow(user=user, board_id=board_id, level=level, subject_id=subject.pk, chose=chose)  # type: ignore[attr-defined]
    Follow.objects.bulk_create(
        [row], update_conflicts=True, unique_fields=["subject_id", "user"], update_fields=["chose", "board_id"]
    )
    if not chose:
        Follow.objects.filter(user=user, subject_id=row.subject_id, chose="", by_itself=False).delete()


class Following:
    """A person's choices for a card, its list and its board, and their result."""

    def __init__(self, user: User, subject: object, level: Level) -> None:
        ids = _ids(subject, level)
        rows = {row.level: row for row in Follow.objects.filter(user=user, subject_id__in=ids)}
        mine = rows.get(level)
        self.level, self.chose = level, Chosen(mine.chose if mine else "")
        self.by_itself = bool(mine and mine.by_itself)
        above = [rows[one] for one in sorted(rows, reverse=True) if one < level and rows[one].chose]
        self.from_above = above[0] if above else None

    @property
    def default(self) -> Chosen:
        """Return what holds while nothing is chosen here."""
        if self.from_above:
            return Chosen(self.from_above.chose)
        return Chosen.FOLLOW if self.by_itself else Chosen.DEFAULT

    @property
    def now(self) -> Chosen:
        return self.chose or self.default


def _ids(subject: object, level: Level) -> list[UUID]:
    if isinstance(subject, Card):
        return [subject.pk, subject.list_id, subject.board_id]
    if isinstance(subject, List):
        return [subject.pk, subject.board_id]
    return [subject.pk]  # type: ignore[attr-defined]
