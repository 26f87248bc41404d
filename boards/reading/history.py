"""The history of a board as data: for each change a sentence with placeholders, and the words for the placeholders.

The caller puts the words into the sentence: web/history.py writes HTML, `HistoryLine.text` plain text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from boards.backgrounds import label_of
from boards.board_templates import Template
from boards.colours import NAMES, Hue
from boards.models import Activity, Card, Role, Verb
from boards.reading.sentences import (
    CHANGED_BY_GROUP,
    IMPORTED,
    JOINED,
    JOINED_BY_GROUP,
    JOINED_BY_LINK,
    LEFT_BY_GROUP,
    MORE_EXACT,
    MOVED_WITHIN,
    ON_ITS_CARD,
    SENTENCES,
    TICKED,
    TOOK_OVER,
    UNLIMITED,
    UNTICKED,
)
from boards.recurrence import Recurrence
from core.text.dates import date_in_form, local_time
from core.text.names import in_words

# The name of the value in `Activity.data` that fills {old} and {new} in a sentence
VALUE = {
    Verb.MEMBER_ADDED: "member",
    Verb.MEMBER_CHANGED: "member",
    Verb.MEMBER_REMOVED: "member",
    Verb.OWNER_CHANGED: "member",
    Verb.OFFER_CREATED: "member",
    Verb.OFFER_WITHDRAWN: "member",
    Verb.LIST_CHANGED: "title",
    Verb.LIST_LIMITED: "card_limit",
    Verb.CARD_CREATED: "list",
    Verb.CARD_MOVED: "list",
    Verb.CARD_ARRIVED: "list",
    Verb.CARD_LABELLED: "label",
    Verb.CARD_UNLABELLED: "label",
    Verb.CARD_ASSIGNED: "assignee",
    Verb.CARD_UNASSIGNED: "assignee",
    Verb.CHECKLIST_CHANGED: "title",
    Verb.ATTACHMENT_RENAMED: "file_name",
}

PEOPLE = {"member", "assignee"}  # of these values, those that are names of people

# Verbs whose sentence leaves out which fields changed
WITH_FIELDS = (
    Verb.BOARD_CHANGED,
    Verb.CARD_CHANGED,
    Verb.LABEL_CHANGED,
    Verb.ITEM_CHANGED,
    Verb.LINK_CREATED,
    Verb.LINK_CHANGED,
)

# The sentence where the new member or owner is who acted. In older lines that is the owner, who did not have to ask.
BY_THEMSELVES = {Verb.MEMBER_ADDED: JOINED, Verb.OWNER_CHANGED: TOOK_OVER}


# The sentence where a group of the OpenID provider decided, at the sign-in of the member.
BY_GROUP = {
    Verb.MEMBER_ADDED: JOINED_BY_GROUP,
    Verb.MEMBER_CHANGED: CHANGED_BY_GROUP,
    Verb.MEMBER_LEFT: LEFT_BY_GROUP,
}


class NamedCard(NamedTuple):
    """The card that a line is about. `id` is None when the card is no longer on the board, so that it gets no link."""

    title: str
    number: str
    id: UUID | None


@dataclass(frozen=True, slots=True)
class HistoryLine:
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

    @property
    def on_its_card(self) -> str:
        """Return the sentence without the name of the card, for where that stands above it."""
        return str(_sentence(_kind(self.activity), names_card=False))


def lines(activities: "QuerySet[Activity]", *, of_board: bool = False) -> list[HistoryLine]:
    """Return the changes in words. With `of_board`, lines name their cards; this takes one more statement."""
    found = list(activities.select_related("user"))
    there = _cards_there(found) if of_board else None
    return [_line(activity, there) for activity in found]


def of_one_card(found: Iterable[Activity]) -> list[HistoryLine]:
    """Return the changes of one card in words, without its name. They come with `user` loaded."""
    return [_line(activity, None) for activity in found]


def _cards_there(found: Iterable[Activity]) -> set[UUID]:
    wanted = {(activity.board_id, activity.card_id) for activity in found if activity.card_id}
    cards = Card.objects.filter(board__in={board for board, _card in wanted}, pk__in={card for _board, card in wanted})
    return set(cards.values_list("pk", flat=True))


def _line(activity: Activity, there: set[UUID] | None) -> HistoryLine:
    details = [text for text in _details(activity) if text]
    sentence = _sentence(_kind(activity), names_card=there is not None)
    return HistoryLine(activity, str(sentence), _words(activity), _card(activity, there), details)


def _sentence(kind: str, *, names_card: bool) -> Promise:
    named = MORE_EXACT.get(kind) or SENTENCES[kind]
    return named if names_card else ON_ITS_CARD.get(kind, named)


def _kind(activity: Activity) -> str:
    """Return the key of the sentence: the verb, or a more exact key where the data allows one."""
    if activity.verb == Verb.CARD_MOVED and _is_within_its_list(activity):
        return MOVED_WITHIN
    if activity.verb == Verb.LIST_LIMITED and _pair(activity, "card_limit")[1] is None:
        return UNLIMITED
    if activity.verb == Verb.BOARD_CREATED and "imported" in activity.data:
        return IMPORTED
    if activity.verb == Verb.ITEM_CHANGED and "done" in activity.data:
        return TICKED if activity.data["done"][1] else UNTICKED
    if activity.verb == Verb.MEMBER_ADDED and "link_id" in activity.data:
        return JOINED_BY_LINK
    if activity.verb in BY_GROUP and "group" in activity.data and str(activity.user_id) in _pair(activity, "member_id"):
        return BY_GROUP[Verb(activity.verb)]
    if activity.verb in BY_THEMSELVES and _pair(activity, "member_id")[1] == str(activity.user_id):
        return BY_THEMSELVES[Verb(activity.verb)]
    return activity.verb


def _is_within_its_list(activity: Activity) -> bool:
    """Tell whether the card stayed in its list. Old lines have no list ids, and list names only if the list changed."""
    old, new = _pair(activity, "list_id")
    return old == new if old else "list" not in activity.data


def _words(activity: Activity) -> dict[str, str]:
    value = VALUE.get(Verb(activity.verb), "")
    old, new = (in_words(name or "") if value in PEOPLE else name for name in _pair(activity, value))
    role = _pair(activity, "role")[1]
    return {
        "person": activity.user.display_name,
        "subject": activity.subject.get("title", ""),
        "old": str(old or ""),
        "new": str(new or ""),
        "inviter": in_words(_pair(activity, "inviter")[1] or ""),
        "group": str(next(filter(None, _pair(activity, "group")), "")),
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
    if activity.verb in WITH_FIELDS:
        yield from (_detail(name, *_shown_pair(activity, name)) for name in activity.data if name != "due_day")
    if activity.verb == Verb.LIST_LIMITED and (before := _pair(activity, "card_limit")[0]) is not None:
        yield _("Before: %(value)s") % {"value": before}
    if activity.undoes is not None:
        yield _("Undid an earlier change")
    if activity.verb == Verb.CARD_CREATED:
        for name, label in (("labels", _("Labels")), ("assignees", _("Assigned to"))):
            if names := _pair(activity, name)[1]:
                yield f"{label}: {in_words(names) if name == 'assignees' else names}"
    if activity.verb == Verb.BOARD_CREATED and "source" in activity.data:
        yield _("Copy of %(title)s") % {"title": _pair(activity, "source")[1]}
    elif activity.verb == Verb.BOARD_CREATED and "imported" in activity.data:
        cards = _pair(activity, "cards")[1] or 0
        words = ngettext("From %(source)s, with %(cards)s card", "From %(source)s, with %(cards)s cards", cards)
        yield words % {"source": _pair(activity, "imported")[1], "cards": cards}
    elif activity.verb == Verb.BOARD_CREATED:
        yield _("Template: %(name)s") % {"name": Template(_pair(activity, "template")[1] or Template.BLANK).label}


def _shown_pair(activity: Activity, name: str) -> tuple[Any, Any]:
    """Return the old and the new value as people know it: of a due date that is a whole day, the day."""
    old, new = _pair(activity, name)
    if name == "due_at":
        old_day, new_day = _pair(activity, "due_day")
        return old_day or old, new_day or new
    return old, new


def _detail(name: str, old: Any, new: Any) -> str:
    if name == "description":
        return _("Description")
    if name == "cover_attachment_id":
        return _("Cover picture") if new else _("Cover picture removed")
    if name not in SHOWN:
        return ""
    label, show = SHOWN[name]
    return _("%(field)s: %(old)s → %(new)s") % {"field": label, "old": show(old), "new": show(new)}


def _text(value: Any) -> str:
    return str(value or "–")


def _colour(value: Any) -> str:
    return str(NAMES[Hue(value)]) if value in Hue.values else "–"


def _moment(value: Any) -> str:
    """Show a moment in the reader's zone, and a day as it is."""
    if isinstance(value, str):
        value = parse_datetime(value) if "T" in value else parse_date(value)
    if isinstance(value, datetime):
        return date_in_form(local_time(value), "DATETIME_FORMAT")
    return date_in_form(value, "DATE_FORMAT") if value else "–"


def _rule(value: Any) -> str:
    return str(Recurrence(value).label) if value in Recurrence.values else pgettext("repeats", "Never")


def _flag(value: Any) -> str:
    return _("yes") if value else _("no")


SHOWN = {
    "title": (gettext_lazy("Title"), _text),
    "name": (gettext_lazy("Name"), _text),
    "text": (gettext_lazy("Text"), _text),
    "hue": (gettext_lazy("Color"), _colour),
    "background": (gettext_lazy("Background"), label_of),
    "due_at": (gettext_lazy("Due"), _moment),
    "start_day": (gettext_lazy("Start"), _moment),
    "cover_hue": (gettext_lazy("Cover color"), _colour),
    "recurrence": (gettext_lazy("Repeats"), _rule),
    "expires_at": (gettext_lazy("Expires"), _moment),
    "has_password": (gettext_lazy("Password"), _flag),
    "shows_comments": (gettext_lazy("Comments"), _flag),
    "shows_names": (gettext_lazy("Names of people"), _flag),
    "frames": (gettext_lazy("Embedding"), _text),
}
