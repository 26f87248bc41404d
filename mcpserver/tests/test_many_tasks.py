"""create_tasks and update_tasks: many tasks in one call, each of which stands alone unless all or nothing is asked for."""

import json

import pytest

from accounts.models import Bounds
from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.cards.labels import create_label
from boards.actions.lists.list import create_list
from boards.models import Activity, Card, Label
from conftest import join, web
from core.text.folding import fold
from mcpserver import board_names, many, wrong_ids


@pytest.fixture
def cards(olga, todo):
    return [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}") for number in range(1, 6)]


@pytest.fixture
def watched(olga, ed, todo):
    """A board that Ed may only view, with one task."""
    board = create_board(actor=web(olga), title="Garden")
    row = create_list(actor=web(olga), board_id=board.pk, title="Ideas")
    join(ed, board, "viewer")
    return create_card(actor=web(olga), list_id=row.pk, title="Plant trees")


def refusal(agent, tool, **arguments):
    return json.loads(agent.refused(tool, **arguments))


def titles():
    return sorted(Card.objects.values_list("title", flat=True))


def test_many_tasks_are_created_with_their_numbers(agent, todo, doing):
    tasks = [{"title": "One", "list": "Doing"}, {"title": "Two"}, {"title": "Three", "list": str(todo.pk)}]
    answer = agent.call("create_tasks", board="Launch", tasks=tasks)
    assert answer == {"ok": 3, "failed": [], "numbers": [1, 2, 3]}
    assert [card.title for card in Card.objects.filter(list=todo).order_by("position")] == ["Two", "Three"]


def test_tasks_of_several_boards_are_created_in_one_call(agent, olga, todo, watched):
    tasks = [{"title": "A", "list": "Ideas"}, {"title": "B", "board": "Launch"}, {"title": "C", "list": "Ideas"}]
    assert agent.call("create_tasks", tasks=tasks)["numbers"] == [2, 1, 3]


def test_each_created_task_stands_alone(agent, todo):
    tasks = [
        {"title": "Good"},
        {"title": ""},
        {"title": "No label", "labels": ["Nothing"]},
        {"title": "Late", "startDate": "2026-12-02", "dueDate": "2026-12-01"},
        "no object",
        {"title": "No list", "list": "Nowhere"},
        {"title": "Often", "recurrence": "daily"},
        {"titel": "Typo"},
        {"title": "Good too"},
    ]
    answer = agent.call("create_tasks", board="Launch", tasks=tasks)
    assert (answer["ok"], answer["numbers"]) == (2, [1, None, None, None, None, None, None, None, 2])
    told = {row["place"]: row["error"] for row in answer["failed"]}
    for place, words in {
        1: "title must not be empty.",
        2: "this board has no label 'Nothing'.",
        3: "startDate must not be after the due date.",
        4: "This must be an object.",
        5: "There is no list with the listId 'Nowhere'",
        6: "recurrence needs a dueDate",
        7: "Unknown argument 'titel'; did you mean title? title is missing.",
    }.items():
        assert words in told[place]
    assert titles() == ["Good", "Good too"]


def test_a_label_that_one_task_creates_is_there_for_the_next(agent, todo):
    tasks = [{"title": "A", "labels": ["New"], "createLabels": True}, {"title": "B", "labels": ["new"]}]
    assert agent.call("create_tasks", board="Launch", tasks=tasks)["ok"] == 2
    assert [label.name for label in Label.objects.all()] == ["New"]


@pytest.mark.parametrize("tool", ["create_tasks", "update_tasks"])
def test_a_task_that_fails_leaves_no_label(agent, cards, tool):
    wrong = {"labels": ["New"], "createLabels": True, "assignees": ["Nobody"]}
    tasks = [{**wrong, "title": "A", "task": "#1"}, {"title": "B", "task": "#2"}]
    if tool == "create_tasks":
        for one in tasks:
            del one["task"]
    assert agent.call(tool, board="Launch", tasks=tasks)["ok"] == 1
    assert not Label.objects.exists()


def test_many_tasks_are_changed(agent, board, cards, doing):
    tasks = [{"task": f"#{number}", "title": f"New {number}", "list": "Doing"} for number in range(1, 6)]
    assert agent.call("update_tasks", board="Launch", tasks=tasks) == {"ok": 5, "failed": []}
    assert [card.title for card in Card.objects.filter(list=doing).order_by("position")] == [
        f"New {number}" for number in range(1, 6)
    ]


def test_each_changed_task_stands_alone(agent, olga, cards, doing):
    archive_card(actor=web(olga), card_id=cards[2].pk)
    tasks = [
        {"task": "#1", "completed": True},
        {"task": "#99", "completed": True},
        {"task": "#2", "list": "Doing", "assignees": ["Nobody"]},
        {"task": "#3", "title": "Archived"},
        {"task": "#4"},
        {"task": "#5", "recurrence": "daily"},
        {"task": str(cards[0].pk), "title": "Again"},
        {"task": "#5", "labels": "Nothing", "completed": True},
    ]
    answer = agent.call("update_tasks", board="Launch", tasks=tasks)
    told = {row["place"]: row["error"] for row in answer["failed"]}
    assert answer["ok"] == 1
    for place, words in {
        1: "There is no task with the taskId '#99'",
        2: "no member of this board is called 'Nobody'",
        3: "This task is archived.",
        4: "Give at least one of title,",
        5: "recurrence needs a dueDate",
        6: "This task is in tasks twice.",
        7: "As place 6.",
    }.items():
        assert words in told[place]
    assert Card.objects.get(pk=cards[1].pk).list.title == "To do"
    assert Activity.objects.filter(verb__in=["card.moved", "card.assigned"]).count() == 0


@pytest.mark.parametrize("tool", ["create_tasks", "update_tasks"])
def test_all_or_nothing_changes_nothing_for_one_fault(agent, cards, tool):
    good = {"title": "Good"} if tool == "create_tasks" else {"task": "#1", "title": "Good"}
    for wrong in ({**good, "labels": ["Nothing"]}, {**good, "task": "#2", "assignees": ["Nobody"]}, 5):
        if isinstance(wrong, dict) and tool == "create_tasks":
            wrong.pop("task", None)
        before = Activity.objects.count()
        answer = refusal(agent, tool, board="Launch", tasks=[good, wrong], allOrNothing=True)
        assert (answer["ok"], [row["place"] for row in answer["failed"]]) == (0, [1])
        assert Activity.objects.count() == before
    assert "Good" not in titles()
    assert agent.call(tool, board="Launch", tasks=[good], allOrNothing=True)["ok"] == 1


def test_after_very_many_changes_a_call_begins_no_further_task(agent, cards, monkeypatch):
    monkeypatch.setattr(many, "CHANGES", 4)
    steps = [{"title": "Steps", "items": ["One", "Two"]}]
    agent.call("update_tasks", tasks=[{"task": "#1", "checklists": [{"title": "Steps", "items": ["Zero"]}]}])
    tasks = [
        {"task": "#1", "title": "New", "checklists": steps},
        *({"task": f"#{n}", "title": "New"} for n in (2, 3, 4)),
    ]
    answer = agent.call("update_tasks", tasks=tasks)
    assert (answer["ok"], [one["place"] for one in answer["failed"]]) == (2, [2, 3])
    assert answer["failed"][0]["error"].startswith("After 4 changes a call begins no further task")
    assert titles() == ["Card 3", "Card 4", "Card 5", "New", "New"]
    assert agent.call("update_tasks", tasks=tasks[2:])["ok"] == 2


def test_changes_that_are_taken_back_count_among_those_of_a_call(agent, cards, monkeypatch):
    monkeypatch.setattr(many, "CHANGES", 2)
    steps = {"title": "Steps", "items": ["One", "Two", {"text": "Three", "remove": True}]}
    agent.call("update_tasks", tasks=[{"task": "#1", "checklists": [{"title": "Steps", "items": ["Zero"]}]}])
    answer = refusal(
        agent, "update_tasks", tasks=[{"task": "#1", "checklists": [steps]}, {"task": "#2", "title": "New"}]
    )
    assert "has no item 'Three'" in answer["failed"][0]["error"]
    assert answer["failed"][1]["error"].startswith("After 2 changes")


def test_a_batch_of_which_half_may_not_be_written_does_the_other_half(agent_of, ed, todo, watched):
    robot = agent_of(ed)
    tasks = [{"title": "A", "board": "Garden"}, {"title": "B", "board": "Launch"}, {"title": "C", "board": "Garden"}]
    answer = robot.call("create_tasks", tasks=tasks)
    assert answer["numbers"] == [None, 1, None]
    assert [row["error"][:44] for row in answer["failed"]] == [
        "You can view this board but not change it. A",
        "As place 0.",
    ]
    tasks = [{"task": str(watched.pk), "title": "Mine"}, {"task": "#1", "board": "Launch", "title": "Mine"}]
    answer = robot.call("update_tasks", tasks=tasks)
    assert (answer["ok"], answer["failed"][0]["place"]) == (1, 0)
    assert titles() == ["Mine", "Plant trees"]
    assert refusal(robot, "update_tasks", tasks=tasks, allOrNothing=True)["ok"] == 0


def test_a_token_of_one_board_changes_that_one_alone(agent_of, olga, board, cards, watched):
    robot = agent_of(olga, Bounds(board_ids=[str(board.pk)]))
    tasks = [
        {"task": str(watched.pk), "title": "Mine"},
        {"task": "#1", "title": "Mine"},
        {"task": "#2", "list": "Ideas"},
    ]
    answer = robot.call("update_tasks", tasks=tasks)
    assert (answer["ok"], [row["place"] for row in answer["failed"]]) == (1, [0, 2])
    assert all(row["error"].startswith("There is no ") for row in answer["failed"])
    assert "Garden" not in json.dumps(answer)
    watched.refresh_from_db()
    assert watched.title == "Plant trees"


@pytest.mark.parametrize("tool", ["create_tasks", "update_tasks"])
def test_a_call_with_fifty_wrong_tasks_tells_all_faults_in_a_bounded_text(agent, olga, board, cards, tool):
    for number in range(30):
        create_list(actor=web(olga), board_id=board.pk, title="x" * 190 + "y" * (number % 2))
    wrong = {f"{'wrong' * 20}{number}": "x" * 1000 for number in range(20)}
    for item in (wrong, {"title": "x", "task": "#1", "list": "X" * 190}, {"labels": ["y" * 60] * 50, "task": "#1"}):
        told = agent.refused(tool, board="Launch", tasks=[item] * 50)
        assert len(json.loads(told)["failed"]) == 50
        assert len(told.encode()) < 32_000


@pytest.mark.parametrize("sent", [None, [], "x", {}, [{"title": "x"}] * 51])
def test_tasks_are_a_list_of_one_to_fifty(agent, todo, sent):
    words = "tasks is missing." if sent is None else "tasks must be a list of 1 to 50 objects."
    assert words in agent.refused("create_tasks", board="Launch", tasks=sent)


def test_what_belongs_beside_the_tasks_or_into_each_says_so(agent, todo):
    told = refusal(agent, "create_tasks", board="Launch", tasks=[{"title": "x", "idempotencyKey": "k"}])
    assert "it belongs beside tasks" in told["failed"][0]["error"]
    assert "it belongs into each of tasks." in agent.refused("create_tasks", board="Launch", tasks=[{}], labels=["x"])


def test_with_answer_the_tasks_come_too_as_they_are_now(agent, olga, cards):
    create_label(actor=web(olga), board_id=cards[0].board_id, name="Bug")
    tasks = [{"task": "#1", "labels": ["Bug"]}, {"task": "#99", "labels": ["Bug"]}, {"task": "#2", "completed": True}]
    assert agent.call("update_tasks", board="Launch", tasks=tasks, answer="brief")["tasks"] == [
        {"number": 1, "title": "Card 1", "list": "To do", "state": "open", "labels": ["Bug"]},
        {"number": 2, "title": "Card 2", "list": "To do", "state": "done"},
    ]
    named = agent.call("update_tasks", board="Launch", tasks=tasks, answer="number,labels")["tasks"]
    assert named == [{"number": 1, "labels": ["Bug"]}, {"number": 2, "labels": []}]


def test_the_same_fault_of_many_tasks_is_told_once(agent, cards):
    tasks = [{"task": f"#{number}", "labels": ["New" if number != 3 else "Other"]} for number in range(1, 6)]
    failed = refusal(agent, "update_tasks", board="Launch", tasks=tasks)["failed"]
    assert [row["place"] for row in failed] == [0, 1, 2, 3, 4]
    assert "this board has no label 'New'" in failed[0]["error"]
    assert "this board has no label 'Other'" in failed[2]["error"]
    assert [failed[place]["error"] for place in (1, 3, 4)] == ["As place 0."] * 3


@pytest.mark.parametrize("tool", ["create_tasks", "update_tasks"])
def test_labels_may_be_created_for_the_whole_call(agent, board, cards, tool):
    tasks = [{"title": "A", "labels": ["New"]}, {"title": "B", "labels": ["New", "Too"]}, {"title": "C"}]
    own = {"title": "D", "labels": ["Typo"], "createLabels": False}
    if tool == "update_tasks":
        tasks, own = [{"task": f"#{n}", **one} for n, one in enumerate(tasks, 1)], {"task": "#4", **own}
    answer = agent.call(tool, board="Launch", tasks=[*tasks, own], createLabels=True)
    assert (answer["ok"], [row["place"] for row in answer["failed"]]) == (3, [3])
    assert sorted(label.name for label in Label.objects.all()) == ["New", "Too"]


@pytest.mark.parametrize("sent", [{"state": "done"}, {"status": "done"}, {"done": True}])
def test_a_state_is_told_to_be_sent_as_completed(agent, cards, sent):
    told = agent.refused("update_tasks", tasks=[{"task": "#1", **sent}])
    assert "send completed: true for a task that is done" in told
    assert "complete_task marks a task as done" in agent.refused("create_task", board="Launch", title="x", **sent)


def test_each_name_of_a_board_is_folded_once_however_many_tasks_name_it(agent, olga, ed, board, cards, monkeypatch):
    folded = []
    for module in (board_names, wrong_ids):
        monkeypatch.setattr(module, "fold", lambda text: folded.append(text) or fold(text))
    create_label(actor=web(olga), board_id=board.pk, name="Bug")
    ed.name = "Ed Adams"
    ed.save()
    tasks = [{"task": f"#{card.number}", "addLabels": ["BUG"], "assignees": ["ED"]} for card in cards]
    assert agent.call("update_tasks", tasks=tasks)["ok"] == len(cards)
    assert [folded.count(name) for name in ("Bug", "Ed Adams", "Ed")] == [1, 1, 1]


def test_one_key_makes_one_write_of_the_whole_call(agent, todo):
    call = {"board": "Launch", "tasks": [{"title": "A"}, {"title": ""}], "idempotencyKey": "once"}
    assert agent.call("create_tasks", **call) == agent.call("create_tasks", **call)
    assert titles() == ["A"]
    assert "used with other arguments" in agent.refused("create_tasks", **call | {"tasks": [{"title": "B"}]})


def test_a_call_that_changed_nothing_leaves_its_key_free(agent, todo):
    refusal(agent, "create_tasks", board="Launch", tasks=[{"title": ""}], idempotencyKey="once")
    assert agent.call("create_tasks", board="Launch", tasks=[{"title": "A"}], idempotencyKey="once")["ok"] == 1


@pytest.mark.usefixtures("stopped_clock")
def test_calls_for_many_tasks_are_counted_apart(agent, agent_of, ed, cards, settings):
    settings.LIMITS = {**settings.LIMITS, "mcp-many": "2/m"}
    call = {"board": "Launch", "tasks": [{"task": "#1", "completed": True}]}
    for _time in range(2):
        agent.call("update_tasks", **call)
    told = agent.refused("update_tasks", **call)
    assert told.startswith("Calls for many tasks are limited to 2 a minute; nothing was changed. Try again in ")
    assert "limited" in agent.refused("create_tasks", **call)
    agent.call("update_task", task="#1", completed=False)
    agent_of(ed).call("update_tasks", **call)


def test_tasks_that_moved_to_another_board_name_it_in_a_brief_answer(agent, cards, watched):
    moved = agent.call(
        "update_tasks", board="Launch", tasks=[{"task": "#2", "list": str(watched.list_id)}], answer="brief"
    )
    assert moved["tasks"] == [{"number": 2, "title": "Card 2", "list": "Ideas", "board": "Garden", "state": "open"}]
    stayed = agent.call("update_tasks", board="Garden", tasks=[{"task": "#2", "completed": True}], answer="brief")
    assert stayed["tasks"] == [{"number": 2, "title": "Card 2", "list": "Ideas", "state": "done"}]


def test_a_call_moves_tasks_to_another_board_and_back(agent, cards, watched):
    tasks = [
        {"task": "#2", "board": "Launch", "list": str(watched.list_id)},
        {"task": str(watched.pk), "list": "To do"},
    ]
    assert agent.call("update_tasks", tasks=tasks)["ok"] == 2
    watched.refresh_from_db()
    assert watched.board_id == cards[0].board_id
    assert Card.objects.get(pk=cards[1].pk).board_id != cards[0].board_id
