"""The tools, in the order in which agents see them."""

from mcpserver.registry import Tool
from mcpserver.tools.boards import create_board, create_list, list_boards
from mcpserver.tools.changes import list_changes
from mcpserver.tools.many_tasks import create_tasks, update_tasks
from mcpserver.tools.overviews import overview
from mcpserver.tools.read_tasks import get_task
from mcpserver.tools.searching import search_tasks
from mcpserver.tools.whole_board import get_board
from mcpserver.tools.write_tasks import (
    add_comment,
    archive_task,
    complete_task,
    create_task,
    edit_comment,
    move_task,
    reopen_task,
    restore_task,
    update_task,
)

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        list_boards,
        create_board,
        create_list,
        search_tasks,
        get_task,
        create_task,
        update_task,
        complete_task,
        reopen_task,
        move_task,
        archive_task,
        add_comment,
        get_board,
        overview,
        list_changes,
        create_tasks,
        update_tasks,
        restore_task,
        edit_comment,
    )
}
