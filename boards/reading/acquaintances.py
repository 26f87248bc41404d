"""The people whom a reader knows: those with whom they share a board. Nobody else is ever offered to them."""

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth import get_user_model

from boards.access import acquaintance_ids, acquaintances
from boards.reader import Reader
from boards.reading.jump import best
from core import sql

if TYPE_CHECKING:
    from accounts.models import User

MOST = 2000  # people who are looked at


def acquaintances_like(reader: Reader, letters: str, *, not_on: UUID, limit: int) -> "list[User]":
    """Return those whose names match, the best match first: one statement. Addresses are not looked at."""
    people = acquaintances(reader, not_on=not_on).order_by("name", "pk").only("name", "email", "picture")[:MOST]
    return best(letters, ((user.display_name, user) for user in people))[:limit]


def first_acquaintances(reader: Reader) -> "list[User]":
    """Return the first ones in the order of their names, with what shows them: one statement."""
    known, params = acquaintance_ids(reader)
    rest = f"WHERE this.id IN ({known}) ORDER BY this.name, this.id LIMIT {MOST}"
    return sql.only(get_user_model(), ("id", "email", "name", "picture"), rest, params)
