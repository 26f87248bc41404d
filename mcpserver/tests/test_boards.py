"""list_boards, create_board, create_list."""

import pytest

from accounts.models import Plan
from boards.actions.boards.board import archive_board
from boards.actions.lists.list import archive_list
from boards.models import Activity, Board, List
from conftest import web


def test_list_boards_gives_boards_with_their_lists_in_order(agent, board, todo, doing):
    assert agent.call("list_boards")["boards"] == [
        {
            "id": str(board.pk),
            "title": "Launch",
            "lists": [{"id": str(todo.pk), "title": "To do"}, {"id": str(doing.pk), "title": "Doing"}],
        }
    ]


def test_list_boards_leaves_out_archived_boards_and_lists(agent, olga, board, todo, doing):
    archive_list(actor=web(olga), list_id=doing.pk)
    assert [row["title"] for row in agent.call("list_boards")["boards"][0]["lists"]] == ["To do"]
    archive_board(actor=web(olga), board_id=board.pk)
    assert agent.call("list_boards")["boards"] == []


def test_list_boards_shows_a_viewer_their_boards_and_a_stranger_none(agent_of, vera, stan, board):
    assert len(agent_of(vera).call("list_boards")["boards"]) == 1
    assert agent_of(stan).call("list_boards")["boards"] == []


def test_list_boards_is_never_cut(agent, olga, board):
    List.objects.bulk_create(
        List(board=board, title=f"{number:03}" + "é" * 197, position=number, version=1) for number in range(300)
    )
    [entry] = agent.call("list_boards")["boards"]
    assert len(entry["lists"]) == 300


def test_create_board_makes_the_lists_of_the_template(agent, olga):
    board = agent.call("create_board", title=" Garden ", template="kanban")["board"]
    assert list(board) == ["id", "title", "lists", "url"]
    assert board["title"] == "Garden"
    assert [row["title"] for row in board["lists"]] == ["To do", "In progress", "Done"]
    assert board["url"] == f"/board/{board['id']}"
    assert agent.call("list_boards")["boards"][0]["lists"] == board["lists"]


def test_create_board_is_blank_without_a_template(agent):
    assert agent.call("create_board", title="Garden", template=None)["board"]["lists"] == []


def test_create_board_uses_the_language_of_the_account(agent_of, olga):
    olga.language = "de"
    olga.save()
    lists = agent_of(olga).call("create_board", title="Garten", template="personal")["board"]["lists"]
    assert lists[0]["title"] == "Heute"


def test_create_board_refuses_at_the_cap_and_names_it(agent, olga):
    cap = Plan.objects.get(pk="free").max_boards
    for number in range(cap):
        agent.call("create_board", title=f"Board {number}")
    told = agent.refused("create_board", title="One more")
    assert (
        f"limit of {cap} owned boards. Archive or delete one to make room. No tool archives or deletes boards: ask"
        in told
    )
    assert Board.objects.count() == cap


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({}, "title is missing."),
        ({"title": " "}, "title must not be empty."),
        ({"title": "x" * 201}, "at most 200"),
        ({"title": "a\nb"}, "single line"),
        ({"title": 7}, "title must be text."),
        ({"title": "x", "template": "scrum"}, "template must be one of blank, kanban, content, personal."),
    ],
)
def test_create_board_refuses_invalid_arguments(agent, arguments, words):
    assert words in agent.refused("create_board", **arguments)
    assert Board.objects.count() == 0


def test_create_list_adds_it_at_the_end(agent, board, todo):
    made = agent.call("create_list", boardId=board.pk, title="Later")["list"]
    assert made == {"id": made["id"], "title": "Later", "boardId": str(board.pk)}
    assert [row["title"] for row in agent.call("list_boards")["boards"][0]["lists"]] == ["To do", "Later"]


def test_create_list_is_recorded_as_the_work_of_an_agent(agent, board):
    agent.call("create_list", boardId=board.pk, title="Later")
    line = Activity.objects.get(verb="list.created")
    assert (line.door, line.token_name) == ("agent", "Robot")


def test_create_list_refuses_a_list_too_many_and_says_what_to_do(agent, board):
    List.objects.bulk_create(List(board=board, title="One", position=-n, version=1) for n in range(1, 501))
    told = agent.refused("create_list", boardId=str(board.pk), title="More")
    assert told == (
        "This board has reached its limit of 500 lists. Archive one to make room. "
        "No tool archives lists: ask a person who may edit the board to do it in the browser."
    )


def test_create_list_does_not_find_an_archived_board(agent, olga, board):
    archive_board(actor=web(olga), board_id=board.pk)
    assert "There is no board" in agent.refused("create_list", boardId=board.pk, title="Later")
