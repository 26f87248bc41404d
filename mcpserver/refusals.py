"""Turn the errors of a tool into sentences that say what to do."""

from typing import Any

from django.db import OperationalError

from boards.errors import Conflict, DomainError, Invalid, LimitReached, NotFound
from boards.models import Board, Card, Label, List, StoredFile
from core.sql import LOCK_NOT_AVAILABLE, QUERY_CANCELED, sqlstate_of
from mcpserver.caller import Caller
from mcpserver.wrong_ids import what_is_wrong

TOO_LONG = "This took too long and was stopped; nothing was changed. Try again in a moment, or ask for less."
BUSY = "The service is busy; nothing was changed. Try again in a moment."
ARCHIVED = "This task is archived. Call restore_task to bring it back; get_task and add_comment work as it is."
RESTORE_LIST = "No tool restores lists: ask a person who may edit the board to do it, under Archived cards and lists in the board's menu."
LIST_ARCHIVED = (
    "The list of this task is archived: get_task, add_comment and edit_comment still work on the task, nothing else does. "
    f"{RESTORE_LIST}"
)
PLACE_ARCHIVED = f"That list is archived, so no task can be put into it. {RESTORE_LIST}"
BY_HAND = "ask a person who may edit the board to do it in the browser."
MAKING_ROOM: dict[type | None, str] = {  # the sentences for people say what no tool does
    Board: "No tool archives or deletes boards: ask the person whose token this is to do it in the browser.",
    List: f"No tool archives lists: {BY_HAND}",
    Label: f"No tool deletes labels: {BY_HAND}",
    StoredFile: f"No tool deletes files: {BY_HAND}",
}
CORRECT = "Correct the arguments and call again."


class ToolRefused(Exception):
    """The tool was not run, or changed nothing. The message is for the agent and says what to do."""


def sentence_for(error: DomainError, arguments: dict[str, Any], caller: Caller) -> str:
    """Return what the caller is told of an error of the domain. Nothing may be open that the error has broken."""
    if isinstance(error, NotFound):
        return what_is_wrong(arguments, caller.reader) or error.reason or error.message
    if isinstance(error, Conflict):
        return what_is_wrong(arguments, caller.reader) or _conflict(error)
    if isinstance(error, LimitReached) and error.full in MAKING_ROOM:
        return f"{error.message} {MAKING_ROOM[error.full]}"
    return error.message


def sentence_for_trouble(error: OperationalError) -> str | None:
    """Return what the caller is told of a statement that was stopped; None for any other trouble of the database."""
    if sqlstate_of(error) == QUERY_CANCELED:
        return TOO_LONG
    if sqlstate_of(error) == LOCK_NOT_AVAILABLE or "locked" in str(error):
        return BUSY
    return None


def corrected(error: Invalid) -> str:
    return f"{error.message} {CORRECT}"


def _conflict(error: Conflict) -> str:
    if isinstance(error.current, List):
        return PLACE_ARCHIVED
    if not isinstance(error.current, Card):
        return error.message
    return LIST_ARCHIVED if error.current.list.archived_at else ARCHIVED
