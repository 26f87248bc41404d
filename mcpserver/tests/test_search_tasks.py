import json
from uuid import uuid4

import pytest

from boards.actions.archive import archive_card
from boards.actions.boards import archive_board
from boards.actions.cards import complete_card
from boards.actions.lists import archive_list
from conftest import web


@pytest.fixture
def task(agent, todo):
    """Make tasks in the first list."""

    def make(title, **fields):
        return agent.call("create_task", **{"listId": todo.pk, "title": title, **fields})["task"]

    return make


def titles(agent, **arguments):
    return [task["title"] for task in agent.call("search_tasks", **arguments)["tasks"]]


def test_a_search_answers_with_whole_tasks(agent, task):
    made = task("Print", description="**now**", dueDate="2026-12-01")
    assert agent.call("search_tasks", query="print") == {"tasks": [made]}


def test_every_word_must_occur_in_title_or_description_in_any_case(agent, task):
    task("Print the FLYER", description="in blue")
    task("Print the poster")
    assert titles(agent, query="flyer BLUE") == ["Print the FLYER"]
    assert titles(agent, query="flyer green") == []


def test_without_arguments_all_tasks_come_open_first_then_by_date_then_newest(agent, olga, task):
    done = task("Done", dueDate="2026-01-01")
    complete_card(actor=web(olga), card_id=done["id"])
    for title, due in {"Old": None, "Late": "2026-12-02", "Soon": "2026-12-01", "New": None}.items():
        task(title, dueDate=due)
    assert titles(agent) == ["Soon", "Late", "New", "Old", "Done"]


def test_a_search_can_be_narrowed_by_board_list_and_status(agent, olga, board, task, doing):
    done = task("Done")
    complete_card(actor=web(olga), card_id=done["id"])
    task("Open")
    task("Elsewhere", listId=doing.pk)
    other = agent.call("create_board", title="Other", template="kanban")["board"]
    task("Far away", listId=other["lists"][0]["id"])
    assert titles(agent, boardId=board.pk) == ["Elsewhere", "Open", "Done"]
    assert titles(agent, listId=doing.pk) == ["Elsewhere"]
    assert titles(agent, boardId=board.pk, status="done") == ["Done"]
    assert titles(agent, boardId=board.pk, status="open") == ["Elsewhere", "Open"]


def test_due_dates_leave_out_that_very_day(agent, task):
    for day in (1, 2, 3):
        task(f"On {day}", dueDate=f"2026-12-0{day}T12:00Z")
    task("Some day")
    assert titles(agent, dueBefore="2026-12-02") == ["On 1"]
    assert titles(agent, dueAfter="20261202") == ["On 3"]
    assert titles(agent, dueAfter="2026-12-01T12:00Z", dueBefore="2026-12-03T12:00Z") == ["On 2"]


def test_archived_tasks_are_left_out(agent, olga, board, task, doing):
    archive_card(actor=web(olga), card_id=task("Gone")["id"])
    task("Hidden", listId=doing.pk)
    archive_list(actor=web(olga), list_id=doing.pk)
    assert titles(agent) == []
    task("Here")
    archive_board(actor=web(olga), board_id=board.pk)
    assert titles(agent) == []


def test_pages_follow_each_other_without_gap_or_repetition(agent, task):
    for number in range(5):
        task(f"Task {number}")
    found, cursor = [], None
    for _page in range(3):
        page = agent.call("search_tasks", query="task", limit=2, cursor=cursor)
        found += [one["title"] for one in page["tasks"]]
        cursor = page.get("nextCursor")
    assert found == [f"Task {number}" for number in (4, 3, 2, 1, 0)]
    assert cursor is None


def test_a_page_has_twenty_tasks_unless_told_otherwise(agent, task):
    for number in range(21):
        task(f"Task {number}")
    page = agent.call("search_tasks")
    assert len(page["tasks"]) == 20
    assert page["nextCursor"]


def test_a_page_stops_at_40_kb_and_the_cursor_goes_on_from_there(agent, task):
    for number in range(5):
        task(f"Task {number}", description="é" * 9_000)
    page = agent.call("search_tasks")
    assert [one["title"] for one in page["tasks"]] == ["Task 4", "Task 3"]
    assert len(json.dumps(page, ensure_ascii=False, separators=(",", ":")).encode()) <= 40_000
    assert titles(agent, cursor=page["nextCursor"]) == ["Task 2", "Task 1"]


def test_a_page_has_at_least_one_task_however_long(agent, task):
    for number in range(2):
        task(f"Task {number}", description="漢" * 20_000)
    page = agent.call("search_tasks")
    assert len(page["tasks"]) == 1
    assert titles(agent, cursor=page["nextCursor"]) == ["Task 0"]


def test_a_cursor_of_another_search_is_refused(agent, task):
    for number in range(3):
        task(f"Task {number}")
    cursor = agent.call("search_tasks", limit=1)["nextCursor"]
    assert "Search again without cursor" in agent.refused("search_tasks", query="task", cursor=cursor)
    assert "Search again without cursor" in agent.refused("search_tasks", cursor="nonsense")


@pytest.mark.parametrize("limit", [0, 51, -1, 1.5, "5", True])
def test_an_invalid_limit_is_refused(agent, limit):
    assert "limit must be a whole number from 1 to 50." in agent.refused("search_tasks", limit=limit)


def test_a_board_or_list_out_of_reach_is_an_error_rather_than_an_empty_page(agent, agent_of, stan, board, todo):
    assert "There is no board" in agent_of(stan).refused("search_tasks", boardId=board.pk)
    assert "There is no list" in agent_of(stan).refused("search_tasks", listId=todo.pk)
    assert "There is no list" in agent.refused("search_tasks", listId=uuid4())


def test_only_boards_of_the_account_are_searched(agent_of, vera, stan, task):
    task("Print")
    assert titles(agent_of(vera), query="print") == ["Print"]
    assert titles(agent_of(stan), query="print") == []
