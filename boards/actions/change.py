"""One transaction, one lock, one number, one line of activity: what every write of board data goes through."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic
from uuid import UUID

from django.db import models, transaction
from django.utils import timezone

from boards.access import not_found
from boards.actions.locks import Row, lock_row, role_for_change
from boards.actor import Actor
from boards.hints import hint
from boards.models import Activity, Board, Card, FormerValues, Membership, Role, Verb
from boards.models.records import fields_of
from boards.statements import insert

# Fields that follow from the others: not recorded in the activity.
DERIVED = {"search_text", "recurrence_anchor", "repeats_id", "edited_at", "position"}
LONG_TEXTS = {"description", "body"}  # kept once, apart from the activity: see FormerValues
ATTEMPTS = 20  # to lock a row that others keep moving from board to board

# Called inside the transaction of every change, with the board's id and its new version: whoever follows the history
# notes there that it has news (jobs/). Empty, it costs nothing.
ON_CHANGE: list[Callable[[UUID, int], None]] = []


class Change(Generic[Row]):
    """The open change of one board, whose row is locked. Save rows through it, then `record` once what was done."""

    other: "Change[Board] | None" = None  # the change of a second board, where one was asked for

    def __init__(self, actor: Actor, board: Board, role: Role, row: Row) -> None:
        self.actor, self.board, self.role, self.row = actor, board, role, row
        self.now = timezone.now()
        self.number = board.version + 1
        self._touched = False
        self._activity: Activity | None = None
        self._values: dict[str, tuple[Any, Any] | None] = {}
        self._former: dict[str, Any] = {}
        self._removed: list[dict[str, str]] = []
        self._board_fields = {"version", "changed_at"}
        self._after_commit: list[Callable[[], object]] = []

    def add(self, row: models.Model) -> None:
        """Insert a new row of this board under this change's number."""
        self._stamp(row)
        insert(row)
        self._touched = True

    def _stamp(self, row: models.Model) -> None:
        row.board_id = self.board.pk  # type: ignore[attr-defined]
        row.version = self.number  # type: ignore[attr-defined]

    def add_all(self, rows: Iterable[models.Model]) -> None:
        """Insert many rows of one model in one statement."""
        rows = list(rows)
        if not rows:
            return
        for row in rows:
            self._stamp(row)
        type(rows[0])._default_manager.bulk_create(rows)
        self._touched = True

    def set(self, row: models.Model, **values: Any) -> bool:
        """Write those of `values` that differ, and remember old and new; False when nothing differs."""
        new = {name: value for name, value in values.items() if getattr(row, name) != value}
        if not new:
            return False
        for name, value in new.items():
            self._remember(name, getattr(row, name), value)
            setattr(row, name, value)
        self._write(row, new)
        return True

    def _remember(self, name: str, old: Any, new: Any) -> None:
        if name in LONG_TEXTS:
            self._values[name] = None
            if old:
                self._former[name] = old
            return
        if isinstance(old, models.Model) or isinstance(new, models.Model):
            name, old, new = f"{name}_id", old and old.pk, new and new.pk
        if name not in DERIVED:
            self._values[name] = (old, new)

    def keep(self, **values: Any) -> None:
        """Keep former values beside the activity: what a row that is deleted needs to be made again."""
        self._former |= values

    def touch(self, *rows: models.Model) -> None:
        """Mark rows as changed because something that they show has changed."""
        for row in rows:
            self._write(row, ())

    def touch_all(self, rows: "models.QuerySet[Any]", **values: Any) -> None:
        """Write the same to many rows in one statement, under this change's number."""
        if rows.update(version=self.number, **values):
            self._touched = True

    def remove(self, row: models.Model) -> None:
        """Delete a row for good; the activity names it, so that catching up learns of it."""
        self.gone(_kind(row), row.pk)
        row.delete()

    def gone(self, kind: str, pk: UUID) -> None:
        """Name a row that is no longer on this board."""
        self._removed.append({"kind": kind, "id": str(pk)})
        self._touched = True

    def next_card_number(self) -> int:
        self.board.last_card_number += 1
        self._board_fields.add("last_card_number")
        return self.board.last_card_number

    def record(
        self, verb: Verb, subject: models.Model, record: Mapping[str, Any] | None = None, *, card: Card | None = None
    ) -> None:
        """Say what this change did, once. `record` (models/records.py) adds to the old and new values that `set` remembered.

        Raise RuntimeError for a second call, and when the values are not those that the record of this verb has.
        """
        if self._activity is not None:
            raise RuntimeError("one change, one line of activity")
        card = card or (subject if isinstance(subject, Card) else None)
        line = self.line(verb, subject, {**self._values, **(record or {})}, card)
        self._activity = Activity(board=self.board, version=self.number, card_id=card.pk if card else None, **line)

    def line(
        self, verb: Verb, subject: models.Model, record: Mapping[str, Any], card: Card | None = None
    ) -> dict[str, Any]:
        """Return the fields of a HistoryLine: who does this now, through which door."""
        return {
            "verb": verb,
            "user": self.actor.user,
            "door": self.actor.door,
            "token_id": self.actor.token_id,
            "token_name": self.actor.token_name,
            "subject": _named(subject, card),
            "data": _checked(verb, record),
            "created_at": self.now,
        }

    def after_commit(self, do: Callable[[], object]) -> None:
        """Call `do` once this change is committed: a file to drop, a job to start. Nothing calls it when the change saved
        nothing or was rolled back; what it raises is logged and undoes nothing."""
        self._after_commit.append(do)

    def finish(self) -> None:
        """Take the number, if anything was saved, and ask for a push after commit; the other board's change likewise."""
        if self.other is not None:
            self.other.finish()
        activity = self._take_number()
        if activity is None:
            return
        insert(activity)
        if self._former:
            insert(FormerValues(activity=activity, values=self._former))
        self.board.save(update_fields=self._board_fields)
        announce(self.board.pk, self.number, self._after_commit)

    def _take_number(self) -> Activity | None:
        """Return the line to write; None when nothing was saved."""
        if self._touched != (self._activity is not None):
            raise RuntimeError("what is saved is recorded, and nothing else is")
        if self._activity is not None:
            self._activity.removed = self._removed or None
            self.board.version, self.board.changed_at = self.number, self.now
        return self._activity

    def _write(self, row: models.Model, names: Iterable[str]) -> None:
        self._touched = True
        if isinstance(row, Board):
            self._board_fields.update(names)
            return
        fields = {*names, "version"}
        row.version = self.number  # type: ignore[attr-defined]
        if isinstance(row, Card):
            row.updated_at = self.now
            fields.add("updated_at")
        row.save(update_fields=fields)


def announce(board_id: UUID, version: int, after_commit: Iterable[Callable[[], object]]) -> None:
    """Note the board's new version for those who follow it, and leave to after the commit what is to be done then."""
    for note in ON_CHANGE:
        note(board_id, version)
    for do in (lambda: hint(board_id, version), *after_commit):
        transaction.on_commit(lambda do=do: do(), robust=True)  # type: ignore[misc]  # Django wants a __qualname__


def _checked(verb: Verb, values: Mapping[str, Any]) -> Mapping[str, Any]:
    allowed, required = fields_of(verb)
    if not required <= values.keys() <= allowed:
        raise RuntimeError(f"{verb} records {sorted(allowed)}, not {sorted(values)}")
    return values


def _kind(row: models.Model) -> str:
    """The one word for such rows, as in the verbs."""
    name = row._meta.model_name or ""
    return {"checklistitem": "item", "membership": "member"}.get(name, name)


def _named(subject: models.Model, card: Card | None) -> dict[str, str]:
    """What the activity shows of its subject, kept for when the row is renamed or gone."""
    named = {"kind": _kind(subject), "id": str(subject.pk), "title": str(subject)[:200]}
    if card is not None and card is not subject:
        named["card"] = card.title[:200]
    if card is not None:
        named["number"] = str(card.number)
    return named


@contextmanager
def change(
    actor: Actor,
    model: type[Row],
    pk: UUID | None,
    *,
    needs: Role = Role.EDITOR,
    archived_board: bool = False,
    and_board: UUID | None = None,
) -> Iterator[Change[Row]]:
    """Open a change around the row `pk` of `model` (a board, or any row of one), re-read under the board's lock.

    With `and_board` also a change of that board, as `other`; None when it is the row's own board.
    Raises NotFound (not there, not visible, or on an archived board unless `archived_board`) and NotAllowed.
    """
    for _attempt in range(ATTEMPTS):
        with transaction.atomic():
            found = lock_row(model, pk, and_board)
            if found is None:
                continue  # moved to another board meanwhile; leaving the transaction lets go of this one
            row, board, other = found
            opened = Change(actor, board, role_for_change(actor, board, needs, archived_board, model), row)
            if other is not None:
                opened.other = Change(actor, other, role_for_change(actor, other, needs, archived_board), other)
            yield opened
            opened.finish()
            return
    raise not_found()


@contextmanager
def first_change(actor: Actor, board: Board) -> Iterator[Change[Board]]:
    """Insert a new board, owned by the actor, and open its change number 1."""
    with transaction.atomic():
        board.save(force_insert=True)
        opened = Change(actor, board, Role.OWNER, board)
        opened.add(Membership(user=actor.user, role=Role.OWNER))
        yield opened
        opened.finish()
