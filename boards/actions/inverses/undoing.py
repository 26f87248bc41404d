"""A change that is being undone: the values that it left, and the changes since."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.change import Change, change
from boards.actions.files.caps import Owners
from boards.actions.locks import Row
from boards.actor import Actor
from boards.errors import Conflict
from boards.models import Activity, Board, FormerValues


@dataclass(frozen=True)
class Undoing:
    """`line` is the change; `actor` undoes it."""

    line: Activity
    actor: Actor
    owners: Owners = field(default_factory=dict)  # locked, where files come back

    @property
    def subject_id(self) -> UUID:
        return UUID(self.line.subject["id"])

    @property
    def card_id(self) -> UUID:
        if self.line.card_id is None:
            raise too_old()
        return self.line.card_id

    @cached_property
    def former(self) -> dict[str, Any]:
        """The former values that were kept with the line."""
        return former_of(self.line)

    @property
    def origin(self) -> Activity:
        """Return the change that this one makes again, or takes back, or this one."""
        taken_back = taken_back_by(self.line)
        return Activity.objects.get(board=self.line.board_id, version=taken_back[-1]) if taken_back else self.line

    def pair(self, name: str) -> tuple[Any, Any]:
        """Return the old and the new value of `name`. Raise Conflict for lines of the time before it was recorded."""
        if name not in self.line.data:
            raise too_old()
        old, new = self.line.data[name]
        return old, new

    def old_id(self, name: str) -> UUID:
        return _id(self.pair(name)[0])

    def new_id(self, name: str) -> UUID:
        return _id(self.pair(name)[1])

    def row(self, model: type[Row]) -> Row:
        """Return the subject of the line. Raise Conflict if it is not on this board any more."""
        found = model._default_manager.filter(pk=self.subject_id, board=self.line.board_id).first()
        if found is None:
            raise self.gone()
        return found

    def gone(self) -> Conflict:
        return Conflict(_("“%(title)s” is no longer on this board.") % {"title": self.title})

    @contextmanager
    def change(self, model: type[Row], pk: UUID | None = None) -> Iterator[Change[Row]]:
        """Open a change of the subject of the line, or of the row `pk`, if it still is on the board of the line.

        That board is locked, so this stays so. To lock another one now could be a deadlock.
        """
        wanted = pk or self.subject_id
        if model is not Board and not model._default_manager.filter(pk=wanted, board=self.line.board_id).exists():
            raise self.gone() if model._default_manager.filter(pk=wanted).exists() else not_found()
        with change(self.actor, model, wanted) as c:
            yield c

    @property
    def title(self) -> str:
        return str(self.line.subject.get("title", ""))

    def later(self, *verbs: str, names: Iterable[str] = (), of: Iterable[UUID] = ()) -> list[Activity]:
        """Return the later changes of the subject, or of the rows `of`, that have not been taken back, newest first.

        `verbs` and `names` limit them to these verbs, and to those that changed one of these values.
        """
        wanted = {str(pk) for pk in (of or [self.subject_id])}
        found = [line for line in self._later if line.subject.get("id") in wanted and (not verbs or line.verb in verbs)]
        return [line for line in found if not names or {*names} & line.data.keys()]

    @cached_property
    def _later(self) -> list[Activity]:
        return list(
            standing(self.line.version, self._after().select_related("user").order_by("-created_at", "-version"))
        )

    def _after(self) -> "QuerySet[Activity]":
        """Return the later changes of the same card; those of the board if it is not about a card."""
        here = Q(board=self.line.board_id, version__gt=self.line.version)
        if self.line.card_id is None:
            return Activity.objects.filter(here, card_id=None)
        elsewhere = ~Q(board=self.line.board_id) & Q(created_at__gt=self.line.created_at)
        return Activity.objects.filter(here | elsewhere, card_id=self.line.card_id)

    def by_others(self, *verbs: str, of: Iterable[UUID] = ()) -> list[Activity]:
        return [line for line in self.later(*verbs, of=of) if line.user_id != self.line.user_id]

    def require_nobody_else(self, *verbs: str, of: Iterable[UUID] = ()) -> None:
        """Raise Conflict if somebody else has changed the subject, or one of the rows `of`, since."""
        if lines := self.by_others(*verbs, of=of):
            raise self.moved_on(lines)

    def moved_on(self, lines: list[Activity]) -> Conflict:
        """Return the error for a subject that these later lines have changed; [] where the history does not know it."""
        values: dict[str, object] = {"title": self.title}
        if not lines:
            return Conflict(_("“%(title)s” has been changed since then.") % values)
        if lines[0].user_id == self.actor.user.pk:
            return Conflict(_("You have changed “%(title)s” again since then. Undo that first.") % values)
        if lines[0].board_id != self.line.board_id:  # whose members the reader may not know
            return self.moved_on([])
        values["person"] = lines[0].user.display_name
        return Conflict(_("%(person)s has changed “%(title)s” since then.") % values)

    def left_in(self, name: str, row: models.Model) -> Any:
        """Return the long text that the change left in the row: the one which the next change of it has replaced."""
        after = (
            self._after().filter(data__has_key=name, subject__id=str(self.subject_id)).order_by("created_at", "version")
        )
        following = after.first()
        return former_of(following).get(name) if following else getattr(row, name)


Inverse = Callable[[Undoing], None]


def former_of(line: Activity) -> dict[str, Any]:
    return FormerValues.objects.filter(activity=line).values_list("values", flat=True).first() or {}


def standing(number: int, lines: Iterable[Activity]) -> Iterator[Activity]:
    """Leave out changes that were taken back, and those that took them back. `lines` come newest first."""
    gone: set[tuple[UUID, int]] = set()
    for line in lines:
        if (line.board_id, line.version) in gone:
            continue
        if line.undoes is not None and line.undoes > number:
            gone.add((line.board_id, line.undoes))
        else:
            yield line


def _id(value: str | None) -> UUID:
    if value is None:
        raise too_old()
    return UUID(value)


def too_old() -> Conflict:
    return Conflict(_("This change is too old to be undone. The activity does not have the former values."))


def taken_back_by(line: Activity) -> list[int]:
    """Return the version of the change that this one takes back, of the one which that takes back, and so on: one statement."""
    if line.undoes is None:
        return []
    lines = Activity.objects.filter(board=line.board_id, card_id=line.card_id, undoes__isnull=False)
    earlier = dict(lines.values_list("version", "undoes"))
    taken_back: list[int] = []
    undoes: int | None = line.undoes
    while undoes is not None:
        taken_back.append(undoes)
        undoes = earlier.get(undoes)
    return taken_back
