"""Tasks by their number, as people name them: #5."""

import pytest

from accounts.models import Plan
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.lists.list import create_list
from boards.models import Card
from conftest import web


@pytest.fixture
def other(olga):
    """Another board of Olga's, with a task of the number that the first task on each board has."""
    board = create_board(actor=web(olga), title="Garden")
    row = create_list(actor=web(olga), board_id=board.pk, title="Ideas")
    return create_card(actor=web(olga), list_id=row.pk, title="Plant trees")


def calls(doing):
    yield "get_task", {}
    yield "update_task", {"title": "Better"}
    yield "complete_task", {}
    yield "reopen_task", {}
    yield "move_task", {"listId": doing.pk}
    yield "add_comment", {"text": "Half done"}
    yield "archive_task", {}


@pytest.mark.parametrize("sent", ["#1", "1", " # 01 "])
def test_every_tool_for_one_task_takes_its_number(agent, card, doing, sent):
    for tool, arguments in calls(doing):
        task = agent.call(tool, taskId=sent, **arguments)["task"]
        assert (task["id"], task["number"]) == (str(card.pk), 1)


def test_a_number_that_several_boards_have_is_answered_with_all_that_it_could_be(agent, board, card, other, doing):
    before = list(Card.objects.order_by("pk").values())
    for tool, arguments in calls(doing):
        refusal = agent.refused(tool, taskId="#1", **arguments)
        assert refusal.startswith("Several tasks have the number 1: ")
        assert f"'Write the announcement' on the board 'Launch' (id {card.pk})" in refusal
        assert f"'Plant trees' on the board 'Garden' (id {other.pk})" in refusal
    assert list(Card.objects.order_by("pk").values()) == before


def test_with_its_board_a_number_is_one_task(agent, card, other, doing):
    for tool, arguments in calls(doing):
        assert agent.call(tool, taskId="#1", boardId=card.board_id, **arguments)["task"]["id"] == str(card.pk)
    assert agent.call("get_task", taskId="1", board_id=other.board_id)["task"]["id"] == str(other.pk)


def test_an_archived_task_is_named_by_its_number_too_and_says_so_among_several(agent, olga, card, other):
    archive_card(actor=web(olga), card_id=other.pk)
    assert f"(id {other.pk}, archived)" in agent.refused("complete_task", taskId="#1")
    assert agent.call("get_task", taskId="#1", boardId=other.board_id)["archived"] is True


def test_of_very_many_tasks_with_a_number_ten_are_named(agent, olga, card):
    olga.plan = Plan.objects.get(pk="pro")
    olga.save()
    for count in range(10):
        board = create_board(actor=web(olga), title=f"Board {count}", template="kanban")
        create_card(actor=web(olga), board_id=board.pk, title="Same")
    refusal = agent.refused("get_task", taskId="#1")
    assert refusal.count("(id ") == 10
    assert "; and others. Send the id of one as taskId." in refusal


@pytest.mark.parametrize("sent", ["#2", "2", "#0", "#1x", "##1", "#999999999", "#9999999999", "１"])
def test_a_number_that_no_task_has_is_not_found(agent, card, sent):
    assert agent.refused("get_task", taskId=sent).startswith(f"There is no task with the taskId '{sent}'")


def test_numbers_of_boards_out_of_reach_count_for_nothing(agent, agent_of, olga, stan, card, other):
    assert "There is no task" in agent_of(stan).refused("get_task", taskId="#1")
    refusal = agent_of(stan).refused("get_task", taskId="#1", boardId=card.board_id)
    assert refusal.startswith(f"There is no board with the boardId '{card.board_id}'")
    archive_board(actor=web(olga), board_id=other.board_id)
    assert agent.call("get_task", taskId="#1")["task"]["id"] == str(card.pk)


def test_an_id_with_another_board_is_refused_with_what_to_do(agent, card, other):
    refusal = agent.refused("update_task", taskId=card.pk, boardId=other.board_id, title="Better")
    assert "move_task" in refusal
    card.refresh_from_db()
    assert card.title == "Write the announcement"


def test_a_search_for_a_number_finds_the_tasks_with_it_on_all_boards(agent, agent_of, stan, card, other):
    agent.call("create_task", listId=card.list_id, title="About #1")
    found = agent.call("search_tasks", query="#1")["tasks"]
    assert {task["title"] for task in found} == {"Write the announcement", "Plant trees"}
    assert [task["number"] for task in found] == [1, 1]
    [here] = agent.call("search_tasks", query=" #1 ", boardId=card.board_id)["tasks"]
    assert here["id"] == str(card.pk)
    assert agent_of(stan).call("search_tasks", query="#1")["tasks"] == []


def test_the_number_is_in_every_answer_about_a_task(agent, card, doing):
    for tool, arguments in calls(doing):
        assert agent.call(tool, taskId=card.pk, **arguments)["task"]["number"] == card.number
    assert agent.call("create_task", listId=doing.pk, title="Next")["task"]["number"] == card.number + 1


def test_the_title_of_a_task_is_answered_with_its_number(agent, agent_of, olga, stan, card, other, doing):
    for tool, arguments in calls(doing):
        refusal = agent.refused(tool, taskId=f" {card.title} ", **arguments)
        send = f"send '#1' on the board 'Launch' (id {card.pk})."
        assert refusal == f"'{card.title}' is the title of a task: {send}"
    assert "There is no task" in agent.refused("get_task", taskId=card.title.upper())
    assert "There is no task" in agent.refused("get_task", taskId=card.title, boardId=other.board_id)
    assert "There is no task" in agent_of(stan).refused("get_task", taskId=card.title)
    told = agent.call("update_tasks", tasks=[{"task": card.title, "title": "x"}, {"task": str(card.pk), "title": "y"}])
    assert "send '#1' on the board 'Launch'" in told["failed"][0]["error"]


def test_a_title_of_several_tasks_is_answered_with_the_numbers_of_all(agent, olga, card, other):
    twin = create_card(actor=web(olga), list_id=other.list_id, title=card.title)
    archive_card(actor=web(olga), card_id=card.pk)
    refusal = agent.refused("get_task", taskId=card.title)
    both = f"'#2' on the board 'Garden' (id {twin.pk}); '#1' on the board 'Launch' (id {card.pk}, archived)"
    assert refusal == f"'{card.title}' is the title of several tasks. Send one of them: {both}."


@pytest.mark.parametrize("sent", ["\0", "\ud800", "x" * 900, "a\nb", ""])
def test_what_can_be_no_title_is_not_found(agent, card, sent):
    assert "There is no task" in agent.refused("get_task", taskId=sent)
