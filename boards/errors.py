"""The errors of the domain. They know no HTTP: each interface maps these classes to its own answers, in one place."""

from collections.abc import Mapping
from typing import TypeVar
from uuid import UUID

from django.utils.translation import gettext as _

T = TypeVar("T")


class DomainError(Exception):
    """Base class. `message` is one sentence for people, already in their language."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = str(message)

    @property
    def reason(self) -> str:
        """Return a sentence for callers who may learn more than `message` says; "" where there is none."""
        return ""


def by_class(table: Mapping[type[DomainError], T], error: DomainError) -> T:
    """Return what the table has for the error's class, or for the nearest class above it."""
    return next(table[kind] for kind in type(error).__mro__ if kind in table)


class Invalid(DomainError):
    """The input is wrong; `field` is its name as the caller wrote it, "" if it is not about one field."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field
        self._template, self._values = "", {}  # type: tuple[str, dict[str, object]]

    @classmethod
    def of(cls, field: str, template: str, **values: object) -> "Invalid":
        """Return an error whose sentence names the field, by the placeholder `%(field)s` in `template`."""
        error = cls(template % {"field": field, **values}, field)
        error._template, error._values = template, values
        return error

    def naming(self, label: str) -> str:
        """Return the sentence with `label`, the field's name on the page, instead of its name for callers."""
        return self._template % {"field": label, **self._values} if self._template else self.message


class Malformed(Invalid):
    """The input is not in the format that its sender should have written: a program is at fault, not a person."""


class NotFound(DomainError):
    """The thing does not exist, or the user cannot see it; the answer does not tell which."""


class NoNeighbour(NotFound):
    """The row beside which something was to be placed is not there. The REST API answers with `reason`.

    `index` is the place of the card at fault among those of a batch.
    """

    index = 0

    @property
    def reason(self) -> str:
        return _("The neighbor in place is not there any more. Read the order again and choose another place.")


class NotOfBoard(NotFound):
    """Labels or people that were named are not of the board; `ids` are theirs, nil for what cannot be an id."""

    def __init__(self, message: str, ids: frozenset[UUID]) -> None:
        super().__init__(message)
        self.ids = ids

    @property
    def reason(self) -> str:
        ids = ", ".join(sorted(str(pk) for pk in self.ids if pk.int))
        return _("These labels or people are not of this board: %(ids)s.") % {"ids": ids} if ids else ""


class ArchivedBoard(NotFound):
    """The board is archived, and the actor is a member. The REST API, which shows archived boards, says so by `reason`.

    `refusal` is why the actor could not do this on an open board either.
    """

    def __init__(self, message: str, refusal: "NotAllowed | None" = None) -> None:
        super().__init__(message)
        self.refusal = refusal

    @property
    def reason(self) -> str:
        return _("This board is archived. Restore it first.")


class NotAllowed(DomainError):
    """The user can see the thing but may not do this to it."""


class OwnerStays(NotAllowed):
    """The owner of a board cannot leave it, be removed or get another role."""


class LimitReached(DomainError):
    """The action would exceed a cap: of the plan, a board or a card.

    `full` is the model of which one row less would make room; None where that does not help.
    """

    def __init__(self, message: str, full: type | None = None) -> None:
        super().__init__(message)
        self.full = full


class Conflict(DomainError):
    """The thing is not in the state that the caller assumed; `current` is its present state."""

    def __init__(self, message: str, current: object = None) -> None:
        super().__init__(message)
        self.current = current


class Outdated(DomainError):
    """The thing has another version than the caller requires."""
