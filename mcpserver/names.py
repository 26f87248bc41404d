"""Find people and labels by the names that agents give them in a search."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from boards.errors import Invalid
from boards.models import Board, Label, Membership
from boards.text import fold
from core.text.names import display_name
from mcpserver.caller import Caller
from mcpserver.wrong_ids import CANDIDATES, titled

NAME = 100  # characters


def people_called(sent: str, caller: Caller, board_id: UUID | None) -> tuple[UUID, ...]:
    """Return the ids of the members with this name, first name or id, on the board or on all of the caller's boards.

    Raises Invalid, with the names that there are, when nobody has it. The account itself is called "me".
    """
    if fold(sent) == "me":
        return (caller.user.pk,)
    members = Membership.objects.filter(board__in=_boards(caller, board_id)).order_by("user")
    people = {
        pk: display_name(name, email)
        for pk, name, email in members.values_list("user", "user__name", "user__email").distinct()
    }
    found = tuple(
        pk for pk, name in people.items() if fold(sent) in (fold(name), fold(name.partition(" ")[0]), str(pk))
    )
    return found or _nothing("assignee", "No member of your boards is", sent, people.values())


def labels_called(sent: str, caller: Caller, board_id: UUID | None) -> tuple[UUID, ...]:
    """Return the ids of the labels with this name or id; raise Invalid, with the names that there are, without any."""
    labels = Label.objects.filter(board__in=_boards(caller, board_id)).order_by("pk")
    names = dict(labels.values_list("pk", "name"))
    found = tuple(pk for pk, name in names.items() if fold(sent) in (fold(name), str(pk)))
    return found or _nothing("label", "No label on your boards is", sent, names.values())


def _boards(caller: Caller, board_id: UUID | None) -> "QuerySet[Board]":
    boards = Board.objects.visible_to(caller.reader).open()
    return boards if board_id is None else boards.filter(pk=board_id)


def _nothing(field: str, nobody: str, sent: str, names: Iterable[str]) -> tuple[UUID, ...]:
    there = [titled(name) for name in sorted(set(names))]
    others = ", and others" if len(there) > CANDIDATES else ""
    known = f" There are {', '.join(there[:CANDIDATES])}{others}." if there else " There are none."
    raise Invalid(f"{nobody} called {titled(sent)}.{known}", field)
