"""Due dates that come near or pass, told by the clock: each moment once, and of each due date each reminder once.

A card that is due at a time reminds before that time. A card that is due on a day reminds in the morning, in the time zone
of each person, and is overdue there when the day is over (docs/decisions/notifications.md).
"""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone
from django_tasks import task

from accounts.time_zones import zone_named
from boards.models import Assignment, Board, Card, List
from core.sql import table
from jobs.clock import every
from notifications.events.fanout import BY_ITSELF, COLUMNS, FOLLOWED, mail_of, run
from notifications.inbox.ringing import ring
from notifications.kinds import Kind
from notifications.models import Habits, Notification, ReminderClock
from notifications.push.turns import push_later
from notifications.reminders.due_now import when_due

CLOCK = "due"
LATEST = timedelta(days=1)  # what is told late, after the service was away
MORNING = time(9)
OFFSETS = {
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minutes": timedelta(minutes=10),
    "due": timedelta(0),
}
DAYS_AROUND = timedelta(days=2)  # between a day and its last second in any time zone, for the index of due dates
HABITS = {"morning": ("hour", "minutes")}  # the habits that ask for a reminder, where they are not its name

REMIND = f"""WITH due (card_id, list_id, board_id, key) AS (
    SELECT c.id, c.list_id, c.board_id, CAST(c.id AS text) || ':' || CAST({{moment}} AS text)
    FROM {{card}} c JOIN {{list}} l ON l.id = c.list_id JOIN {{boards}} b ON b.id = c.board_id
    WHERE c.completed_at IS NULL AND c.archived_at IS NULL AND l.archived_at IS NULL AND b.archived_at IS NULL
    AND {{which}}
),
subject (card_id, subject_id) AS (
    SELECT card_id, card_id FROM due UNION ALL SELECT card_id, list_id FROM due UNION ALL SELECT card_id, board_id FROM due
),
weighed (card_id, user_id, weight) AS (
    SELECT card_id, user_id, MAX(weight) FROM (
        SELECT s.card_id, f.user_id, {FOLLOWED.format(since="")} AS weight FROM subject s JOIN {{follow}} f ON f.subject_id = s.subject_id
        UNION ALL
        SELECT due.card_id, a.user_id, {BY_ITSELF} FROM due JOIN {{assignment}} a ON a.card_id = due.card_id
    ) every GROUP BY card_id, user_id
)
INSERT INTO {{notification}} ({COLUMNS})
SELECT {{new_id}}, w.user_id, '{Kind.DUE}', due.board_id, due.card_id, NULL, '{Kind.DUE}:{{name}}:' || due.key, 0, 1, {{data}},
    COALESCE(way.in_app, TRUE), {{now}}, {{now}}, NULL, NULL, {{mail}}, {{now}}, 0
FROM weighed w JOIN due ON due.card_id = w.card_id
JOIN {{membership}} m ON m.board_id = due.board_id AND m.user_id = w.user_id
JOIN {{people}} u ON u.id = w.user_id
LEFT JOIN {{habits}} h ON h.user_id = w.user_id
LEFT JOIN {{way}} way ON way.user_id = w.user_id AND way.kind = '{Kind.DUE}'
WHERE w.weight %% 2 = 1 AND {{wanted}} AND ({{wish}}) AND {{zone}}
ON CONFLICT (user_id, group_key) DO NOTHING
RETURNING user_id"""  # noqa: S608 (own names)


class Striking(NamedTuple):
    """A moment of the day that comes in some time zones: in the morning or at midnight."""

    name: str
    day: date  # the cards that are due on it are told of
    zones: frozenset[str]


class Window(NamedTuple):
    after: datetime
    until: datetime

    def striking(self, zones: list[str]) -> list[Striking]:
        """Return what strikes in this window: the morning of a day and of the day before while that lasts, and its end."""
        found: dict[tuple[str, date], set[str]] = {}
        for name in zones:
            zone = zone_named(name)
            today = self.until.astimezone(zone).date()
            for day in days_between(self.after.astimezone(zone).date(), today):
                if day == today and self.holds(day, MORNING, zone):
                    found.setdefault(("morning", day), set()).add(name)
                    found.setdefault(("day", day + timedelta(days=1)), set()).add(name)
                if self.holds(day, time(0), zone):
                    found.setdefault(("due", day - timedelta(days=1)), set()).add(name)
        return [Striking(name, day, frozenset(where)) for (name, day), where in found.items()]

    def coming(self) -> Iterator[tuple[str, datetime, datetime]]:
        """Yield each reminder of a time, and between which times a card is due of which it tells.

        None tells of a card that is so near that the next one does: a window of a day would tell of all at once.
        """
        nearer = [*list(OFFSETS.values())[1:], -LATEST]
        for (name, offset), least in zip(OFFSETS.items(), nearer, strict=True):
            yield name, max(self.after + offset, self.until + least), self.until + offset

    def holds(self, day: date, clock: time, zone: ZoneInfo) -> bool:
        return self.after < datetime.combine(day, clock, zone).astimezone(ZoneInfo("UTC")) <= self.until


def days_between(first: date, last: date) -> Iterator[date]:
    while first <= last:
        yield first
        first += timedelta(days=1)


def is_anything_due() -> bool:
    """Tell whether the next turn has something to do. It reads alone; the window grows until there is something."""
    window = _window(ReminderClock.objects.filter(name=CLOCK).first())
    if window is None or Notification.objects.filter(later_until__lte=window.until).exists():
        return True
    which = Q(pk=None)
    for _name, after, until in window.coming():
        which |= Q(due_day=None, due_at__gt=after, due_at__lte=until)
    days = {strike.day for strike in window.striking(_zones())}
    for day in days:
        first = datetime.combine(day, time(0), ZoneInfo("UTC"))
        which |= Q(due_day=day, due_at__gt=first - DAYS_AROUND, due_at__lt=first + DAYS_AROUND)
    return Card.objects.filter(which, completed_at=None, archived_at=None).exists()


@every(timedelta(minutes=1), "reminders", only_if=is_anything_due)
@task(tries=3, keep=timedelta(0))
@transaction.atomic
def remind() -> None:
    """Tell of the due dates since the last turn, and bring back notifications that were put off until now."""
    clock = ReminderClock.objects.select_for_update().filter(name=CLOCK).first()
    window = _window(clock)
    if window is None:  # what was due before is no news
        ReminderClock.objects.update_or_create(name=CLOCK, defaults={"at": timezone.now()})
        return
    told, began = set[UUID](), timezone.now()
    for name, after, until in window.coming():
        told |= _remind_of_times(name, after, until)
    for strike in window.striking(_zones()):
        told |= _remind_of_day(strike)
    ReminderClock.objects.filter(name=CLOCK).update(at=window.until)
    told |= _bring_back(timezone.now(), window.until)
    ring(told)
    push_later(told, began)


def _window(clock: ReminderClock | None) -> Window | None:
    """Return the time since the last turn, a day of it at most.

    Return None at the first turn, and where the last one is in the future, as the machine's clock was wrong.
    """
    now = timezone.now()
    return Window(max(clock.at, now - LATEST), now) if clock and clock.at <= now else None


def _zones() -> list[str]:
    return list(get_user_model().objects.order_by().values_list("time_zone", flat=True).distinct())


def _remind_of_times(name: str, after: datetime, until: datetime) -> set[UUID]:
    on = connection.ops
    params = [on.adapt_datetimefield_value(after), on.adapt_datetimefield_value(until)]
    return _remind(name, "c.due_day IS NULL AND c.due_at > %s AND c.due_at <= %s", "c.due_at", "1 = 1", params)


def _remind_of_day(strike: Striking) -> set[UUID]:
    on, first = connection.ops, datetime.combine(strike.day, time(0), ZoneInfo("UTC"))
    around = [on.adapt_datetimefield_value(first + sign * DAYS_AROUND) for sign in (-1, 1)]
    which = "c.due_day = %s AND c.due_at > %s AND c.due_at < %s"
    zones = f"u.time_zone IN ({', '.join(['%s'] * len(strike.zones))})"
    params = [on.adapt_datefield_value(strike.day), *around, *sorted(strike.zones)]
    return _remind(strike.name, which, "c.due_day", zones, params)


def _remind(name: str, which: str, moment: str, zone: str, params: list[Any]) -> set[UUID]:
    wishes = [f"COALESCE(h.remind_{habit}, {DEFAULTS[habit]})" for habit in HABITS.get(name, (name,))]
    return run(
        REMIND,
        params,
        {"when": name},
        mail=mail_of(f"'{Kind.DUE}'"),
        name=name,
        which=which,
        moment=moment,
        wish=" OR ".join(wishes),
        zone=zone,
        list=table(List),
        boards=table(Board),
        card=table(Card),
        assignment=table(Assignment),
        people=table(get_user_model()),
    )


DEFAULTS = {name: str(getattr(Habits(), f"remind_{name}")).upper() for name in OFFSETS}


def _bring_back(now: datetime, until: datetime) -> set[UUID]:
    """Return notifications that were put off until now to the top of the inboxes, reminders in words that are right now."""
    back = Notification.objects.filter(later_until__lte=until)
    people = set(back.values_list("user_id", flat=True))
    reminders = list(back.filter(kind=Kind.DUE).select_related("user"))
    cards = Card.objects.in_bulk({row.card_id for row in reminders}) if reminders else {}
    for row in reminders:
        card = cards.get(row.card_id)
        if card and not card.completed_at:
            with timezone.override(row.user.zone):
                row.data["when"] = when_due(card, now) or row.data.get("when", "")
    Notification.objects.bulk_update(reminders, ["data"])
    back.update(later_until=None, read_at=None, told_at=now)
    return people
