"""The filters of collections of cards, as their query names them."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.utils.datastructures import MultiValueDict

from accounts.models import User
from apiv1 import patterns
from apiv1.schema import PAGES, query
from boards.dates import parse_due
from boards.errors import Invalid
from boards.reading.card_pages import ORDERS, CardOrder
from boards.reading.search_filters import Filters, State
from boards.reading.search_words import QUERY, words_in
from core.ids import parse_id

ME, NONE = "me", "none"
VALUES = 50  # of one parameter
A_MOMENT = {"type": "string", "pattern": patterns.MOMENT}
FILTERS = (
    query("label", "The id of a label; several mean any of them.", many=True),
    query("assignee", "The id of a person, `me`, or `none`; several mean any of them.", many=True),
    query("status", "`open`, `done`, `archived`; open and done when left out.", many=True, enum=[*State]),
    query("dueBefore", "Due before this moment, or before this day begins.", A_MOMENT),
    query("dueAfter", "Due at this moment or later, or on this day or later.", A_MOMENT),
    query("updatedSince", "Changed at this moment or later.", A_MOMENT),
    query("sort", "`created` and `updated`: newest first; `due`: cards without a date last.", enum=[*ORDERS]),
    *PAGES,
)
WORDS = query(
    "q",
    f"Words that all occur in title or description, or a number as in #12; at most {QUERY} characters.",
    {"type": "string", "pattern": patterns.TEXT, "maxLength": QUERY},
)


class Wanted(NamedTuple):
    filters: Filters
    order: CardOrder


def wanted_cards(
    sent: "MultiValueDict[str, str]",
    owner: User,
    sort: str,
    *,
    board_id: UUID | None = None,
    list_id: UUID | None = None,
) -> Wanted:
    """Return what a query asks for; `sort` is the order when it names none. Raises Invalid."""
    for name, values in sent.lists():
        if len(values) > VALUES:
            raise Invalid(f"{name} can be given at most {VALUES} times.", name)
    sort = sent.get("sort", sort)
    if sort not in ORDERS:
        raise Invalid(f"sort must be one of {', '.join(ORDERS)}.", "sort")
    people = sent.getlist("assignee")
    ids = tuple(found for one in people if (found := owner.pk if one == ME else parse_id(one)))
    labels = tuple(found for one in sent.getlist("label") if (found := parse_id(one)))
    filters = Filters(
        query=_query(sent.get("q", "")),
        board_id=board_id,
        list_id=list_id,
        assignee_ids=ids if people else None,
        unassigned=NONE in people,
        label_ids=labels if "label" in sent else None,
        states=_states(sent.getlist("status")),
        due_before=_moment(sent, "dueBefore", owner),
        due_from=_moment(sent, "dueAfter", owner),
        updated_since=_moment(sent, "updatedSince", owner),
    )
    return Wanted(filters, ORDERS[sort])


def _query(sent: str) -> str:
    """Return the words that were sent. Raises Invalid, which names the parameter."""
    try:
        words_in(sent)
    except Invalid as error:
        raise Invalid(error.naming("q"), "q") from None
    return sent


def _states(sent: list[str]) -> tuple[State, ...]:
    if not sent:
        return State.OPEN, State.DONE
    if any(one not in [*State] for one in sent):
        raise Invalid(f"status must be one of {', '.join(State)}.", "status")
    return tuple(State(one) for one in sent)


def _moment(sent: "MultiValueDict[str, str]", name: str, owner: User) -> datetime | None:
    """Return the moment, of a bare date its beginning, in the owner's time zone."""
    value = sent.get(name)
    if value is None:
        return None
    if " " in value:
        raise Invalid(f"{name} must not have a space. In an address, write the + of an offset as %2B.", name)
    return parse_due(value if "T" in value.upper() else f"{value}T00", owner.zone, name)
