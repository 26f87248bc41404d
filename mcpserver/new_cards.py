"""The fields of a new card with its labels, people and checklists, as the actions take them."""

from typing import Any
from uuid import UUID

from apiv1.fields import NEEDS_DATE
from boards.errors import Invalid
from mcpserver.board_names import BoardNames
from mcpserver.card_changes import fields_of
from mcpserver.checklist_changes import new_checklists
from mcpserver.finding import Finder

NAMED = {"labels": "label_ids", "assignees": "assignee_ids"}  # as the actions call them


def require_date(arguments: dict[str, Any]) -> None:
    if "recurrence" in arguments and "dueDate" not in arguments:
        raise Invalid(NEEDS_DATE, "recurrence")


def board_for(arguments: dict[str, Any], finder: Finder) -> UUID:
    """Return the board of a new card. Raises NotFound unless the caller can see it, so that nothing on it is told."""
    if "listId" in arguments:
        return finder.board_of_list(arguments["listId"].required())
    return finder.require_board(arguments["boardId"].required())


def new_fields(arguments: dict[str, Any], names: BoardNames | None) -> dict[str, Any]:
    """Return the fields. `names` are those of the board, for arguments in which labels or people are named."""
    fields = fields_of(arguments) | {"checklists": new_checklists(arguments.get("checklists", ()))}
    found = names.ids(arguments) if names else {}
    return fields | {action: found[name] for name, action in NAMED.items() if name in found}
