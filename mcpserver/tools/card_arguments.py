"""The arguments of tools that create and change tasks, alone or many at once."""

from dataclasses import replace

from boards import text
from mcpserver.answers import an_answer
from mcpserver.arguments import Argument
from mcpserver.card_kinds import a_color, a_position, checklists, names
from mcpserver.kinds import (
    a_board,
    a_day,
    a_due_date,
    a_flag,
    a_line,
    a_recurrence,
    a_task,
    a_text,
    a_yes,
    an_id,
    an_idempotency_key,
)

DUE = "ISO 8601, as in 2026-12-01 or 2026-12-01T09:00, in the account's zone"
START = "A date, not after dueDate"
CREATES_LABELS = a_flag("createLabels", "Create missing labels.")
CREATES_LABELS_OF_ALL = a_flag("createLabels", "For all.")
KEY = an_idempotency_key("For retries.")
CHECKLISTS = "[{title, items: [{text, done}]}]"

NEW_TASK: tuple[Argument, ...] = (
    a_line("title", "Title on one line.", text.CARD_TITLE, required=True),
    an_id("listId", "Its list, by id or title."),
    a_board("Its board, for the first list."),
    a_text("description", "Markdown.", text.DESCRIPTION),
    a_due_date("dueDate", f"{DUE}."),
    a_day("startDate", f"{START}."),
    a_recurrence("Repeats after it is archived; needs dueDate."),
    names("labels", "By name."),
    names("assignees", "Members by name, mail, or me."),
    checklists(f"{CHECKLISTS}."),
    a_color("A color, such as teal."),
    CREATES_LABELS,
)
CHANGES: tuple[Argument, ...] = (
    a_line("title", "Title on one line.", text.CARD_TITLE),
    # Without limit: get_task may show more than a new text may have, and sending it back unchanged must be accepted.
    # docs/decisions/mcp.md
    a_text("description", "Markdown; replaces it all.", None),
    a_due_date("dueDate", "null clears it.", nullable=True),
    a_day("startDate", "null clears it.", nullable=True),
    a_recurrence("null stops it.", nullable=True),
    names("labels", "The whole set."),
    names("addLabels", "These too."),
    names("removeLabels", "Without these."),
    names("assignees", "The whole set."),
    names("addAssignees", "These too."),
    names("removeAssignees", "Without these."),
    checklists(f"{CHECKLISTS}, merged by title and text; remove: true takes one away."),
    a_color("null clears it.", nullable=True),
    an_id("listId", "Move there."),
    a_position("top, bottom, before #5 or after #5."),
    a_flag("completed", "Done or not."),
)
CHANGED_TASK = (*a_task(), *CHANGES, CREATES_LABELS)
A_CHANGE = tuple(argument.name for argument in CHANGES)
LAST_CHANGES: tuple[Argument, ...] = (  # of one of many tasks, after its other changes
    a_text("comment", "Markdown.", text.COMMENT, filled=True),
    a_yes("archive", "restore_task brings a task back."),
)
ONE_OF_MANY = (*CHANGED_TASK, *LAST_CHANGES)
A_CHANGE_OF_MANY = (*A_CHANGE, *(argument.name for argument in LAST_CHANGES))

COMPLETE = "complete_task marks a task as done, reopen_task as not done."
PLACE = "update_task and move_task put a task into a place."
ARCHIVE = "archive_task hides a task, and restore_task brings it back."
COMPLETED = "send completed: true for a task that is done, and completed: false for one that is not."
WHOLE_DAY = "dueDate takes a whole day too, as in 2026-12-01."
COMMENT = "add_comment leaves a note on a task."
ELSEWHERE = {  # of a name that a tool takes itself it says nothing
    **dict.fromkeys(("status", "state", "completed", "done"), COMPLETE),
    "position": PLACE,
    **dict.fromkeys(("archived", "archive"), ARCHIVE),
    **dict.fromkeys(("dueDay", "dueLocal"), WHOLE_DAY),
    **dict.fromkeys(("comment", "comments", "text"), COMMENT),
}
ELSEWHERE_OF_MANY = {**ELSEWHERE, **dict.fromkeys(("status", "state", "done"), COMPLETED)}


def a_form(default: str) -> Argument:
    """The form of the tasks in the answer; search_tasks says what there is."""
    schema = {"type": "string", "description": "As in search_tasks."}
    return replace(an_answer(default), schema=schema)
