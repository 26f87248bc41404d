from uuid import uuid4

import pytest

from boards.actions.boards.board import create_board
from boards.actions.lists.list import archive_list, create_list
from boards.models import Activity, Card
from conftest import web

FIELDS = [
    "id",
    "number",
    "title",
    "listId",
    "boardId",
    "dueDate",
    "dueDay",
    "dueLocal",
    "startDate",
    "completed",
    "description",
    "url",
]


def test_create_task_answers_with_the_task_as_it_is_stored(agent, todo):
    task = agent.call(
        "create_task",
        listId=todo.pk,
        title=" Print ",
        description="# Plan\n- [ ] **all**",
        dueDate="2026-12-01T10:00+01:00",
        startDate="2026-11-28",
    )["task"]
    assert list(task) == FIELDS
    assert task == {
        "id": task["id"],
        "number": 1,
        "title": "Print",
        "listId": str(todo.pk),
        "boardId": str(todo.board_id),
        "dueDate": "2026-12-01T09:00:00Z",
        "dueDay": None,
        "dueLocal": "2026-12-01T09:00:00+00:00",
        "startDate": "2026-11-28",
        "completed": False,
        "description": "# Plan\n\n- [ ] **all**",
        "url": f"/board/{todo.board_id}?card={task['id']}",
    }
    assert agent.call("get_task", taskId=task["id"])["task"] == task


def test_without_date_and_description_they_are_null_and_empty(agent, todo):
    task = agent.call("create_task", listId=todo.pk, title="Print", dueDate=None, description=None)["task"]
    assert (task["dueDate"], task["description"]) == (None, "")


def test_a_board_id_stands_for_its_first_open_list(agent, olga, board, todo, doing):
    archive_list(actor=web(olga), list_id=todo.pk)
    assert agent.call("create_task", boardId=board.pk, title="Print")["task"]["listId"] == str(doing.pk)


def test_the_list_wins_over_the_board(agent, todo, doing):
    task = agent.call("create_task", listId=doing.pk, boardId=uuid4(), title="Print")["task"]
    assert task["listId"] == str(doing.pk)


def test_a_date_without_offset_is_read_in_the_time_zone_of_the_account(agent_of, olga, todo):
    olga.time_zone = "Asia/Tokyo"
    olga.save()
    task = agent_of(olga).call("create_task", listId=todo.pk, title="Print", dueDate="2026-12-01T09:00")["task"]
    assert task["dueDate"] == "2026-12-01T00:00:00Z"


def test_a_task_can_repeat(agent, todo):
    task = agent.call("create_task", listId=todo.pk, title="Print", dueDate="2026-12-01", recurrence="weekly")["task"]
    assert agent.call("get_task", taskId=task["id"])["recurrence"] == "weekly"


def test_create_task_is_recorded_as_the_work_of_an_agent(agent, todo):
    agent.call("create_task", listId=todo.pk, title="Print")
    line = Activity.objects.get(verb="card.created")
    assert (line.door, line.token_id, line.token_name) == ("agent", agent.token.pk, "Robot")


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"title": None}, "title is missing."),
        ({"title": "x" * 501}, "title must have at most 500 characters"),
        ({"title": "a\0b"}, "U+0000"),
        ({"description": "x" * 20_001}, "description must have at most 20000 characters"),
        ({"dueDate": "tomorrow"}, "dueDate must be an ISO 8601"),
        ({"dueDate": ""}, "dueDate must be an ISO 8601"),
        ({"recurrence": "hourly"}, "recurrence must be one of daily, weekly, biweekly, monthly, yearly."),
        ({"recurrence": "weekly"}, "recurrence needs a dueDate, from which the next one is counted."),
        ({"listId": 5}, "listId must be an id as a string."),
        ({"listId": None}, "Give at least one of listId, boardId."),
    ],
)
def test_a_refusal_says_how_to_go_on(agent, todo, arguments, words):
    sentences = agent.refused("create_task", **{"title": "Print", "listId": todo.pk, **arguments})
    assert words in sentences
    assert sentences.endswith("Correct the arguments and call again.")
    assert not Card.objects.exists()


def test_a_board_without_lists_says_so(agent, board):
    assert "no lists yet" in agent.refused("create_task", boardId=board.pk, title="Print")


def test_an_archived_list_is_not_found(agent, olga, todo):
    archive_list(actor=web(olga), list_id=todo.pk)
    assert "There is no list" in agent.refused("create_task", listId=todo.pk, title="Print")


def test_a_title_is_taken_in_place_of_an_id(agent, board, todo):
    for place in ({"listId": " to do"}, {"boardId": "Launch"}, {"list": "To do", "board": "launch"}):
        assert agent.call("create_task", title="Print", **place)["task"]["listId"] == str(todo.pk)


@pytest.fixture
def twin(olga, todo):
    """A list of the same title on another board of Olga's."""
    other = create_board(actor=web(olga), title="Other")
    return create_list(actor=web(olga), board_id=other.pk, title="To do")


def test_a_title_that_several_lists_have_is_answered_with_their_boards_and_ids(agent, todo, twin):
    refusal = agent.refused("create_task", listId="to do", title="Print")
    assert f"'To do' on the board 'Launch' (id {todo.pk}); 'To do' on the board 'Other' (id {twin.pk})." in refusal
    refusal = agent.refused("create_task", boardId="nonsense", listId="to do", title="Print")
    assert str(todo.pk) in refusal


def test_of_lists_with_one_title_that_of_the_board_is_meant(agent, todo, twin):
    task = agent.call("create_task", listId="To do", boardId=twin.board_id, title="Print")["task"]
    assert task["listId"] == str(twin.pk)


def test_a_title_that_several_boards_have_is_answered_with_their_ids(agent, olga, board):
    other = create_board(actor=web(olga), title="Launch")
    refusal = agent.refused("create_task", boardId="Launch", title="Print")
    assert f"'Launch' (id {board.pk}, yours); 'Launch' (id {other.pk}, yours)." in refusal


def test_of_very_many_lists_with_one_title_ten_are_named(agent, olga, todo):
    for _number in range(10):
        create_list(actor=web(olga), board_id=todo.board_id, title="To do")
    refusal = agent.refused("search_tasks", listId="To do")
    assert refusal.count("(id ") == 10
    assert "; and others." in refusal


@pytest.mark.parametrize("sent", ["Nowhere", "\ud800", "\0"])
def test_a_title_that_no_list_has_is_answered_without_an_id(agent, todo, sent):
    assert "Call list_boards" in agent.refused("create_task", listId=sent, title="Print")


def test_the_title_of_somebody_elses_list_gives_nothing_away(agent_of, stan, todo):
    assert str(todo.pk) not in agent_of(stan).refused("create_task", listId="To do", title="Print")
