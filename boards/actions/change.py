"""Every write of board data goes through `change`: one transaction, one lock, one version number, one line of activity.

Why not just save the rows: live pages, the history and repeated calls all rely on "saved if and only if recorded", and
`Change` raises an error for any action that breaks this rule (docs/architecture.md, "A write").
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Generic
from uuid import UUID

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.locks import Row, lock_row, role_for_change
from boards.actor import Actor, Made
from boards.errors import Outdated
from boards.hints import hint
from boards.models import Activity, Board, Card, FormerValues, Role, Verb
from boards.models.records import fields_of
from boards.statements import note_saved, read_role
from core.sql import Statement, insert_all, insertion, run_together, update

# Derived fields: not recorded in the activity.
DERIVED = {
    "search_text",
    "excerpt",
    "recurrence_anchor",
    "repeats_id",
    "edited_at",
    "position",
    "document",
    "html",
    "html_version",
    "password",  # of a public link; only that there is one is recorded
}
KEPT = {"recurrence_anchor"}  # derived fields whose former values undo needs
LONG_TEXTS = {"description", "body"}  # their old versions are stored in FormerValues instead of the activity
OWN_NOUNS = {"board", "member", "owner", "list", "label"}  # of the verbs that change what a board itself shows
ATTEMPTS = 20  # to lock a row that others keep moving from board to board

# Callbacks for apps that follow the history. Each is called inside the transaction of every change, with the board's id
# and its new version, and returns a statement that is run together with those of the change. An empty list costs nothing.
ON_CHANGE: list[Callable[[UUID, int], Statement]] = []


class Change(Generic[Row]):
    """An open change of one board, whose row is locked. Save rows through it, then call `record` once."""

    other: "Change[Board] | None" = None  # the change of the second board, if `change` was given one

    def __init__(self, actor: Actor, board: Board, role: Role, row: Row) -> None:
        self.actor, self.board, self.role, self.row = actor, board, role, row
        actor.touched.add(board.pk)
        self.now = timezone.now()
        self.number = board.version + 1
        self.added: list[models.Model] = []
        self._at_end: list[Statement] = []
        self._touched = False
        self._activity: Activity | None = None
        self._values: dict[str, tuple[Any, Any] | None] = {}
        self._former: dict[str, Any] = {}
        self._removed: list[dict[str, str]] = []
        self._board_fields = {"version", "changed_at"}
        self._after_commit: list[Callable[[], object]] = []

    def add(self, row: models.Model) -> None:
        """Insert a new row of this board, with this change's number as its version, when the change is finished."""
        self._stamp(row)
        self.added.append(row)
        self._touched = True

    def _stamp(self, row: models.Model) -> None:
        row.board_id = self.board.pk  # type: ignore[attr-defined]
        row.version = self.number  # type: ignore[attr-defined]

    def add_all(self, rows: Iterable[models.Model]) -> None:
        """Insert many rows of one model in one statement. An empty iterable changes nothing."""
        rows = list(rows)
        if not rows:
            return
        for row in rows:
            self._stamp(row)
        insert_all(rows)
        note_saved(rows)
        self._touched = True

    def set(self, row: models.Model, **values: Any) -> bool:
        """Write the values that differ and remember old and new ones for `record`. Return False when none differs."""
        new = self._set(row, values)
        if new:
            self._write(row, new)
        return bool(new)

    def set_at_end(self, row: models.Model, **values: Any) -> None:
        """As `set`, but write the row when the change is finished: until then the database has its former values.

        Something must differ.
        """
        self._at_end.append(self._writing(row, self._set(row, values)))

    def write_at_end(self, statement: Statement) -> None:
        """Run a statement that writes rows of this board when the change is finished."""
        self._at_end.append(statement)
        self._touched = True

    def _set(self, row: models.Model, values: Mapping[str, Any]) -> list[str]:
        new = {name: value for name, value in values.items() if getattr(row, name) != value}
        for name, value in new.items():
            self._remember(name, getattr(row, name), value)
            setattr(row, name, value)
        return list(new)

    def _remember(self, name: str, old: Any, new: Any) -> None:
        if name in LONG_TEXTS:
            self._values[name] = None
            if old:
                self._former[name] = old
            return
        if name in KEPT and old is not None:
            self._former[name] = old
        if isinstance(old, models.Model) or isinstance(new, models.Model):
            name, old, new = f"{name}_id", old and old.pk, new and new.pk
        if name not in DERIVED:
            self._values[name] = (old, new)

    def keep(self, **values: Any) -> None:
        """Store former values with the activity, in FormerValues: what is needed to recreate a deleted row."""
        self._former |= values

    def touch(self, *rows: models.Model) -> None:
        """Give rows this change's number because something that they show has changed, such as a card's comments."""
        for row in rows:
            self._write(row, ())

    def touch_all(self, rows: "models.QuerySet[Any]", **values: Any) -> None:
        """Write the same values and this change's number to many rows in one statement."""
        if rows.update(version=self.number, **values):
            self._touched = True

    def remove(self, row: models.Model) -> None:
        """Delete a row permanently. The activity names it, so that open pages can remove it."""
        self.gone(_kind(row), row.pk)
        row.delete()

    def gone(self, kind: str, pk: UUID) -> None:
        """Name a row in the activity that is no longer on this board: deleted, or moved to another board."""
        self._removed.append({"kind": kind, "id": str(pk)})
        self._touched = True

    def next_card_number(self) -> int:
        self.board.last_card_number += 1
        self._board_fields.add("last_card_number")
        return self.board.last_card_number

    def record(
        self, verb: Verb, subject: models.Model, record: Mapping[str, Any] | None = None, *, card: Card | None = None
    ) -> None:
        """Describe this change in the activity; call it once.

        `record` (models/records.py) adds to the old and new values that `set` remembered. Raises RuntimeError for a
        second call, and when the names of the values are not those that the record of this verb declares.
        """
        if self._activity is not None:
            raise RuntimeError("a change records one line of activity")
        card = card or (subject if isinstance(subject, Card) else None)
        line = self.line(verb, subject, {**self._values, **(record or {})}, card)
        self._activity = Activity(
            board=self.board,
            version=self.number,
            card_id=card.pk if card else None,
            undoes=self.actor.undoing.get(self.board.pk),
            **line,
        )

    def line(
        self, verb: Verb, subject: models.Model, record: Mapping[str, Any], card: Card | None = None
    ) -> dict[str, Any]:
        """Return the fields of a HistoryLine with this change's actor and time."""
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
        """Call `do` once this change is committed, for example to delete a file or start a job.

        It is not called when the change saved nothing or was rolled back. An exception in it is logged and has no other
        effect.
        """
        self._after_commit.append(do)

    def finish(self) -> None:
        """Write the added rows, the activity and the board's new version, and announce it; do nothing when nothing was saved.

        A change of a second board is finished first, in the same way.
        """
        if self.other is not None:
            self.other.finish()
        activity = self._take_number()
        if activity is None:
            return
        new = [*self.added, activity]
        if self._former:
            new.append(FormerValues(activity=activity, values=self._former))
        write_board(self.board, self._board_fields, [*self._at_end, *map(insertion, new)])
        note_saved(new)
        announce(self.board.pk, self.number, self._after_commit)

    def _take_number(self) -> Activity | None:
        """Move the board to this change's number and return its line of activity; None when nothing was saved.

        Raises RuntimeError when rows were saved without `record`, or `record` was called without saving any.
        """
        if self._touched != (self._activity is not None):
            raise RuntimeError("a change must record exactly what it saves")
        if self._activity is not None:
            self._activity.removed = self._removed or None
            self.board.version, self.board.changed_at = self.number, self.now
            if self._activity.verb.partition(".")[0] in OWN_NOUNS:
                self.board.own_version = self.number
                self._board_fields.add("own_version")
            self.actor.changes.append(Made(self.board.pk, self.number, Verb(self._activity.verb)))
        return self._activity

    def _write(self, row: models.Model, names: Iterable[str]) -> None:
        self._touched = True
        if isinstance(row, Board):
            self._board_fields.update(names)
            return
        run_together([self._writing(row, names)])

    def _writing(self, row: models.Model, names: Iterable[str]) -> Statement:
        self._touched = True
        fields = {*names, "version"}
        row.version = self.number  # type: ignore[attr-defined]
        if isinstance(row, Card):
            row.updated_at = self.now
            fields.add("updated_at")
        return update(row, fields)


def write_board(board: Board, names: Iterable[str], written: Iterable[Statement] = ()) -> None:
    """Write these fields of the board at its new version, with the other statements of a change and of its followers."""
    run_together([*written, *(note(board.pk, board.version) for note in ON_CHANGE), update(board, names)])


def announce(board_id: UUID, version: int, after_commit: Iterable[Callable[[], object]]) -> None:
    """After the commit, publish the hint and call `after_commit`.

    Each callback is robust: one that fails is logged and does not stop the next. Why a lambda around each: Django logs
    the `__qualname__` of a robust callback that failed, which a functools.partial does not have.
    """
    for do in (lambda: hint(board_id, version), *after_commit):
        transaction.on_commit(lambda do=do: do(), robust=True)  # type: ignore[misc]


def _checked(verb: Verb, values: Mapping[str, Any]) -> Mapping[str, Any]:
    allowed, required = fields_of(verb)
    if not required <= values.keys() <= allowed:
        raise RuntimeError(f"{verb} records {sorted(allowed)}, not {sorted(values)}")
    return values


def _kind(row: models.Model) -> str:
    """Return the word for rows of this model, the same as in the verbs."""
    name = row._meta.model_name or ""
    names = {"checklistitem": "item", "membership": "member", "publiclink": "link", "invitationlink": "invitation_link"}
    names |= {"boardgroup": "group"}
    return names.get(name, name)


def _named(subject: models.Model, card: Card | None) -> dict[str, str]:
    """Return what the activity stores of its subject, so that it stays readable when the row is renamed or deleted."""
    named = {"kind": _kind(subject), "id": str(subject.pk), "title": str(subject)[:200]}
    if card is not None and card is not subject:
        named["card"] = card.title[:200]
    if card is not None:
        named["number"] = str(card.number)
    return named


def require_expected(actor: Actor, row: Any) -> None:
    """Raise Outdated unless the row has a version that the actor expects, or one that the actor's own change gave it."""
    if row.pk not in actor.expects:
        return
    version = row.own_version if isinstance(row, Board) else row.version
    own = {made.number for made in actor.changes}
    if version not in actor.expects[row.pk] and version not in own:
        raise Outdated(
            _("This has changed since you read it. Read it again, then repeat your change if it still fits.")
        )


@contextmanager
def change(
    actor: Actor,
    model: type[Row],
    pk: UUID | None,
    *,
    needs: Role = Role.EDITOR,
    archived_board: bool = False,
    and_board: UUID | None = None,
    operates: type[models.Model] | None = None,
    deletes: bool = False,
) -> Iterator[Change[Row]]:
    """Open a change of the row `pk` of `model` (a board, or any row of one), read again under the board's lock.

    With `deletes`, the change deletes something, which a token may be forbidden. With `and_board`, `other` is the change of that board; it is None when that is the row's own board. In the admin,
    operators need the permission to change rows of `operates`, which is `model` unless it is given.

    Raises NotFound when the row does not exist, the actor cannot see it, or its board is archived (unless
    `archived_board`), NotAllowed when the actor's role is below `needs` or their token lacks a right, and Outdated when the
    row has another version than the actor expects.
    """
    for _attempt in range(ATTEMPTS):
        with transaction.atomic():
            found = lock_row(actor, model, pk, and_board)
            if found is None:  # moved to another board meanwhile
                transaction.set_rollback(True)  # releases the locks even when the caller has a transaction of its own
                continue
            row, board, role, other = found
            own = role_for_change(actor, board, role, needs, archived_board, operates or model, deletes)
            require_expected(actor, row)
            opened = Change(actor, board, own, row)
            if other is not None:
                there = role_for_change(actor, other, read_role(other.pk, actor.user.pk), needs, archived_board)
                opened.other = Change(replace(actor, changes=[]), other, there, other)
            yield opened
            opened.finish()
            return
    raise not_found()
