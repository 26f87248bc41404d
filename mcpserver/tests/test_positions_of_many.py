"""update_tasks puts a task beside one that the same call moves."""

import json

import pytest

from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.models import Card
from conftest import join, web
from mcpserver.tests.test_statements import statements
from mcpserver.tools import many_tasks


@pytest.fixture
def cards(olga, todo):
    return [create_card(actor=web(olga), list_id=todo.pk, title=f"{number}") for number in range(1, 5)]


@pytest.fixture
def ideas(olga):
    """A list with one task, on another board of Olga's."""
    garden = create_board(actor=web(olga), title="Garden")
    row = create_list(actor=web(olga), board_id=garden.pk, title="Ideas")
    create_card(actor=web(olga), list_id=row.pk, title="Plant trees")
    return row


def titles(row):
    return list(Card.objects.filter(list=row).order_by("position").values_list("title", flat=True))


def update(agent, *tasks, **more):
    return agent.call("update_tasks", board="Launch", tasks=list(tasks), **more)


def test_a_task_follows_one_that_the_call_moves(agent, cards, todo, doing):
    answer = update(agent, {"task": "#1", "list": "Doing"}, {"task": "#2", "position": "before #1"})
    assert answer == {"ok": 2, "failed": []}
    assert (titles(todo), titles(doing)) == (["3", "4"], ["2", "1"])


def test_the_list_of_both_may_be_named(agent, cards, doing):
    update(agent, {"task": "#1", "list": "Doing"}, {"task": "#2", "list": "Doing", "position": "before #1"})
    assert titles(doing) == ["2", "1"]


def test_the_order_in_the_call_does_not_matter(agent, cards, doing):
    tasks = [
        {"task": "#3", "list": "Doing", "position": "after #2"},
        {"task": "#2", "position": "after #1"},
        {"task": "#4", "list": "Doing"},
        {"task": "#1", "list": "Doing"},
    ]
    update(agent, *tasks)
    assert titles(doing) == ["1", "2", "3", "4"]


def test_a_task_follows_one_to_another_board(agent, cards, todo, ideas):
    update(agent, {"task": "#1", "list": str(ideas.pk)}, {"task": "#2", "position": "after #1"})
    assert (titles(todo), titles(ideas)) == (["3", "4"], ["Plant trees", "1", "2"])
    assert set(Card.objects.filter(list=ideas).values_list("board", flat=True)) == {ideas.board_id}


def test_two_tasks_may_each_be_beside_the_other(agent, cards, todo):
    assert update(agent, {"task": "#1", "position": "after #3"}, {"task": "#3", "position": "before #1"})["ok"] == 2
    assert titles(todo) == ["3", "1", "2", "4"]


def test_a_task_beside_one_that_could_not_be_moved_stays(agent, cards, todo, doing):
    wrong = {"task": "#1", "list": "Doing", "assignees": ["Nobody"]}
    answer = update(agent, wrong, {"task": "#2", "position": "after #1"}, {"task": "#3", "list": "Doing"})
    assert [row["place"] for row in answer["failed"]] == [0, 1]
    assert answer["failed"][1]["error"].startswith("The task that position names should have been moved there by this")
    assert (titles(todo), titles(doing)) == (["1", "2", "4"], ["3"])


@pytest.mark.parametrize("wrong", [{"list": "Dooing"}, {"list": "Doing", "dueDate": "tomorrow"}])
@pytest.mark.parametrize("more", [{}, {"list": "Doing"}])
@pytest.mark.parametrize("order", [1, -1])
def test_a_task_beside_one_that_cannot_be_planned_stays(agent, olga, cards, todo, doing, wrong, more, order):
    create_card(actor=web(olga), list_id=doing.pk, title="5")
    tasks = [{"task": "#1", **wrong}, {"task": "#5", "position": "after #1", **more}, {"task": "#2", "title": "Two"}]
    answer = update(agent, *tasks[::order])
    assert answer["ok"] == 1
    assert "should have been moved there by this" in " ".join(row["error"] for row in answer["failed"])
    assert (titles(todo), titles(doing)) == (["1", "Two", "3", "4"], ["5"])


def test_a_task_beside_one_that_fails_in_its_list_is_put_there(agent, cards, todo):
    wrong = {"task": "#4", "position": "top", "assignees": ["Nobody"]}
    assert update(agent, wrong, {"task": "#1", "position": "after #4"})["ok"] == 1
    assert titles(todo) == ["2", "3", "4", "1"]


def test_a_second_place_of_a_task_does_not_count(agent, cards, todo, doing):
    tasks = [{"task": "#1", "title": "One"}, {"task": "#1", "list": "Doing"}, {"task": "#2", "position": "before #1"}]
    assert [row["place"] for row in update(agent, *tasks)["failed"]] == [1]
    assert titles(todo) == ["2", "One", "3", "4"]


def test_another_list_than_that_of_the_moved_task_is_refused(agent, cards, todo, doing):
    answer = update(agent, {"task": "#1", "list": "Doing"}, {"task": "#2", "list": "To do", "position": "after #1"})
    assert answer["failed"][0]["error"].startswith("The task that position names is not in that list.")
    assert titles(doing) == ["1"]


def test_a_task_does_not_follow_to_a_board_that_may_only_be_viewed(agent_of, olga, ed, cards, todo, ideas):
    join(ed, ideas.board, "viewer")
    tasks = [{"task": "#1", "list": str(ideas.pk)}, {"task": "#2", "position": "after #1"}]
    told = json.loads(agent_of(ed).refused("update_tasks", board="Launch", tasks=tasks))
    assert [row["place"] for row in told["failed"]] == [0, 1]
    assert titles(todo) == ["1", "2", "3", "4"]


def test_an_end_is_that_of_the_list_to_which_somebody_else_moved_the_task(agent, ed, cards, doing, monkeypatch):
    lock = many_tasks.lock_owners

    def lock_after_ed(*boards):
        move_card(actor=web(ed), card_id=cards[0].pk, list_id=doing.pk)
        return lock(*boards)

    monkeypatch.setattr(many_tasks, "lock_owners", lock_after_ed)
    update(agent, {"task": "#1", "position": "top"})
    assert titles(doing) == ["1"]


def test_positions_take_no_statements_for_planning(agent, cards, doing):
    there = [{"task": f"#{number}", "list": "Doing"} for number in (1, 2)]
    beside = [{"task": "#3", "list": "Doing"}, {"task": "#4", "position": "after #3"}]
    by_list = len(statements(agent, "update_tasks", board="Launch", tasks=there))
    assert len(statements(agent, "update_tasks", board="Launch", tasks=beside)) <= by_list + 2
