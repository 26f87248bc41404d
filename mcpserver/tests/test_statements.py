"""How many SQL statements a tool takes, beside the one that finds the token."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.actions.boards.board import create_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import create_list
from conftest import web


def statements(agent, tool, **arguments):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        agent.call(tool, **arguments)
    return [query["sql"] for query in captured if "SAVEPOINT" not in query["sql"]]


@pytest.mark.parametrize("number", [0, 2, 9])
def test_list_boards_takes_one_statement_however_many_boards_there_are(agent_of, ed, board, olga, number):
    agent = agent_of(ed)
    for count in range(number):
        made = create_board(actor=web(ed), title=f"Board {count}", template="content")
        create_list(actor=web(ed), board_id=made.pk, title="More")
    assert len(statements(agent, "list_boards")) == 1


@pytest.mark.parametrize("number", [1, 2, 12])
def test_get_task_takes_one_statement_however_much_is_on_the_card(agent, olga, ed, card, number):
    by_olga = web(olga)
    for user in (olga, ed):
        assign(actor=by_olga, card_id=card.pk, user_id=user.pk)
    for count in range(number):
        label = create_label(actor=by_olga, board_id=card.board_id, name=f"Label {count}")
        add_label(actor=by_olga, card_id=card.pk, label_id=label.pk)
        checklist = create_checklist(actor=by_olga, card_id=card.pk, title=f"Checklist {count}")
        for text in ("One", "Two"):
            add_item(actor=by_olga, checklist_id=checklist.pk, text=text)
        add_comment(actor=web((olga, ed)[count % 2]), card_id=card.pk, text=f"Comment {count}")
    assert len(statements(agent, "get_task", taskId=card.pk)) == 1


@pytest.mark.parametrize("number", [1, 2, 30])
def test_search_tasks_takes_two_statements_and_one_more_for_each_id(agent, olga, todo, number):
    for count in range(number):
        card = create_card(actor=web(olga), list_id=todo.pk, title=f"Card {count}")
        label = create_label(actor=web(olga), board_id=todo.board_id, name=f"Label {count}")
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
        assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
    assert len(statements(agent, "search_tasks", query="card")) == 2
    assert len(statements(agent, "search_tasks", order="board", assignee="me")) == 2
    assert len(statements(agent, "search_tasks", label="Label 0", assignee="Olga")) == 4
    assert len(statements(agent, "search_tasks", query="card", boardId=todo.board_id, listId=todo.pk)) == 4


def test_a_number_in_the_place_of_an_id_takes_one_more_statement(agent, card):
    by_id = len(statements(agent, "get_task", taskId=card.pk))
    assert len(statements(agent, "get_task", taskId="#1")) == by_id + 1
    assert len(statements(agent, "get_task", taskId="#1", boardId=card.board_id)) == by_id + 1


@pytest.mark.parametrize("place", ["listId", "boardId"])
def test_create_task_takes_as_many_statements_as_post_cards(agent, todo, card, place):
    where = todo.pk if place == "listId" else todo.board_id
    most = {"title": "Print", "description": "**now**", "dueDate": "2026-12-01", "recurrence": "daily", place: where}
    assert len(statements(agent, "create_task", **most)) <= 8
    assert len(statements(agent, "create_task", idempotencyKey="once", **most)) <= 10
    assert len(statements(agent, "create_task", idempotencyKey="once", **most)) <= 2


def test_a_call_that_is_refused_before_it_runs_takes_no_statement(agent, board):
    with CaptureQueriesContext(connection) as captured:
        agent.refused("create_task", title="x")
    assert len(captured) == 0
