"""Answers of archive_task and restore_task tell of the task and of the next occurrence."""

import pytest

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.lists.list import create_list
from boards.models import Card
from conftest import web
from mcpserver.tests.test_statements import statements

UNDO = ("archive_task", {"undo": True})
RESTORE = ("restore_task", {})


@pytest.fixture
def weekly(agent, card):
    """A task that repeats, archived, with its next occurrence #2."""
    agent.call("update_task", task="#1", dueDate="2099-12-01", recurrence="weekly")
    agent.call("archive_task", task="#1")
    return card


@pytest.fixture
def ideas(olga):
    garden = create_board(actor=web(olga), title="Garden")
    return create_list(actor=web(olga), board_id=garden.pk, title="Ideas")


@pytest.mark.parametrize("sent", [{}, {"answer": "full"}])
def test_archive_task_says_in_full_that_the_task_is_archived(agent, card, sent):
    for _time in range(2):
        assert agent.call("archive_task", task="#1", **sent)["archived"] is True


def test_archive_task_says_so_briefly_in_the_state(agent, card):
    answer = agent.call("archive_task", task="#1", answer="brief")
    assert answer == {"task": {"number": 1, "title": card.title, "list": "To do", "state": "archived"}}
    assert agent.call("archive_task", task="#1", answer="number") == {"task": {"number": 1}}


def test_a_task_that_was_brought_back_is_not_called_archived(agent, olga, card):
    archive_card(actor=web(olga), card_id=card.pk)
    assert agent.call("archive_task", task="#1", undo=True).keys() == {"task"}


@pytest.mark.parametrize("tool, sent", [UNDO, RESTORE])
def test_a_next_occurrence_that_went_is_told(agent, weekly, tool, sent):
    answer = agent.call(tool, task="#1", **sent)
    assert answer["next"] == {"number": 2, "title": weekly.title, "removed": True}
    assert not Card.objects.filter(number=2).exists()
    assert agent.call(tool, task="#1", **sent).keys() == {"task"}


@pytest.mark.parametrize("tool, sent", [UNDO, RESTORE])
def test_a_next_occurrence_that_stays_is_told(agent, weekly, tool, sent):
    agent.call("update_task", task="#2", title="Write again", completed=True)
    told = {
        "number": 2,
        "title": "Write again",
        "list": "To do",
        "due": "2099-12-08",
        "state": "done",
        "removed": False,
    }
    assert agent.call(tool, task="#1", **sent)["next"] == told
    assert Card.objects.filter(number=2).exists()


def test_one_that_was_moved_to_another_board_is_not_told(agent, weekly, ideas):
    agent.call("move_task", task="#2", list=str(ideas.pk))
    assert agent.call("restore_task", task=str(weekly.pk)).keys() == {"task"}


def test_a_task_that_does_not_repeat_has_nothing_to_tell(agent, olga, todo):
    card = create_card(actor=web(olga), list_id=todo.pk, title="Once")
    agent.call("archive_task", task="#1")
    assert agent.call("restore_task", task="#1") == {
        "task": {"number": 1, "title": card.title, "list": "To do", "state": "open"}
    }


def test_what_is_told_takes_a_statement_only_for_one_that_stays(agent, olga, weekly):
    gone = len(statements(agent, "restore_task", task=str(weekly.pk)))
    agent.call("archive_task", task=str(weekly.pk))
    agent.call("update_task", task="#3", completed=True)
    stays = len(statements(agent, "restore_task", task=str(weekly.pk)))
    assert stays <= gone
