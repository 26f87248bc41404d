"""Tools take a fixed number of SQL statements, beside the one that finds the token."""

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
from core.sql import is_postgresql


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


@pytest.mark.parametrize("number, for_a_word", [(1, 3), (2, 3), (30, 2)])  # cards, and statements: 30 fill a page
def test_search_tasks_takes_two_statements_and_one_more_for_each_id(agent, olga, todo, number, for_a_word):
    for count in range(number):
        card = create_card(actor=web(olga), list_id=todo.pk, title=f"Card {count}")
        label = create_label(actor=web(olga), board_id=todo.board_id, name=f"Label {count}")
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
        assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
    assert len(statements(agent, "search_tasks", query="card")) == for_a_word
    assert len(statements(agent, "search_tasks", order="board", assignee="me")) == 2
    assert len(statements(agent, "search_tasks", label="Label 0", assignee="Olga")) == 4
    assert len(statements(agent, "search_tasks", query="card", boardId=todo.board_id, listId=todo.pk)) == 2 + for_a_word


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
    assert len(statements(agent, "create_task", idempotencyKey="once", **most)) <= 3  # the last asks who sees the board


def test_a_call_that_is_refused_before_it_runs_takes_no_statement(agent, board):
    with CaptureQueriesContext(connection) as captured:
        agent.refused("create_task", title="x")
    assert len(captured) == 0


@pytest.fixture
def cards(olga, todo):
    return [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}") for number in range(1, 31)]


def asked(sqlite, postgresql):
    """Return the number for this database: on PostgreSQL what a change writes is one statement."""
    return postgresql if is_postgresql() else sqlite


def test_update_and_move_take_little_more_than_create(agent, cards, todo, doing):
    by_id = len(statements(agent, "create_task", listId=todo.pk, title="Print"))
    by_name = len(statements(agent, "create_task", list="To do", title="Print"))
    assert (by_id, by_name) == asked((5, 6), (2, 3))
    for sent in ({"title": "Print"}, {"dueDate": "2026-12-01"}, {"completed": True}, {"coverColor": "teal"}):
        assert len(statements(agent, "update_task", taskId=cards[0].pk, **sent)) <= 1.5 * by_id
    for sent in ({"title": "More"}, {"completed": False}):
        assert len(statements(agent, "update_task", task="#1", **sent)) <= 1.5 * by_name
    # a move asks which board the list is on, and what is at the place
    assert len(statements(agent, "move_task", taskId=cards[1].pk, listId=doing.pk)) == by_id + 2
    assert len(statements(agent, "move_task", task="#3", list="doing")) == by_name + 3


@pytest.mark.parametrize("number", [1, 2, 30])
def test_create_tasks_takes_as_many_statements_however_many_tasks_there_are(agent, olga, board, todo, number):
    create_label(actor=web(olga), board_id=board.pk, name="Bug")
    whole = {"title": "x", "labels": ["Bug"], "assignees": ["me"], "checklists": [{"title": "Steps", "items": ["One"]}]}
    assert len(statements(agent, "create_tasks", board="Launch", tasks=[whole] * number)) == asked(18, 17)


@pytest.mark.parametrize(
    "sent, each",
    [
        (
            {"title": "New"},
            (5, 3),
        ),  # lock and read; write card, line of history, news, board; on PostgreSQL card and rest
        ({"completed": True}, (5, 3)),
        ({"list": "Doing"}, (7, 4)),  # also the board of the list, and the place
        ({"addLabels": ["Bug"]}, (8, 5)),  # also the label, whether it is there, and its row
        ({"addAssignees": ["Ed"]}, (8, 5)),
        ({"comment": "Well"}, (6, 3)),  # on SQLite also the card
        ({"archive": True}, (5, 3)),
        ({"addLabels": ["Old"]}, (1, 1)),  # there already: whether the token may write
    ],
)
def test_update_tasks_takes_the_statements_of_each_action(agent, olga, board, cards, doing, sent, each):
    create_label(actor=web(olga), board_id=board.pk, name="Bug")
    old = create_label(actor=web(olga), board_id=board.pk, name="Old")
    for card in cards:
        add_label(actor=web(olga), card_id=card.pk, label_id=old.pk)

    def taken(*numbers):
        tasks = [{"task": f"#{number}", **sent} for number in numbers]
        return len(statements(agent, "update_tasks", board="Launch", tasks=tasks))

    assert taken(*range(11, 31)) - taken(*range(1, 11)) == 10 * asked(*each)
