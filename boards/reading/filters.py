"""Find the cards of a board that a filter keeps: kinds are combined by and, values of one kind by or.

A filter is the query of an address (`?q=&label=&who=&due=&done=&changed=`), so that it can be shared. It is evaluated here
alone, for the page, for the parts of its lists and for what changes while it is open.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from boards.errors import Invalid
from boards.models import Assignment, Board, Card, CardLabel
from boards.models.card import CardQuerySet
from boards.reading.columns import Condition
from boards.reading.search_words import matching_text
from core.ids import parse_id
from core.text.dates import start_of_week

if TYPE_CHECKING:
    from accounts.models import User

ME, NOBODY = "me", "nobody"
DUE = ("overdue", "today", "week", "none")
DONE = ("0", "1")
CHANGED: Mapping[str, timedelta] = {"day": timedelta(days=1), "week": timedelta(days=7)}
NAMES = ("q", "label", "who", "due", "done", "changed")  # of the query
VALUES = 50  # of one kind


@dataclass(frozen=True, slots=True)
class BoardFilter:
    query: str = ""
    labels: tuple[UUID, ...] = ()
    people: tuple[str, ...] = ()  # ids of users, ME, NOBODY
    due: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any((self.query, self.labels, self.people, self.due, self.done, self.changed))

    @property
    def kinds(self) -> int:
        """Return by how many kinds it filters: by text and labels is 2."""
        return sum(map(bool, (self.query, self.labels, self.people, self.due, self.done, self.changed)))

    def address(self) -> str:
        """Return the filter as the query of an address; "" if it keeps every card."""
        values = (self.query, self.labels, self.people, self.due, self.done, self.changed)
        pairs = [(name, value) for name, value in zip(NAMES, values, strict=True) if value]
        return urlencode([(name, [str(one) for one in value] if name != "q" else value) for name, value in pairs], True)


def filter_in(sent: "MultiValueDict[str, str]") -> BoardFilter:
    """Return the filter in a query. Values that nobody knows are left out. Raise Invalid for one that is too long."""
    check_number_of_values(*(sent.getlist(name) for name in NAMES))
    return BoardFilter(
        (sent.get("q") or "").strip(),
        tuple(dict.fromkeys(found for value in sent.getlist("label") if (found := parse_id(value)))),
        people_in(sent),
        known_in(sent, "due", DUE),
        known_in(sent, "done", DONE),
        known_in(sent, "changed", CHANGED),
    )


def check_number_of_values(*kinds: Sequence[object]) -> None:
    """Raise Invalid if one of the kinds has more values than a filter takes."""
    if any(len(values) > VALUES for values in kinds):
        raise Invalid(_("A filter has at most %(most)d values of a kind.") % {"most": VALUES}, "filter")


def people_in(sent: "MultiValueDict[str, str]") -> tuple[str, ...]:
    """Return the people in a query: ids of users, ME and NOBODY, each once."""
    people = (value if value in (ME, NOBODY) else str(parse_id(value) or "") for value in sent.getlist("who"))
    return tuple(dict.fromkeys(filter(None, people)))


def known_in(sent: "MultiValueDict[str, str]", name: str, values: Iterable[str]) -> tuple[str, ...]:
    """Return the known values that a query has, in the order of `values`."""
    given = sent.getlist(name)
    return tuple(value for value in values if value in given)


def filter_of(address: str) -> BoardFilter:
    """Return the filter that BoardFilter.address() wrote so."""
    sent: MultiValueDict[str, str] = MultiValueDict()
    for name, value in parse_qsl(address):
        sent.appendlist(name, value)
    return filter_in(sent)


def condition(board: Board, wanted: BoardFilter, user: "User") -> Condition | None:
    """Return the cards of the board that the filter keeps, as a part of SQL; None if it keeps all."""
    if not wanted:
        return None
    return condition_of(kept_cards(board, wanted, user))


def condition_of(cards: CardQuerySet) -> Condition:
    return Condition(*cards.order_by().values("pk").query.sql_with_params())


def kept_cards(board: Board, wanted: BoardFilter, user: "User") -> CardQuerySet:
    """Return the cards of the board that the filter keeps for this user, whose time zone says what today is."""
    kept = Card.objects.filter(matching_text(wanted.query), board=board)
    if wanted.labels:
        kept = kept.filter(pk__in=CardLabel.objects.filter(label__in=wanted.labels, board=board).values("card"))
    if wanted.people:
        kept = kept.filter(_assigned(board, wanted.people, user))
    for kind in (due_kinds(wanted.due, user), _done(wanted.done), changed_kinds(wanted.changed)):
        kept = kept.filter(kind)
    return kept


def _assigned(board: Board, people: tuple[str, ...], user: "User") -> Q:
    assigned = Assignment.objects.filter(board=board)
    found = Q(pk__in=assigned.filter(user__in=ids_of(people, user)).values("card"))
    return found | ~Q(pk__in=assigned.values("card")) if NOBODY in people else found


def ids_of(people: Iterable[str], user: "User") -> tuple[UUID, ...]:
    """Return the ids of users among these people."""
    return tuple(user.pk if one == ME else UUID(one) for one in people if one != NOBODY)


def due_kinds(wanted: tuple[str, ...], user: "User") -> Q:
    """Return the condition for cards that are due in one of these ways of DUE; none of them is no condition."""
    now = timezone.now()
    today = now.astimezone(user.zone).date()
    first = start_of_week(today, user.first_weekday)
    kinds = {
        "overdue": overdue(now, user),
        "today": due_between(today, today + timedelta(days=1), user),
        "week": due_between(first, first + timedelta(days=7), user),
        "none": Q(due_at=None),
    }
    return _any(kinds[one] for one in wanted)


def overdue(now: datetime, user: "User") -> Q:
    """Return the condition for cards that are not done, and whose time or whole day is over for this person."""
    over = Q(due_day=None, due_at__lt=now) | Q(due_day__lt=now.astimezone(user.zone).date())
    return over & Q(completed_at=None)


def due_between(first: date, end: date, user: "User") -> Q:
    """Return the condition for cards due from the first day until before the other; whole days are the same in every
    time zone.
    """
    moments = Q(due_day=None, due_at__gte=_midnight(first, user), due_at__lt=_midnight(end, user))
    return moments | Q(due_day__gte=first, due_day__lt=end)


def _midnight(day: date, user: "User") -> datetime:
    return datetime.combine(day, time(), user.zone)


def _done(wanted: tuple[str, ...]) -> Q:
    return _any(Q(completed_at__isnull=one == "0") for one in wanted)


def changed_kinds(wanted: tuple[str, ...]) -> Q:
    """Return the condition for cards that were changed in one of these times of CHANGED; none of them is no condition."""
    return _any(Q(updated_at__gte=timezone.now() - CHANGED[one]) for one in wanted)


def _any(kinds: Iterable[Q]) -> Q:
    found = Q()
    for kind in kinds:
        found |= kind
    return found
