"""A day's work of an agent takes few calls and few bytes, counted as UTF-8 of the arguments and texts of results."""

import json

import pytest

from boards.actions.boards.board import create_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.cards.moves import move_card
from boards.models import Card
from conftest import join, web

KB = 1024


class Counted:
    """An agent whose calls and bytes are counted."""

    def __init__(self, agent):
        self.agent, self.calls, self.bytes = agent, 0, 0

    def call(self, tool, **arguments):
        result = self.agent.result(tool, arguments)
        text = result["content"][0]["text"]
        self.calls += 1
        self.bytes += len(json.dumps(arguments, ensure_ascii=False).encode()) + len(text.encode())
        assert result["isError"] is False, text
        return json.loads(text)


@pytest.fixture
def counted(agent):
    return Counted(agent)


@pytest.fixture
def boards(olga, ed):
    """Three boards of three lists, with ten cards each."""
    made = []
    for title in ("Website", "Launch party", "Office"):
        board = create_board(actor=web(olga), title=title, template="kanban")
        join(ed, board)
        row = board.lists.first()
        for number in range(10):
            create_card(actor=web(olga), list_id=row.pk, title=f"{title}: step {number} of the plan")
        made.append(board)
    return made


def test_a_stand_up_of_three_boards_takes_two_calls_and_4_kb(agent, counted, olga, ed, boards):
    agent.call("list_changes", markSeen=True)
    for board in boards:
        first, second, third = board.lists.all()
        cards = list(Card.objects.filter(board=board).order_by("number"))
        label = create_label(actor=web(ed), board_id=board.pk, name="Urgent")
        move_card(actor=web(ed), card_id=cards[0].pk, list_id=second.pk)
        assign(actor=web(ed), card_id=cards[0].pk, user_id=ed.pk)
        move_card(actor=web(ed), card_id=cards[1].pk, list_id=third.pk)
        complete_card(actor=web(ed), card_id=cards[1].pk)
        add_comment(actor=web(ed), card_id=cards[2].pk, text="Waits for the printer. " * 20)
        add_label(actor=web(ed), card_id=cards[3].pk, label_id=label.pk)
        create_card(actor=web(olga), list_id=first.pk, title="Something new")
    overview = counted.call("overview")
    changes = counted.call("list_changes")["changes"]
    assert (counted.calls, counted.bytes < 4 * KB) == (2, True), counted.bytes
    assert [board["title"] for board in overview["boards"]] == ["Website", "Launch party", "Office"]
    told = {(line["board"], line["title"]) for line in changes}
    assert {(board.title, "Something new") for board in boards} <= told
    assert all(line["by"] for line in changes)
    done = [line for line in changes if line.get("state") == ["open", "done"]]
    assert len(done) == 3


def test_the_mistakes_of_the_last_run_are_found_and_put_right_in_four_calls(agent, counted, olga, ed, boards):
    board = boards[0]
    first, second, third = board.lists.all()
    cards = list(Card.objects.filter(board=board).order_by("number"))
    agent.call("list_changes", markSeen=True)
    agent.call("move_task", taskId=str(cards[0].pk), listId=str(third.pk))
    agent.call("archive_task", taskId=str(cards[1].pk))
    agent.call("update_task", taskId=str(cards[2].pk), title="Wrong")
    update_card(actor=web(ed), card_id=cards[3].pk, title="Ed's change")

    changes = counted.call("list_changes")["changes"]
    mine = {line["number"]: line for line in changes if line["by"] == ["you"]}
    assert mine.keys() == {1, 2, 3}
    board_id, lists = str(board.pk), {row.title: str(row.pk) for row in (first, second, third)}
    counted.call("move_task", taskId="#1", boardId=board_id, listId=lists[mine[1]["list"][0]], position="top")
    counted.call("archive_task", taskId="#2", boardId=board_id, undo=mine[2]["state"] == ["open", "archived"])
    counted.call("update_task", taskId="#3", boardId=board_id, title=mine[3]["oldTitle"])
    assert counted.calls == 4
    after = list(Card.objects.filter(board=board).order_by("number").values_list("title", "list__title", "archived_at"))
    titles = [f"Website: step {number} of the plan" for number in range(10)]
    assert after == [
        (title if number != 3 else "Ed's change", first.title, None) for number, title in enumerate(titles)
    ]
