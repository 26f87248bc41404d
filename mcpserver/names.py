"""Find people and labels by the names that agents give them in a search."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import QuerySet

from boards.errors import Invalid
from boards.models import Board, Label, Membership
from boards.reader import Reader
from boards.reading.changes import BoardNow
from core.text.folding import fold
from core.text.names import display_name
from mcpserver.caller import Caller
from mcpserver.given_ids import board_id_in
from mcpserver.wrong_ids import called, there_are, titled, told_apart

NAME = 100  # characters
NOBODY = "nobody"


def people_called(
    sent: Iterable[str], caller: Caller, board_ids: Collection[UUID] | None, field: str = "assignee"
) -> tuple[UUID, ...]:
    """Return the ids of the members with these names, first names or ids, on the boards or on all of the caller's boards.

    Raises Invalid, with the names that there are, when nobody has one. The account itself is called "me".
    """
    others = [one for one in sent if fold(one) != "me"]
    found: tuple[UUID, ...] = () if [*sent] == others else (caller.user.pk,)
    if not others:
        return found
    members = Membership.objects.filter(board__in=_boards(caller, board_ids)).order_by("user")
    people = {
        pk: display_name(name, email)
        for pk, name, email in members.values_list("user", "user__name", "user__email").distinct()
    }
    for one in others:
        called = tuple(
            pk for pk, name in people.items() if fold(one) in (fold(name), fold(name.partition(" ")[0]), str(pk))
        )
        found += called or _nothing(field, f"No member of {_named(board_ids)} is", one, people.values())
    return found


def labels_called(sent: Iterable[str], caller: Caller, board_ids: Collection[UUID] | None) -> tuple[UUID, ...]:
    """Return the ids of the labels with these names or ids; raise Invalid, with the names that there are, without any."""
    labels = Label.objects.filter(board__in=_boards(caller, board_ids)).order_by("pk")
    names = dict(labels.values_list("pk", "name"))
    found: tuple[UUID, ...] = ()
    for one in sent:
        called = tuple(pk for pk, name in names.items() if fold(one) in (fold(name), str(pk)))
        found += called or _nothing("label", f"No label on {_named(board_ids)} is", one, names.values())
    return found


def boards_called(sent: Iterable[str], boards: Collection[BoardNow], reader: Reader) -> list[BoardNow]:
    """Return those of the boards with these titles, ids or addresses, in their order.

    Raises Invalid, with the titles that there are, when there is none, and with the ids when several have a title.
    """
    chosen = set()
    for one in sent:
        sent_id = board_id_in(one.lower())
        found = [board for board in boards if board.id == sent_id]
        if not found:
            ids = called(one, [(board.id, board.title) for board in boards])
            found = [board for board in boards if board.id in ids]
        if not found:
            _nothing("boards", "No board that you have access to is", one, [board.title for board in boards])
        if len(found) > 1:
            one_of = told_apart([(board.id, board.title) for board in found], reader)
            raise Invalid(f"Several boards are called {titled(one)}: {one_of}. Send the id of one.", "boards")
        chosen.add(found[0].id)
    return [board for board in boards if board.id in chosen]


def _boards(caller: Caller, board_ids: Collection[UUID] | None) -> "QuerySet[Board]":
    boards = Board.objects.visible_to(caller.reader).open()
    return boards if board_ids is None else boards.filter(pk__in=board_ids)


def _named(board_ids: Collection[UUID] | None) -> str:
    return "your boards" if board_ids is None else "the boards of this search"


def _nothing(field: str, nobody: str, sent: str, names: Iterable[str]) -> tuple[UUID, ...]:
    raise Invalid(f"{nobody} called {titled(sent)}.{there_are(sorted(set(names)))}", field)
