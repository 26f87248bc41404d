"""get_task says that there are more comments than it shows, and gives them by a cursor."""

import json
from itertools import chain

import pytest

from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.card import create_card
from boards.actions.cards.comments import add_comment, delete_comment
from boards.actions.lists.list import create_list
from boards.actions.people.members import remove_member
from boards.models import Comment
from conftest import web
from mcpserver.cursors import WRONG
from mcpserver.tests.test_statements import statements


@pytest.fixture
def comment_on(olga):
    def comment_on(card, number, text="Comment"):
        for count in range(number):
            add_comment(actor=web(olga), card_id=card.pk, text=f"{text} {count}")

    return comment_on


def pages(agent, task="#1"):
    """Return the texts of each page, the first with the task."""
    answer = agent.call("get_task", task=task)
    yield [one["text"] for one in answer["comments"]]
    while "nextCursor" in answer:
        answer = agent.call("get_task", task=task, cursor=answer["nextCursor"])
        yield [one["text"] for one in answer["comments"]]


def texts(agent, task="#1"):
    return list(chain.from_iterable(pages(agent, task)))


@pytest.mark.parametrize("number", [0, 1, 10])
def test_up_to_ten_comments_have_no_cursor(agent, card, comment_on, number):
    comment_on(card, number)
    answer = agent.call("get_task", task="#1")
    assert len(answer["comments"]) == number
    assert list(answer) == ["task", "comments", "checklists", "labels", "assignees", "recurrence"]


def test_older_comments_come_page_by_page(agent, card, comment_on):
    comment_on(card, 25)
    assert [len(page) for page in pages(agent)] == [10, 10, 5]
    assert texts(agent) == [f"Comment {number}" for number in reversed(range(25))]


def test_a_page_has_comments_alone_in_the_same_form(agent, ed, card, comment_on):
    add_comment(actor=web(ed), card_id=card.pk, text="**First**")
    whole = agent.call("get_task", task="#1")["comments"]
    comment_on(card, 10)
    cursor = agent.call("get_task", task="#1")["nextCursor"]
    assert agent.call("get_task", task="#1", cursor=cursor) == {"comments": whole}


def test_comments_of_one_moment_are_each_shown_once(agent, card, comment_on):
    comment_on(card, 23)
    Comment.objects.update(created_at=Comment.objects.first().created_at)
    found = texts(agent)
    assert (len(found), len(set(found))) == (23, 23)


def test_pages_go_on_where_the_last_comment_was_deleted(agent, olga, card, comment_on):
    comment_on(card, 12)
    answer = agent.call("get_task", task="#1")
    delete_comment(actor=web(olga), comment_id=answer["comments"][-1]["id"])
    older = agent.call("get_task", task="#1", cursor=answer["nextCursor"])["comments"]
    assert [one["text"] for one in older] == ["Comment 1", "Comment 0"]


def test_comments_that_found_no_room_come_next(agent, card, comment_on):
    comment_on(card, 5, "é" * 9_000)
    assert [len(page) for page in pages(agent)] == [2, 2, 1]
    assert len(json.dumps(agent.call("get_task", task="#1"), ensure_ascii=False).encode()) <= 40_000


def test_a_comment_that_is_longer_than_an_answer_comes_alone(agent, card, comment_on):
    comment_on(card, 3, "漢" * 19_000)
    assert [len(page) for page in pages(agent)] == [0, 1, 1, 1]


def test_an_empty_cursor_is_none_as_in_other_tools(agent, card):
    assert agent.call("get_task", task="#1", cursor="") == agent.call("get_task", task="#1")


def test_a_cursor_belongs_to_its_task_and_token(agent, other_agent, olga, card, todo, comment_on):
    comment_on(card, 12)
    comment_on(create_card(actor=web(olga), list_id=todo.pk, title="Other"), 12)
    cursor = agent.call("get_task", task="#1")["nextCursor"]
    assert agent.refused("get_task", task="#2", cursor=cursor).startswith(WRONG)
    assert other_agent.refused("get_task", task="#1", cursor=cursor).startswith(WRONG)
    assert agent.refused("get_task", task="#1", cursor="nonsense").startswith(WRONG)


def test_a_cursor_opens_nothing_that_the_caller_no_longer_sees(other_agent, olga, ed, board, card, comment_on):
    comment_on(card, 12)
    call = {"task": str(card.pk), "cursor": other_agent.call("get_task", task="#1")["nextCursor"]}
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert other_agent.refused("get_task", **call).startswith("There is no task")


def test_a_cursor_opens_no_archived_board(agent, olga, board, card, comment_on):
    comment_on(card, 12)
    call = {"task": str(card.pk), "cursor": agent.call("get_task", task="#1")["nextCursor"]}
    archive_board(actor=web(olga), board_id=board.pk)
    assert agent.refused("get_task", **call).startswith("There is no task")


def test_comments_of_other_tasks_stay_out(agent, olga, card, comment_on):
    board = create_board(actor=web(olga), title="Garden")
    row = create_list(actor=web(olga), board_id=board.pk, title="Ideas")
    comment_on(create_card(actor=web(olga), list_id=row.pk, title="Other"), 12, "Elsewhere")
    comment_on(card, 12)
    assert all("Elsewhere" not in text for text in texts(agent, str(card.pk)))


def test_a_page_of_comments_takes_two_statements(agent, card, comment_on):
    comment_on(card, 25)
    cursor = agent.call("get_task", task=str(card.pk))["nextCursor"]
    assert len(statements(agent, "get_task", task=str(card.pk))) == 1
    assert len(statements(agent, "get_task", task=str(card.pk), cursor=cursor)) == 2
