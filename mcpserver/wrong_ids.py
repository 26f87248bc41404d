"""Find out which id of a refused call is wrong, and what the caller may have meant."""

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import QuerySet

from boards.models import Board, Card, List
from boards.reader import Reader
from boards.text import FORBIDDEN
from mcpserver.arguments import SHOWN, GivenId
from mcpserver.caller import Caller

LIST_BOARDS = "Call list_boards for the ids of boards and lists."
SEARCH = "Call search_tasks for the ids of tasks."


def what_is_wrong(arguments: dict[str, Any], caller: Caller) -> str:
    """Return sentences about each id that the caller cannot use; empty when all can be used.

    They are the same for a row that does not exist and for one that the caller may not see.
    """
    return " ".join(_sentences(arguments, caller))


def _sentences(arguments: dict[str, Any], caller: Caller) -> Iterator[str]:
    for name, given in arguments.items():
        if isinstance(given, GivenId) and not _is_reachable(name, given, caller.reader):
            yield f"There is no {KINDS[name]} with the {name} '{given.sent[:SHOWN]}' that you have access to."
            yield _meant(name, given.sent, caller.reader) or (SEARCH if name == "taskId" else LIST_BOARDS)


def _is_reachable(name: str, given: GivenId, reader: Reader) -> bool:
    return given.id is not None and REACHABLE[name](reader).filter(pk=given.id).exists()


def _meant(name: str, sent: str, reader: Reader) -> str:
    """Return a sentence with the id of the only board or list whose title was sent as its id; else empty."""
    if name == "taskId" or FORBIDDEN.search(sent):
        return ""
    ids = REACHABLE[name](reader).filter(title__iexact=sent.strip()).values_list("pk", flat=True)[:2]
    return f"'{sent[:SHOWN]}' is the title of a {KINDS[name]}: its id is {ids[0]}." if len(ids) == 1 else ""


KINDS = {"taskId": "task", "listId": "list", "boardId": "board"}
REACHABLE: dict[str, Callable[[Reader], "QuerySet[Any]"]] = {
    "taskId": lambda reader: Card.objects.visible_to(reader).of_open_boards(),
    "listId": lambda reader: List.objects.visible_to(reader).open().of_open_boards(),
    "boardId": lambda reader: Board.objects.visible_to(reader).open(),
}
