"""A whole board in one answer, or in several."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Bounds
from boards.actions.boards.board import archive_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list, limit_list
from boards.actions.people.members import remove_member
from boards.models import Label, List
from boards.models.renumbering import GAP
from conftest import join, person, web
from mcpserver.messages import encode
from mcpserver.tools import whole_board as tool


def pages(agent, board, **arguments):
    found, cursor = [], None
    while True:
        page = agent.call("get_board", boardId=board.pk, cursor=cursor, **arguments)
        found.append(page)
        cursor = page.get("nextCursor")
        if cursor is None:
            return found


def numbers(found):
    return [card["number"] for page in found for row in page["lists"] for card in row["cards"]]


def test_a_board_has_lists_with_tasks_in_order_members_and_labels(agent, olga, ed, vera, board, todo, doing, card):
    by_olga = web(olga)
    label = create_label(actor=by_olga, board_id=board.pk, name="Bug")
    second = create_card(actor=by_olga, list_id=doing.pk, title="Second")
    move_card(actor=by_olga, card_id=card.pk, list_id=doing.pk)
    add_label(actor=by_olga, card_id=card.pk, label_id=label.pk)
    assign(actor=by_olga, card_id=card.pk, user_id=ed.pk)
    limit_list(actor=by_olga, list_id=doing.pk, card_limit=3)
    assert agent.call("get_board", boardId=board.pk) == {
        "board": {"id": str(board.pk), "title": "Launch", "role": "owner"},
        "lists": [
            {"id": str(todo.pk), "title": "To do", "cards": []},
            {
                "id": str(doing.pk),
                "title": "Doing",
                "limit": 3,
                "cards": [
                    {"number": second.number, "title": "Second", "state": "open"},
                    {
                        "number": card.number,
                        "title": card.title,
                        "state": "open",
                        "labels": ["Bug"],
                        "assignees": ["Ed"],
                    },
                ],
            },
        ],
        "members": [
            {"id": str(user.pk), "name": user.name, "role": role}
            for user, role in [(olga, "owner"), (ed, "editor"), (vera, "viewer")]
        ],
        "labels": [{"id": str(label.pk), "name": "Bug"}],
    }


def test_addresses_of_mail_are_in_no_answer(agent, ed, board, card):
    ed.name = ""
    ed.save()
    answer = json.dumps(agent.call("get_board", boardId=board.pk))
    assert '"ed"' in answer
    assert "@" not in answer


def test_an_empty_board_says_so(agent, board):
    answer = agent.call("get_board", boardId=board.pk)
    assert (answer["lists"], answer["labels"]) == ([], [])


def test_archived_tasks_and_lists_are_left_out(agent, olga, board, todo, doing, card):
    create_card(actor=web(olga), list_id=doing.pk, title="Second")
    archive_card(actor=web(olga), card_id=card.pk)
    archive_list(actor=web(olga), list_id=doing.pk)
    assert agent.call("get_board", boardId=board.pk)["lists"] == [{"id": str(todo.pk), "title": "To do", "cards": []}]


def test_tasks_come_in_the_form_that_is_wanted(agent, board, card):
    [row] = agent.call("get_board", boardId=board.pk, answer="id,list")["lists"]
    assert row["cards"] == [{"id": str(card.pk), "list": "To do"}]
    assert "did you mean title?" in agent.refused("get_board", boardId=board.pk, answer="titel")


def test_a_board_out_of_reach_does_not_exist(agent_of, olga, ed, stan, board, card):
    assert agent_of(stan).refused("get_board", boardId=board.pk).startswith("There is no board")
    assert agent_of(olga, Bounds(board_ids=[])).refused("get_board", boardId=board.pk).startswith("There is no board")
    theirs = agent_of(ed)
    assert theirs.call("get_board", boardId=board.pk)["board"]["role"] == "editor"
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert theirs.refused("get_board", boardId=board.pk).startswith("There is no board")


def test_an_archived_board_is_refused(agent, olga, board):
    archive_board(actor=web(olga), board_id=board.pk)
    assert agent.refused("get_board", boardId=board.pk).startswith("There is no board")


def test_a_large_board_comes_in_parts_of_40_kb(agent, olga, board, todo, doing):
    rows = [todo, doing, *(create_list(actor=web(olga), board_id=board.pk, title=f"List {n}") for n in range(3))]
    made = [
        create_card(actor=web(olga), list_id=rows[(0, 1, 3)[number % 3]].pk, title=f"{number} {'漢' * 480}")
        for number in range(60)
    ]
    found = pages(agent, board)
    assert len(found) == 3
    assert all(len(encode(page)) <= 40_000 for page in found)
    in_order = [card.number for row in (0, 1, 2) for card in made[row::3]]
    assert numbers(found) == in_order
    heads = [row["title"] for page in found for row in page["lists"]]
    assert list(dict.fromkeys(heads)) == [row.title for row in rows]
    assert heads.count("List 0") == heads.count("List 2") == 1
    assert "members" not in found[1]


def test_few_tasks_are_read_at_once(agent, olga, board, todo, doing, monkeypatch):
    monkeypatch.setattr(tool, "CARDS", 2)
    for number in range(5):
        create_card(actor=web(olga), list_id=(todo, doing)[number % 2].pk, title=f"Card {number}")
    found = pages(agent, board)
    assert [sum(len(row["cards"]) for row in page["lists"]) for page in found] == [2, 2, 1]
    assert numbers(found) == [1, 3, 5, 2, 4]


def test_many_lists_members_and_labels_come_in_parts_too(agent, olga, board):
    lists = [List(board=board, title=f"{n} {'漢' * 190}", position=n * GAP) for n in range(100)]
    List.objects.bulk_create(lists)
    Label.objects.bulk_create(Label(board=board, name=f"{n} {'漢' * 45}", hue=1) for n in range(100))
    for number in range(3):
        join(person(f"p{number}"), board)
    found = pages(agent, board)
    assert all(len(encode(page)) <= 40_000 for page in found)
    assert [row["id"] for page in found for row in page["lists"]] == [str(row.pk) for row in lists]
    labels = [label["name"] for page in found for label in page.get("labels", [])]
    assert len(labels) == len(set(labels)) == 100
    assert len([one for page in found for one in page.get("members", [])]) == 6


def test_what_changes_between_two_parts_neither_doubles_nor_hides_others(agent, olga, board, todo, doing, monkeypatch):
    monkeypatch.setattr(tool, "CARDS", 2)
    made = [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}") for number in range(6)]
    first = agent.call("get_board", boardId=board.pk)
    move_card(actor=web(olga), card_id=made[1].pk, list_id=doing.pk)
    archive_card(actor=web(olga), card_id=made[2].pk)
    create_card(actor=web(olga), list_id=todo.pk, title="Late")
    second = agent.call("get_board", boardId=board.pk, cursor=first["nextCursor"])
    assert numbers([first, second]) == [1, 2, 4, 5]


def test_a_cursor_of_another_call_is_refused(agent, olga, board, todo, monkeypatch):
    monkeypatch.setattr(tool, "CARDS", 1)
    for number in range(2):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}")
    cursor = agent.call("get_board", boardId=board.pk)["nextCursor"]
    assert "start over" in agent.refused("get_board", boardId=board.pk, cursor=cursor, answer="full")
    assert "start over" in agent.refused("get_board", boardId=board.pk, cursor="nonsense")


def test_a_cursor_is_good_for_a_day(agent, olga, board, todo, monkeypatch):
    monkeypatch.setattr(tool, "CARDS", 1)
    for number in range(2):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}")
    cursor = agent.call("get_board", boardId=board.pk)["nextCursor"]
    with time_machine.travel(timezone.now() + timedelta(hours=23)):
        assert numbers([agent.call("get_board", boardId=board.pk, cursor=cursor)]) == [2]
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert "older than a day" in agent.refused("get_board", boardId=board.pk, cursor=cursor)


@pytest.mark.parametrize("number", [2, 200])
def test_a_board_takes_the_same_statements_however_large_it_is(agent, olga, board, todo, number):
    for count in range(number):
        card = create_card(actor=web(olga), list_id=todo.pk, title=f"Card {count}")
        label = create_label(actor=web(olga), board_id=board.pk, name=f"Label {count}")
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
        assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
    with CaptureQueriesContext(connection) as captured:
        answer = agent.call("get_board", boardId=board.pk)
    assert numbers([answer]) == list(range(1, number + 1))
    assert len(captured) == 6
