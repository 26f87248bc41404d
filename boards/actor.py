"""The actor of a change: the user, the door and the token."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from django.contrib.auth import get_permission_codename
from django.db import models

from boards.models.verbs import Door, Verb
from boards.reader import Reader

if TYPE_CHECKING:
    from accounts.models import User


class Made(NamedTuple):
    """A change that an actor has made."""

    board_id: UUID
    number: int
    verb: Verb


@dataclass(frozen=True, slots=True)
class Actor:
    """The user who makes a change, the door, and the API token if there is one.

    The token's name is copied, so that the activity can show it after the token was deleted. `boards`, `writes` and
    `deletes` are what the token may do: boards/access.py holds actors to it. `changes` collects the changes that were made
    with this actor, without the second one of a move to another board; `touched` has the boards of all, also of those that saved
    nothing. `expects` has, by the ids of rows, the versions at
    which alone the actor wants to change them.
    """

    user: "User"
    door: Door = Door.WEB
    token_id: UUID | None = None
    token_name: str = ""
    boards: frozenset[UUID] | None = None  # only these of the user's boards; None: all of them
    writes: bool = True
    deletes: bool = True
    undoing: Mapping[UUID, int] = field(default_factory=dict, compare=False)  # by board, the change that is taken back
    changes: list[Made] = field(default_factory=list, compare=False)
    touched: set[UUID] = field(default_factory=set, compare=False)
    expects: Mapping[UUID, frozenset[int]] = field(default_factory=dict, compare=False)

    @property
    def reader(self) -> Reader:
        """The same user as a reader, for the rows that an action looks up."""
        return Reader(self.user, self.boards)

    def reaches(self, board_id: UUID) -> bool:
        """Tell whether this board exists for the actor, if the user is a member of it."""
        return self.boards is None or board_id in self.boards

    def operates(self, model: type[models.Model]) -> bool:
        """Tell whether the actor counts as the owner of every board for changes of this model.

        That is so only in the admin and for commands, for staff with Django's permission to change such rows.
        """
        permission = f"{model._meta.app_label}.{get_permission_codename('change', model._meta)}"
        return self.door in (Door.ADMIN, Door.COMMAND) and self.user.is_staff and self.user.has_perm(permission)
