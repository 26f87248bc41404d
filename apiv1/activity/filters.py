"""The filters of the activity, as its query names them."""

from collections.abc import Iterable
from uuid import UUID

from django.utils.datastructures import MultiValueDict

from apiv1.activity.shapes import DOORS, VERBS
from apiv1.schema import PAGES, query
from boards.errors import Invalid
from boards.reading.activity import ActivityFilters
from core.ids import parse_id

VALUES = 100  # of one parameter
FILTERS = (
    query("card", "The id of a card; several mean any of them.", many=True),
    query("person", "The id of who made the change; several mean any of them.", many=True),
    query("token", "The id of the token that made the change; several mean any of them.", many=True),
    query("door", "Through which door; several mean any of them.", many=True, enum=[door for door, _label in DOORS]),
    query("verb", "What was done; several mean any of them.", many=True, enum=[verb for verb, _label in VERBS]),
    *PAGES,
)


def wanted_activity(sent: "MultiValueDict[str, str]") -> ActivityFilters:
    """Return what a query asks for. Raises Invalid; ids that are none find nothing."""
    for name, values in sent.lists():
        if len(values) > VALUES:
            raise Invalid(f"{name} can be given at most {VALUES} times.", name)
    return ActivityFilters(
        cards=_ids(sent, "card"),
        people=_ids(sent, "person"),
        tokens=_ids(sent, "token"),
        doors=_words(sent, "door", (door for door, _label in DOORS)),
        verbs=_words(sent, "verb", (verb for verb, _label in VERBS)),
    )


def _ids(sent: "MultiValueDict[str, str]", name: str) -> tuple[UUID, ...] | None:
    return tuple(found for one in sent.getlist(name) if (found := parse_id(one))) if name in sent else None


def _words(sent: "MultiValueDict[str, str]", name: str, known: Iterable[str]) -> tuple[str, ...] | None:
    allowed, values = list(known), sent.getlist(name)
    if not {*values} <= {*allowed}:
        raise Invalid(f"{name} must be one of {', '.join(allowed)}.", name)
    return tuple(values) or None
