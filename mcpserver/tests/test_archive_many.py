"""update_tasks also comments on tasks and archives them, so that duplicates take one call."""

import json

import pytest

from accounts.models import Bounds
from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.lists.list import archive_list, create_list
from boards.models import Activity, Card, Comment
from boards.tests.test_undo import state_of
from conftest import join, web
from mcpserver.tests.test_whole_card import undo_all_since, version_of

DUPLICATE = {"comment": "A duplicate of #1.", "archive": True}


@pytest.fixture
def cards(olga, todo):
    return [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}") for number in range(1, 4)]


def archived():
    return sorted(Card.objects.exclude(archived_at=None).values_list("number", flat=True))


def comments():
    return sorted(Comment.objects.values_list("card__number", "body"))


def refusals(agent, *tasks):
    """Return what a call is told that does nothing, by places."""
    told = json.loads(agent.refused("update_tasks", board="Launch", tasks=list(tasks)))
    return {row["place"]: row["error"] for row in told["failed"]}


def test_duplicates_are_commented_on_and_archived_in_one_call(agent, cards):
    tasks = [{"task": "#2", **DUPLICATE}, {"task": "#3", **DUPLICATE}]
    assert agent.call("update_tasks", board="Launch", tasks=tasks) == {"ok": 2, "failed": []}
    assert archived() == [2, 3]
    assert comments() == [(2, "A duplicate of #1."), (3, "A duplicate of #1.")]


def test_a_comment_goes_with_other_changes(agent, cards, doing):
    tasks = [{"task": "#2", "list": "Doing", "completed": True, "comment": "**Done**"}]
    agent.call("update_tasks", board="Launch", tasks=tasks)
    assert comments() == [(2, "**Done**")]
    changed = Card.objects.get(number=2)
    assert (changed.list, changed.completed_at is None, changed.archived_at) == (doing, False, None)


def test_the_comment_is_made_via_the_agent(agent, olga, cards):
    agent.call("update_tasks", board="Launch", tasks=[{"task": "#2", **DUPLICATE}])
    comment = Comment.objects.get()
    assert (comment.author, comment.door, comment.token_name) == (olga, "agent", "Robot")


def test_one_press_of_undo_takes_all_of_it_back(agent, olga, board, cards):
    before, state = version_of(board), state_of(board)
    tasks = [{"task": "#2", "title": "New", **DUPLICATE}, {"task": "#3", "archive": True}]
    agent.call("update_tasks", board="Launch", tasks=tasks)
    assert version_of(board) == before + 4
    undo_all_since(olga, board, before)
    assert state_of(board) == state


def test_the_next_occurrence_is_told_with_its_place(agent, cards):
    agent.call("update_task", task="#2", dueDate="2026-12-01", recurrence="weekly")
    tasks = [{"task": "#1", "archive": True}, {"task": "#2", "archive": True}]
    answer = agent.call("update_tasks", board="Launch", tasks=tasks)
    assert answer == {"ok": 2, "failed": [], "next": [{"place": 1, "number": 4}]}
    assert Card.objects.get(number=4).recurrence == "weekly"


def test_archiving_again_changes_nothing(agent, olga, board, cards):
    archive_card(actor=web(olga), card_id=cards[0].pk)
    archive_list(actor=web(olga), list_id=cards[0].list_id)
    before = version_of(board)
    tasks = [{"task": "#1", "archive": True}, {"task": "#2", "archive": True}]
    assert agent.call("update_tasks", board="Launch", tasks=tasks)["ok"] == 2
    assert version_of(board) == before


def test_an_archived_task_takes_a_comment_and_no_other_change(agent, olga, cards):
    archive_card(actor=web(olga), card_id=cards[1].pk)
    assert agent.call("update_tasks", board="Launch", tasks=[{"task": "#2", **DUPLICATE}])["ok"] == 1
    assert refusals(agent, {"task": "#2", "title": "New", **DUPLICATE})[0].startswith("This task is archived.")
    assert len(comments()) == 1


def test_a_task_that_is_refused_is_neither_commented_on_nor_archived(agent, cards):
    tasks = [{"task": "#2", "assignees": ["Nobody"], **DUPLICATE}, {"task": "#3", **DUPLICATE}]
    answer = agent.call("update_tasks", board="Launch", tasks=tasks)
    assert (answer["ok"], answer["failed"][0]["place"]) == (1, 0)
    assert (archived(), comments()) == ([3], [(3, "A duplicate of #1.")])


def test_all_or_nothing_takes_comments_and_archiving_back(agent, cards):
    before = Activity.objects.count()
    tasks = [{"task": "#2", **DUPLICATE}, {"task": "#99", **DUPLICATE}]
    agent.refused("update_tasks", board="Launch", tasks=tasks, allOrNothing=True)
    assert Activity.objects.count() == before


@pytest.mark.parametrize("comment", ["", "  ", "x" * 20_001, 5, ["x"]])
def test_a_comment_has_the_limits_of_add_comment(agent, cards, comment):
    told = agent.refused("add_comment", task="#1", text=comment).partition(" Correct")[0]
    assert refusals(agent, {"task": "#1", "comment": comment}) == {0: told.replace("text", "comment", 1)}
    assert not Comment.objects.exists()


def test_a_comment_of_the_longest_kind_is_taken(agent, cards):
    agent.call("update_tasks", board="Launch", tasks=[{"task": "#1", "comment": "x" * 20_000}])
    assert len(Comment.objects.get().body) == 20_000


@pytest.mark.parametrize("sent", [False, "true", 1])
def test_archive_is_true_or_left_out(agent, cards, sent):
    told = refusals(agent, {"task": "#1", "archive": sent})[0]
    assert told == "archive must be true, or left out. restore_task brings a task back."
    assert archived() == []


def test_the_words_of_answers_are_taken_for_both(agent, cards):
    agent.call("update_tasks", board="Launch", tasks=[{"task": "#1", "comments": "Well", "archived": True}])
    agent.call("update_tasks", board="Launch", tasks=[{"task": "#2", "text": "Good"}])
    assert (archived(), comments()) == ([1], [(1, "Well"), (2, "Good")])


def test_a_brief_answer_says_what_is_archived(agent, cards):
    tasks = [{"task": "#1", **DUPLICATE}, {"task": "#2", "comment": "Well"}]
    assert agent.call("update_tasks", board="Launch", tasks=tasks, answer="brief")["tasks"] == [
        {"number": 1, "title": "Card 1", "list": "To do", "state": "archived"},
        {"number": 2, "title": "Card 2", "list": "To do", "state": "open"},
    ]


def test_one_key_makes_one_comment(agent, cards):
    call = {"board": "Launch", "tasks": [{"task": "#1", "comment": "Well"}], "idempotencyKey": "once"}
    assert agent.call("update_tasks", **call) == agent.call("update_tasks", **call)
    assert comments() == [(1, "Well")]


def test_without_a_key_a_repeat_comments_again(agent, cards):
    call = {"board": "Launch", "tasks": [{"task": "#1", **DUPLICATE}]}
    agent.call("update_tasks", **call)
    agent.call("update_tasks", **call)
    assert len(comments()) == 2


def test_a_token_that_may_not_delete_comments_and_archives(agent_of, olga, cards):
    robot = agent_of(olga, Bounds(deletes=False))
    robot.call("update_tasks", board="Launch", tasks=[{"task": "#1", **DUPLICATE}])
    assert (archived(), len(comments())) == ([1], 1)


def test_each_task_needs_an_editor_of_its_board(agent_of, olga, ed, vera, stan, cards):
    garden = create_board(actor=web(olga), title="Garden")
    row = create_list(actor=web(olga), board_id=garden.pk, title="Ideas")
    watched = create_card(actor=web(olga), list_id=row.pk, title="Plant trees")
    join(ed, garden, "viewer")
    tasks = [{"task": str(watched.pk), **DUPLICATE}, {"task": str(cards[0].pk), **DUPLICATE}]
    for one, words in ((vera, "You can view this board"), (stan, "There is no task")):
        told = json.loads(agent_of(one).refused("update_tasks", tasks=tasks[1:]))
        assert told["failed"][0]["error"].startswith(words)
    assert Comment.objects.count() == 0
    answer = agent_of(ed).call("update_tasks", tasks=tasks)
    assert answer["ok"] == 1
    assert answer["failed"][0]["error"].startswith("You can view this board but not change it.")
    watched.refresh_from_db()
    assert watched.archived_at is None
    assert list(Comment.objects.values_list("card", flat=True)) == [cards[0].pk]


def test_other_tools_say_which_ones_comment_and_archive(agent, cards):
    assert "add_comment leaves a note" in agent.refused("update_task", task="#1", comment="Well")
    assert "archive_task hides a task" in agent.refused("update_task", task="#1", archive=True)
    assert "it belongs into each of tasks." in agent.refused("update_tasks", tasks=[{"task": "#1"}], archive=True)
