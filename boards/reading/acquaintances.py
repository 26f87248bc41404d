"""The people whom a reader knows: those with whom they share a board. Nobody else is ever offered to them."""

from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import QuerySet

from boards.access import acquaintances
from boards.reader import Reader
from boards.reading.jump import best

if TYPE_CHECKING:
    from accounts.models import User

MOST = 2000  # people who are looked at


def acquaintances_like(reader: Reader, letters: str, *, not_on: UUID, limit: int) -> "list[User]":
    """Return those whose names match, the best match first: one statement. Addresses are not looked at."""
    people = by_name(acquaintances(reader, not_on=not_on))
    return best(letters, ((user.display_name, user) for user in people))[:limit]


def by_name(people: "QuerySet[User]") -> "QuerySet[User]":
    """Return the first people in the order of their names, with what shows them."""
    return people.order_by("name", "pk").only("name", "email", "picture")[:MOST]
