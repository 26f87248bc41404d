"""update_task, complete_task, reopen_task, move_task, archive_task, add_comment."""

from datetime import UTC, datetime

import pytest

from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.card import create_card
from boards.actions.lists.list import archive_list, create_list
from boards.models import Activity, Card, Comment
from conftest import join, web


def placed(row):
    return [card.title for card in Card.objects.filter(list=row).order_by("position")]


def test_update_changes_only_what_is_given(agent, card):
    agent.call("update_task", taskId=card.pk, description="Text", dueDate="2026-12-01T09:00Z")
    task = agent.call("update_task", taskId=card.pk, title="Better")["task"]
    assert (task["title"], task["description"], task["dueDate"]) == ("Better", "Text", "2026-12-01T09:00:00Z")


def test_update_clears_with_null_and_with_an_empty_description(agent, card):
    agent.call("update_task", taskId=card.pk, description="Text", dueDate="2026-12-01", recurrence="daily")
    task = agent.call("update_task", taskId=card.pk, description="", dueDate=None, recurrence=None)["task"]
    assert (task["description"], task["dueDate"]) == ("", None)
    assert agent.call("get_task", taskId=card.pk)["recurrence"] is None


def test_null_for_an_argument_that_cannot_be_null_means_absent(agent, card):
    task = agent.call("update_task", taskId=card.pk, title=None, description="Text")["task"]
    assert task["title"] == "Write the announcement"
    assert "Give at least one of" in agent.refused("update_task", taskId=card.pk, title=None)


def test_an_update_without_a_field_is_refused(agent, card):
    words = "Give at least one of title, description, dueDate, startDate, recurrence, labels, "
    assert words in agent.refused("update_task", taskId=card.pk)


def test_complete_and_reopen_answer_with_the_new_state_and_can_be_repeated(agent, card):
    for tool, state in {"complete_task": True, "reopen_task": False}.items():
        for _time in range(2):
            assert agent.call(tool, taskId=card.pk)["task"]["completed"] is state
    assert Activity.objects.filter(verb__in=["card.completed", "card.reopened"]).count() == 2


def test_a_change_that_changes_nothing_answers_with_the_task(agent, card, todo):
    before = Activity.objects.count()
    assert agent.call("update_task", taskId=card.pk, title=card.title)["task"]["id"] == str(card.pk)
    assert agent.call("move_task", taskId=card.pk, listId=todo.pk)["task"]["id"] == str(card.pk)
    assert Activity.objects.count() == before


@pytest.mark.parametrize("position, order", [("top", 0), ("bottom", 1), (None, 1)])
def test_move_puts_the_task_at_the_end_that_is_asked_for(agent, olga, card, doing, position, order):
    create_card(actor=web(olga), list_id=doing.pk, title="There before")
    task = agent.call("move_task", taskId=card.pk, listId=doing.pk, position=position)["task"]
    assert task["listId"] == str(doing.pk)
    assert placed(doing).index(card.title) == order


def test_move_reaches_the_list_of_another_board(agent, olga, card):
    other = create_board(actor=web(olga), title="Other")
    there = create_list(actor=web(olga), board_id=other.pk, title="There")
    task = agent.call("move_task", taskId=card.pk, listId=there.pk)["task"]
    assert (task["boardId"], task["url"]) == (str(other.pk), f"/board/{other.pk}?card={card.pk}")


def test_move_requires_write_access_to_both_boards(agent_of, olga, ed, card):
    other = create_board(actor=web(olga), title="Other")
    there = create_list(actor=web(olga), board_id=other.pk, title="There")
    assert "There is no list" in agent_of(ed).refused("move_task", taskId=card.pk, listId=there.pk)
    join(ed, other, "viewer")
    assert "not change it" in agent_of(ed).refused("move_task", taskId=card.pk, listId=there.pk)
    card.refresh_from_db()
    assert card.board_id != other.pk


def test_move_does_not_find_an_archived_list(agent, olga, card, doing):
    archive_list(actor=web(olga), list_id=doing.pk)
    assert "There is no list" in agent.refused("move_task", taskId=card.pk, listId=doing.pk)


def test_archive_hides_the_task_and_can_be_repeated(agent, card):
    for _time in range(2):
        assert agent.call("archive_task", taskId=card.pk).keys() == {"task", "archived"}
    assert agent.call("search_tasks")["tasks"] == []
    assert Activity.objects.filter(verb="card.archived").count() == 1


def test_archive_answers_with_the_next_occurrence_once(agent, olga, todo):
    due = datetime(2026, 12, 1, 9, tzinfo=UTC)
    card = create_card(actor=web(olga), list_id=todo.pk, title="Water", due_at=due, recurrence="yearly")
    answer = agent.call("archive_task", taskId=card.pk)
    assert answer["task"]["id"] == str(card.pk)
    assert answer["next"]["dueDate"] > answer["task"]["dueDate"]
    [left] = agent.call("search_tasks")["tasks"]
    assert left.items() >= answer["next"].items()
    assert "next" not in agent.call("archive_task", taskId=card.pk)


def writes(card, doing):
    yield "update_task", {"title": "Better"}
    yield "complete_task", {}
    yield "reopen_task", {}
    yield "move_task", {"listId": doing.pk}


def test_an_archived_task_can_only_be_read_commented_and_archived_again(agent, card, doing):
    agent.call("archive_task", taskId=card.pk)
    for tool, arguments in writes(card, doing):
        assert "is archived. Call restore_task" in agent.refused(tool, taskId=card.pk, **arguments)
    assert agent.call("add_comment", taskId=card.pk, text="Why?")["task"]["id"] == str(card.pk)


def test_a_task_in_an_archived_list_can_only_be_read_commented_and_archived(agent, olga, card, doing):
    archive_list(actor=web(olga), list_id=card.list_id)
    for tool, arguments in writes(card, doing):
        assert "is archived" in agent.refused(tool, taskId=card.pk, **arguments)
    agent.call("add_comment", taskId=card.pk, text="Why?")
    agent.call("archive_task", taskId=card.pk)


def test_an_agent_can_take_its_archiving_back_and_repeat_that(agent, card, doing):
    agent.call("archive_task", taskId=card.pk, undo=False)
    for _time in range(2):
        assert agent.call("archive_task", taskId=card.pk, undo=True)["task"]["id"] == str(card.pk)
    assert len(agent.call("search_tasks")["tasks"]) == 1
    for tool, arguments in writes(card, doing):
        agent.call(tool, taskId=card.pk, **arguments)
    assert Activity.objects.filter(verb="card.restored").count() == 1


def test_taking_an_archiving_back_takes_the_next_occurrence_away(agent, card):
    agent.call("update_task", taskId=card.pk, dueDate="2026-12-01", recurrence="weekly")
    following = agent.call("archive_task", taskId=card.pk)["next"]
    agent.call("archive_task", taskId=card.pk, undo=True)
    assert [task["id"] for task in agent.call("search_tasks")["tasks"]] == [str(card.pk)]
    assert "There is no task" in agent.refused("get_task", taskId=following["id"])
    assert agent.call("get_task", taskId=card.pk)["recurrence"] == "weekly"


def test_a_task_is_not_brought_back_into_an_archived_list(agent, olga, card):
    agent.call("archive_task", taskId=card.pk)
    archive_list(actor=web(olga), list_id=card.list_id)
    refusal = agent.refused("archive_task", taskId=card.pk, undo=True)
    assert refusal.startswith("The list of this task is archived")
    assert "ask a person who may edit the board" in refusal


def test_beside_a_task_of_an_archived_list_there_is_no_place(agent, olga, card, doing):
    create_card(actor=web(olga), list_id=doing.pk, title="Second")
    archive_list(actor=web(olga), list_id=doing.pk)
    refusal = agent.refused("update_task", task="#1", position="before #2")
    assert refusal.startswith("That list is archived")
    assert "No tool restores lists" in refusal


def test_a_comment_in_an_archived_list_is_edited_as_the_refusal_says(agent, olga, card):
    comment = agent.call("add_comment", taskId=card.pk, text="Good")["comment"]
    archive_list(actor=web(olga), list_id=card.list_id)
    assert "edit_comment still work" in agent.refused("complete_task", taskId=card.pk)
    agent.call("edit_comment", commentId=comment["id"], text="Better")
    assert Comment.objects.get().body == "Better"


@pytest.mark.parametrize("undo", ["yes", 1, "true"])
def test_undo_is_true_or_false(agent, card, undo):
    assert "undo must be true or false." in agent.refused("archive_task", taskId=card.pk, undo=undo)


def test_a_repetition_needs_a_due_date(agent, card):
    before = Activity.objects.count()
    for dates in ({}, {"dueDate": None}):
        assert "recurrence needs a dueDate" in agent.refused("update_task", taskId=card.pk, recurrence="daily", **dates)
    assert Activity.objects.count() == before
    assert agent.call("get_task", taskId=card.pk)["recurrence"] is None
    agent.call("update_task", taskId=card.pk, dueDate="2026-12-01")
    agent.call("update_task", taskId=card.pk, recurrence="daily")
    assert agent.call("get_task", taskId=card.pk)["recurrence"] == "daily"


def test_a_task_on_an_archived_board_is_not_found(agent, olga, card, doing):
    archive_board(actor=web(olga), board_id=card.board_id)
    for tool, arguments in [*writes(card, doing), ("archive_task", {}), ("add_comment", {"text": "x"})]:
        assert "There is no task" in agent.refused(tool, taskId=card.pk, **arguments)


def test_a_comment_is_marked_as_an_agents_and_has_the_account_as_author(agent, olga, card):
    agent.call("add_comment", taskId=card.pk, text="**Half** done")
    comment = Comment.objects.get()
    assert (comment.author, comment.body, comment.door, comment.token_name) == (olga, "**Half** done", "agent", "Robot")


@pytest.mark.parametrize("text", ["", " \n", "x" * 20_001, 5, "\ud800"])
def test_an_empty_comment_is_refused(agent, card, text):
    assert "text " in agent.refused("add_comment", taskId=card.pk, text=text)
    assert not Comment.objects.exists()


def test_a_description_that_was_read_is_never_too_long_to_send_back(agent, todo):
    made = agent.call("create_task", listId=todo.pk, title="Stars", description="a_ " * 2_500 + "x" * 12_000)["task"]
    task = agent.call("get_task", taskId=made["id"])["task"]
    assert len(task["description"]) > 20_000
    before = Activity.objects.count()
    assert agent.call("update_task", taskId=task["id"], description=task["description"])["task"] == made
    assert Activity.objects.count() == before
    refusal = agent.refused("update_task", taskId=task["id"], description=task["description"] + "!")
    assert "description must have at most 20000 characters" in refusal
