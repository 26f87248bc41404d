import json
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from boards.actions.boards.board import archive_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list
from boards.actions.ordering import renumber
from boards.models import Board, Card, CardLabel, Label, List
from conftest import web


@pytest.fixture
def task(agent, todo):
    """Make tasks in the first list."""

    def make(title, **fields):
        return agent.call("create_task", **{"listId": todo.pk, "title": title, **fields})["task"]

    return make


def titles(agent, **arguments):
    return [task["title"] for task in agent.call("search_tasks", **arguments)["tasks"]]


def test_a_search_answers_with_tasks_and_their_labels_and_assignees(agent, olga, ed, board, task):
    made = task("Print", description="**now**", dueDate="2026-12-01")
    for name in ("Bug", "Größe"):
        label = create_label(actor=web(olga), board_id=board.pk, name=name)
        add_label(actor=web(olga), card_id=made["id"], label_id=label.pk)
    for user in (olga, ed):
        assign(actor=web(olga), card_id=made["id"], user_id=user.pk)
    names = {"labels": ["Bug", "Größe"], "assignees": ["Olga", "Ed"]}
    assert agent.call("search_tasks", query="print") == {"tasks": [made | names]}


def test_a_task_without_labels_and_assignees_says_so(agent, task):
    made = task("Print")
    assert agent.call("search_tasks") == {"tasks": [made | {"labels": [], "assignees": []}]}


@pytest.fixture
def shared(olga, ed, task):
    """Tasks of Ed's, of Olga's and of both, and one of nobody's."""
    for title, people in {"Ed's": [ed], "Olga's": [olga], "Both": [olga, ed], "Nobody's": []}.items():
        made = task(title)
        for user in people:
            assign(actor=web(olga), card_id=made["id"], user_id=user.pk)


@pytest.mark.usefixtures("shared")
def test_a_search_can_be_narrowed_to_a_person_or_to_the_account_itself(agent, agent_of, ed, board):
    assert titles(agent, assignee="me") == ["Both", "Olga's"]
    assert titles(agent_of(ed), assignee="ME") == ["Both", "Ed's"]
    for sent in ("Ed", "ed", ed.pk):
        assert titles(agent, assignee=sent) == ["Both", "Ed's"]
    assert titles(agent, assignee="Ed", boardId=board.pk, query="both") == ["Both"]


@pytest.mark.usefixtures("shared")
def test_a_first_name_or_the_beginning_of_an_address_is_enough(agent, ed):
    ed.name = "Éd Adams"
    ed.save()
    assert titles(agent, assignee="ÉD") == titles(agent, assignee="éd adams") == ["Both", "Ed's"]
    ed.name = ""
    ed.save()
    assert titles(agent, assignee="ed") == ["Both", "Ed's"]


def test_a_person_who_is_not_there_is_refused_with_those_who_are(agent, agent_of, stan, task):
    task("Print")
    refusal = agent.refused("search_tasks", assignee="Stan")
    assert "No member of your boards is called 'Stan'. There are 'Ed', 'Olga', 'Vera'." in refusal
    assert "There are none." in agent_of(stan).refused("search_tasks", assignee="Olga")


def test_a_search_can_be_narrowed_to_a_label(agent, agent_of, olga, stan, board, task):
    label = create_label(actor=web(olga), board_id=board.pk, name="Bug")
    task("Fine")
    add_label(actor=web(olga), card_id=task("Broken")["id"], label_id=label.pk)
    for sent in ("Bug", "bug", label.pk):
        assert titles(agent, label=sent) == ["Broken"]
    assert "No label on your boards is called 'Feature'. There are 'Bug'." in agent.refused(
        "search_tasks", label="Feature"
    )
    assert "There are none." in agent_of(stan).refused("search_tasks", label="Bug")


def test_tasks_can_come_as_they_are_on_the_board(agent, todo, doing, task):
    for title, row, due in [("Three", doing, None), ("One", todo, None), ("Two", todo, "2026-12-01")]:
        task(title, listId=row.pk, dueDate=due)
    top = task("Zero", dueDate="2026-12-09")
    agent.call("move_task", taskId=top["id"], listId=todo.pk, position="top")
    agent.call("complete_task", taskId=top["id"])
    assert titles(agent, order="board") == ["Zero", "One", "Two", "Three"]
    assert titles(agent, order="board", listId=todo.pk, limit=1) == ["Zero"]
    assert titles(agent, order="board", listId=todo.pk, status="open", limit=1) == ["One"]
    assert titles(agent, order="due") == titles(agent) == ["Two", "One", "Three", "Zero"]


def test_pages_in_the_order_of_the_board_follow_each_other(agent, todo, doing, task):
    for number in range(5):
        task(f"Task {number}", listId=(todo, doing)[number % 2].pk)
    found, cursor = [], None
    for _page in range(3):
        page = agent.call("search_tasks", order="board", limit=2, cursor=cursor)
        found += [one["title"] for one in page["tasks"]]
        cursor = page.get("nextCursor")
    assert found == [f"Task {number}" for number in (0, 2, 4, 1, 3)]
    assert cursor is None


def test_a_page_in_the_order_of_the_board_goes_on_after_room_was_made(agent, board, todo, doing, task):
    for number in range(5):
        task(f"Task {number}", listId=(todo, doing)[number // 3].pk)
    cursor = agent.call("search_tasks", order="board", limit=2)["nextCursor"]
    for rows in (Card.objects.filter(list=todo), List.objects.filter(board=board)):
        renumber(rows, Board.objects.get(pk=board.pk).version + 1)
    assert titles(agent, order="board", limit=2, cursor=cursor) == ["Task 2", "Task 3"]


def test_a_cursor_in_the_order_of_the_board_is_good_for_a_day(agent, task):
    for number in range(2):
        task(f"Task {number}")
    cursor = agent.call("search_tasks", order="board", limit=1)["nextCursor"]
    with time_machine.travel(timezone.now() + timedelta(hours=23)):
        assert titles(agent, order="board", cursor=cursor) == ["Task 1"]
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert "Search again without cursor" in agent.refused("search_tasks", order="board", cursor=cursor)


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
    for number in range(16):
        task(f"{number} {'漢' * 490}", description="é" * 9_000)
    page = agent.call("search_tasks")
    assert 36_000 < len(json.dumps(page, ensure_ascii=False, separators=(",", ":")).encode()) <= 40_000
    numbers = [one["number"] for one in page["tasks"]]
    rest = [one["number"] for one in agent.call("search_tasks", cursor=page["nextCursor"])["tasks"]]
    assert numbers + rest == list(range(16, 0, -1))


def test_a_page_has_at_least_one_task_however_long(agent, board, task):
    labels = [Label(board=board, name=f"{number}{'漢' * 46}", hue=1, version=1) for number in range(300)]
    Label.objects.bulk_create(labels)
    for number in range(2):
        card = task(f"Task {number}")["id"]
        CardLabel.objects.bulk_create(CardLabel(board=board, card_id=card, label=one, version=1) for one in labels)
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
