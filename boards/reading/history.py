"""The history of a board as data: for each change a sentence with placeholders, and the words for the placeholders.

The words are put into the sentence by whoever shows it: web/history.py writes HTML, `Line.text` plain text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from boards.board_templates import Template
from boards.colours import NAMES, Hue
from boards.models import Activity, Card, Role, Verb
from boards.reading.sentences import (
    JOINED,
    MORE_EXACT,
    MOVED_WITHIN,
    ON_ITS_CARD,
    SENTENCES,
    TICKED,
    TOOK_OVER,
    UNTICKED,
)
from boards.recurrence import Recurrence

# The name of the value in `Activity.data` that fills {old} and {new} in a sentence
VALUE = {
    Verb.MEMBER_ADDED: "member",
    Verb.MEMBER_CHANGED: "member",
    Verb.MEMBER_REMOVED: "member",
    Verb.OWNER_CHANGED: "member",
    Verb.OFFER_CREATED: "member",
    Verb.OFFER_WITHDRAWN: "member",
    Verb.LIST_CHANGED: "title",
    Verb.CARD_CREATED: "list",
    Verb.CARD_MOVED: "list",
    Verb.CARD_ARRIVED: "list",
    Verb.CARD_LABELLED: "label",
    Verb.CARD_UNLABELLED: "label",
    Verb.CARD_ASSIGNED: "assignee",
    Verb.CARD_UNASSIGNED: "assignee",
    Verb.CHECKLIST_CHANGED: "title",
}

# The sentence where the new member or owner is who acted. In older lines that is the owner, who did not have to ask.
BY_THEMSELVES = {Verb.MEMBER_ADDED: JOINED, Verb.OWNER_CHANGED: TOOK_OVER}


class NamedCard(NamedTuple):
    """The card that a line is about. `id` is None when the card is no longer on the board, so that it gets no link."""

    title: str
    number: str
    id: UUID | None


@dataclass(frozen=True, slots=True)
class Line:
    """One change in words, in the active language. `card` is None for other subjects and in a card's own history."""

    activity: Activity
    sentence: str  # with {person}, {card} and other placeholders
    words: dict[str, str]  # for every placeholder but {card}
    card: NamedCard | None
    details: list[str]

    @property
    def text(self) -> str:
        card = f"{self.card.title} #{self.card.number}" if self.card else ""
        return self.sentence.format(card=card, **self.words)


def lines(activities: "QuerySet[Activity]", *, of_board: bool = False) -> list[Line]:
    """Return the changes in words. With `of_board`, lines name their cards; this takes one more statement."""
    found = list(activities.select_related("user"))
    there = _cards_there(found) if of_board else None
    return [_line(activity, there) for activity in found]


def _cards_there(found: Iterable[Activity]) -> set[UUID]:
    wanted = {(activity.board_id, activity.card_id) for activity in found if activity.card_id}
    cards = Card.objects.filter(board__in={board for board, _card in wanted}, pk__in={card for _board, card in wanted})
    return set(cards.values_list("pk", flat=True))


def _line(activity: Activity, there: set[UUID] | None) -> Line:
    details = [text for text in _details(activity) if text]
    sentence = _sentence(_kind(activity), names_card=there is not None)
    return Line(activity, str(sentence), _words(activity), _card(activity, there), details)


def _sentence(kind: str, *, names_card: bool) -> Promise:
    named = MORE_EXACT.get(kind) or SENTENCES[kind]
    return named if names_card else ON_ITS_CARD.get(kind, named)


def _kind(activity: Activity) -> str:
    """Return the key of the sentence: the verb, or a more exact key where the data allows one."""
    if activity.verb == Verb.CARD_MOVED and _is_within_its_list(activity):
        return MOVED_WITHIN
    if activity.verb == Verb.ITEM_CHANGED and "done" in activity.data:
        return TICKED if activity.data["done"][1] else UNTICKED
    if activity.verb in BY_THEMSELVES and _pair(activity, "member_id")[1] == str(activity.user_id):
        return BY_THEMSELVES[Verb(activity.verb)]
    return activity.verb


def _is_within_its_list(activity: Activity) -> bool:
    """Tell whether the card stayed in its list. Old lines have no list ids, and list names only if the list changed."""
    old, new = _pair(activity, "list_id")
    return old == new if old else "list" not in activity.data


def _words(activity: Activity) -> dict[str, str]:
    old, new = _pair(activity, VALUE.get(Verb(activity.verb), ""))
    role = _pair(activity, "role")[1]
    return {
        "person": activity.user.display_name,
        "subject": activity.subject.get("title", ""),
        "old": str(old or ""),
        "new": str(new or ""),
        "inviter": _pair(activity, "inviter")[1] or "",
        "role": str(Role(role).label) if role in Role.values else "",
    }


def _pair(activity: Activity, name: str) -> tuple[Any, Any]:
    old, new = activity.data.get(name) or (None, None)
    return old, new


def _card(activity: Activity, there: set[UUID] | None) -> NamedCard | None:
    if activity.card_id is None or there is None:
        return None
    subject = activity.subject
    known = activity.card_id if activity.card_id in there else None
    return NamedCard(subject.get("card", subject.get("title", "")), subject.get("number", ""), known)


def _details(activity: Activity) -> Iterable[str]:
    """Yield what a sentence such as "changed the card" leaves out; empty texts are skipped by the caller."""
    if activity.verb in (Verb.BOARD_CHANGED, Verb.CARD_CHANGED, Verb.LABEL_CHANGED, Verb.ITEM_CHANGED):
        yield from (_detail(name, *_pair(activity, name)) for name in activity.data)
    if activity.verb == Verb.BOARD_CREATED:
        yield _("Template: %(name)s") % {"name": Template(_pair(activity, "template")[1] or Template.BLANK).label}


def _detail(name: str, old: Any, new: Any) -> str:
    if name == "description":
        return _("Description")
    if name not in SHOWN:
        return ""
    label, show = SHOWN[name]
    return _("%(field)s: %(old)s → %(new)s") % {"field": label, "old": show(old), "new": show(new)}


def _text(value: Any) -> str:
    return str(value or "–")


def _colour(value: Any) -> str:
    return str(NAMES[Hue(value)]) if value in Hue.values else "–"


def _moment(value: Any) -> str:
    moment = value if isinstance(value, datetime) else parse_datetime(value or "")
    return date_format(timezone.localtime(moment), "SHORT_DATETIME_FORMAT") if moment else "–"


def _rule(value: Any) -> str:
    return str(Recurrence(value).label) if value in Recurrence.values else pgettext("repeats", "Never")


SHOWN = {
    "title": (gettext_lazy("Title"), _text),
    "name": (gettext_lazy("Name"), _text),
    "text": (gettext_lazy("Text"), _text),
    "hue": (gettext_lazy("Color"), _colour),
    "due_at": (gettext_lazy("Due"), _moment),
    "recurrence": (gettext_lazy("Repeats"), _rule),
}
