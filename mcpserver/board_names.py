"""Labels and members of one board by what people call them, for tools that write."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any
from uuid import UUID

from boards.actions.cards.labels import create_label
from boards.actor import Actor
from boards.colours import next_hue
from boards.errors import Invalid
from boards.reading.names import labels_of_board, members_of_board
from boards.text import LABEL, clean_line
from core.text.folding import fold
from core.text.names import display_name
from core.text.nearest import nearest
from mcpserver.arguments import FAULTS
from mcpserver.wrong_ids import CANDIDATES, there_are, titled

LABELS = ("labels", "addLabels", "removeLabels")
PEOPLE = ("assignees", "addAssignees", "removeAssignees")
ME = "me"
CREATE = "Send createLabels: true to create it."


class _Index:
    """Rows (id, name) by id, and by name as `called` compares names. Each name is folded once, however many are looked up."""

    def __init__(self, rows: Iterable[tuple[UUID, str]]) -> None:
        self.rows: list[tuple[UUID, str]] = []
        self._ids: dict[str, list[UUID]] = {}
        self._exact: dict[str, list[UUID]] = {}
        self._folded: dict[str, list[UUID]] = {}
        for pk, name in rows:
            self.add(pk, name)

    def add(self, pk: UUID, name: str) -> None:
        self.rows.append((pk, name))
        for index, key in ((self._ids, str(pk)), (self._exact, name), (self._folded, fold(name))):
            index.setdefault(key, []).append(pk)

    def find(self, sent: str) -> list[UUID]:
        """Return the ids of the rows with this id, or else with this name."""
        name = sent.strip()
        return self._ids.get(sent) or self._exact.get(name) or self._folded.get(fold(name), [])


class BoardNames:
    """The labels and members of a board, each read when the first of them is asked for."""

    def __init__(self, board_id: UUID, actor: Actor) -> None:
        self.board_id, self.actor = board_id, actor

    @cached_property
    def _labels(self) -> list[tuple[UUID, str, int]]:
        return labels_of_board(self.board_id)

    @cached_property
    def _people(self) -> list[tuple[UUID, str, str]]:
        """The members as (id, name, address). Addresses are compared with what was sent, and never shown."""
        return [(pk, display_name(name, email), email) for pk, name, email in members_of_board(self.board_id)]

    @cached_property
    def _label_names(self) -> _Index:
        return _Index((pk, name) for pk, name, _hue in self._labels)

    @cached_property
    def _addresses(self) -> dict[str, UUID]:
        return {email.lower(): pk for pk, _name, email in self._people}

    @cached_property
    def _names(self) -> _Index:
        return _Index((pk, name) for pk, name, _email in self._people)

    @cached_property
    def _first_names(self) -> _Index:
        return _Index((pk, name.partition(" ")[0]) for pk, name, _email in self._people)

    def ids(self, arguments: Mapping[str, Any]) -> dict[str, list[UUID]]:
        """Return the ids of the labels and members that these arguments name, by the names of the arguments.

        Labels that the board lacks are created if createLabels is sent. Raises one Invalid for all that is wrong.
        """
        found: dict[str, list[UUID]] = {}
        faults: list[str] = []
        create = bool(arguments.get("createLabels"))
        for field in (field for field in (*PEOPLE, *LABELS) if field in arguments):
            for sent in arguments[field]:
                if len(faults) == FAULTS:  # the rest would not be told
                    break
                try:
                    found.setdefault(field, []).extend(self._found(sent, field, create, faults))
                except Invalid as fault:
                    faults.append(fault.message)
        if faults:
            raise Invalid(" ".join(faults))
        return {field: list(dict.fromkeys(found.get(field, ()))) for field in (*PEOPLE, *LABELS) if field in arguments}

    def _found(self, sent: str, field: str, create: bool, faults: list[str]) -> list[UUID]:
        """Return what has this name. After a fault no label is created, and only the first is told what is like it."""
        if field in PEOPLE:
            return [self._person(sent, field)]
        if create and faults and field != "removeLabels" and not self._label_names.find(sent):
            return []
        return [self._label(sent, field, create, is_first=not faults)]

    def _label(self, sent: str, field: str, create: bool, *, is_first: bool) -> UUID:
        rows, found = self._label_names.rows, self._label_names.find(sent)
        if len(found) == 1:
            return found[0]
        if found:
            raise Invalid(_choice(sent, "labels", [row for row in rows if row[0] in found]), field)
        if not create or field == "removeLabels":
            raise Invalid(_no_label(sent, [name for _pk, name in rows], field, is_first=is_first), field)
        name = clean_line(sent, field, LABEL)
        hue = next_hue(hue for _pk, _name, hue in self._labels)
        label = create_label(actor=self.actor, board_id=self.board_id, name=name, hue=hue)
        self._labels.append((label.pk, label.name, label.hue))
        self._label_names.add(label.pk, label.name)
        return label.pk

    def _person(self, sent: str, field: str) -> UUID:
        if fold(sent) == ME:
            return self.actor.user.pk
        sent = sent.removeprefix("@")  # as a mention begins
        if with_address := self._addresses.get(sent.lower()):
            return with_address
        rows, found = self._names.rows, self._names.find(sent) or self._first_names.find(sent)
        if len(found) == 1:
            return found[0]
        if found:
            raise Invalid(_choice(sent, "members", [row for row in rows if row[0] in found]), field)
        if "@" in sent:
            begins = titled(sent.partition("@")[0])
            raise Invalid(f"{field}: the address that begins with {begins} is that of no member of this board.", field)
        raise Invalid(
            f"{field}: no member of this board is called {titled(sent)}.{there_are(sorted(name for _pk, name in rows))}",
            field,
        )


def _choice(sent: str, kind: str, rows: Sequence[tuple[UUID, str]]) -> str:
    there = "; ".join(f"{titled(name)} (id {pk})" for pk, name in rows[:CANDIDATES])
    others = "; and others" if len(rows) > CANDIDATES else ""
    return f"{titled(sent)} fits several {kind}: {there}{others}. Send the id of one."


def _no_label(sent: str, names: Sequence[str], field: str, *, is_first: bool) -> str:
    near = nearest(sent, names) if is_first else None
    hint = (f" Did you mean {titled(near)}?" if near else "") + there_are(sorted(names))
    create = "" if field == "removeLabels" else f" {CREATE}"
    return f"{field}: this board has no label {titled(sent)}.{hint}{create}"
