"""The overview counts the tasks that wait in each list."""

import json
from datetime import date, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.last_look import mark_seen
from accounts.models import Bounds, LastLook, Plan
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.lists.list import archive_list, create_list
from boards.actions.ordering import renumber
from boards.actions.people.members import remove_member
from boards.models import Board, List
from boards.models.renumbering import GAP
from conftest import join, web
from mcpserver.messages import encode


@pytest.fixture
def seen(agent, todo, doing):
    agent.call("list_changes", markSeen=True)


def counts(agent, **arguments):
    """Return the counts of the lists by title."""
    answer = agent.call("overview", **arguments)
    return {row.pop("title"): row for board in answer["boards"] for row in board["lists"]}


@pytest.mark.usefixtures("seen")
def test_each_list_has_its_counts(agent, olga, ed, todo, doing):
    for number in range(3):
        card = create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}")
        if number:
            assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    complete_card(actor=web(olga), card_id=card.pk)
    agent.call("list_changes", markSeen=True)
    create_card(actor=web(olga), list_id=doing.pk, title="New")
    assert agent.call("overview")["boards"] == [
        {
            "title": "Launch",
            "lists": [
                {"title": "To do", "open": 2, "done": 1, "nobody": 1},
                {"title": "Doing", "open": 1, "nobody": 1, "changed": 1},
            ],
        }
    ]


@pytest.fixture
def thursday(olga):
    """It is Thursday noon in Auckland, and still Wednesday in UTC."""
    olga.time_zone = "Pacific/Auckland"
    olga.save()
    with time_machine.travel("2026-11-25 23:00Z", tick=False):
        yield


@pytest.mark.usefixtures("thursday")
@pytest.mark.parametrize(
    ("due", "counted"),
    [
        ({"due_day": "2026-11-25"}, {"overdue", "week"}),
        ({"due_at": "2026-11-25T22:59:00Z"}, {"overdue", "today", "week"}),
        ({"due_at": "2026-11-26T10:59:00Z"}, {"today", "week"}),
        ({"due_day": "2026-11-26"}, {"today", "week"}),
        ({"due_at": "2026-11-26T11:00:00Z"}, {"week"}),
        ({"due_day": "2026-11-28"}, {"week"}),
        ({"due_day": "2026-11-30"}, set()),
        ({"due_day": "2026-11-21"}, {"overdue"}),
        ({}, set()),
    ],
)
def test_days_and_weeks_are_those_of_the_account(agent_of, olga, todo, due, counted):
    card = create_card(actor=web(olga), list_id=todo.pk, title="Print")
    agent_of(olga).call(
        "update_task", taskId=card.pk, **({"dueDate": next(iter(due.values()))} if due else {"title": "x"})
    )
    found = counts(agent_of(olga))["To do"]
    assert found.keys() & {"overdue", "today", "week"} == counted
    complete_card(actor=web(olga), card_id=card.pk)
    assert not counts(agent_of(olga))["To do"].keys() & {"overdue", "today", "week", "nobody", "open"}


@pytest.mark.usefixtures("thursday")
@pytest.mark.parametrize(
    ("start", "first", "last"),
    [
        ("", "2026-11-22", "2026-11-28"),
        ("sunday", "2026-11-22", "2026-11-28"),
        ("monday", "2026-11-23", "2026-11-29"),
        ("saturday", "2026-11-21", "2026-11-27"),
    ],
)
def test_the_week_begins_when_the_account_says_and_is_named(agent_of, olga, todo, start, first, last):
    olga.week_start = start
    olga.save()
    days = [date.fromisoformat(first) + timedelta(days=number) for number in range(-1, 8)]
    for day in days:
        create_card(actor=web(olga), list_id=todo.pk, title="Print", due_day=day)
    answer = agent_of(olga).call("overview")
    assert answer["week"] == [first, last]
    assert answer["boards"][0]["lists"][0]["week"] == 7
    assert answer["boards"][0]["lists"][0]["overdue"] == sum(day < date(2026, 11, 26) for day in days)


def test_archived_things_are_left_out(agent, olga, board, todo, doing, card):
    archive_card(actor=web(olga), card_id=card.pk)
    archive_list(actor=web(olga), list_id=doing.pk)
    assert counts(agent) == {"To do": {}}
    archive_board(actor=web(olga), board_id=board.pk)
    assert agent.call("overview")["boards"] == []


def test_before_the_first_look_the_last_week_has_changed(agent, olga, board, todo, card):
    assert counts(agent)["To do"]["changed"] == 1
    mark_seen(agent.token, {board.pk: Board.objects.get(pk=board.pk).version})
    assert "changed" not in counts(agent)["To do"]
    update_card(actor=web(olga), card_id=card.pk, title="Changed")
    assert counts(agent)["To do"]["changed"] == 1


def test_looking_at_the_overview_moves_no_mark(agent, card):
    agent.call("overview")
    assert not LastLook.objects.exists()


@pytest.fixture
def garden(olga):
    board = create_board(actor=web(olga), title="Garden")
    create_list(actor=web(olga), board_id=board.pk, title="Beds")
    return board


def test_boards_can_be_chosen_by_title_or_id(agent, board, todo, garden):
    for chosen in (["garden"], [str(garden.pk)], "Garden"):
        assert [found["title"] for found in agent.call("overview", boards=chosen)["boards"]] == ["Garden"]
    assert [found["title"] for found in agent.call("overview", boards=["Garden", "Launch"])["boards"]] == [
        "Launch",
        "Garden",
    ]


def test_a_title_of_none_or_of_several_boards_is_refused(agent, olga, board, garden):
    refusal = agent.refused("overview", boards=["Grden"])
    assert "No board that you have access to is called 'Grden'. There are 'Garden', 'Launch'." in refusal
    second = create_board(actor=web(olga), title="Garden")
    refusal = agent.refused("overview", boards=["Garden"])
    both = f"'Garden' (id {garden.pk}, yours); 'Garden' (id {second.pk}, yours)"
    assert f"Several boards are called 'Garden': {both}. Send the id of one." in refusal
    assert "boards must be a list of 1 to 100 texts." in agent.refused("overview", boards=[])
    assert "boards must be text." in agent.refused("overview", boards=[5])


def test_boards_of_one_title_are_told_apart_by_their_ids(agent, olga, ed, board, todo, garden):
    theirs = create_board(actor=web(ed), title="Garden")
    create_list(actor=web(ed), board_id=theirs.pk, title="Beds")
    join(olga, theirs)
    found = [(one.get("id"), one["title"]) for one in agent.call("overview")["boards"]]
    assert found == [(None, "Launch"), (str(garden.pk), "Garden"), (str(theirs.pk), "Garden")]
    assert agent.call("overview", boards=[str(theirs.pk)])["boards"][0]["id"] == str(theirs.pk)
    both = f"'Garden' (id {garden.pk}, yours); 'Garden' (id {theirs.pk}, owned by 'Ed')"
    assert f"Several boards are called 'Garden': {both}." in agent.refused("overview", boards="Garden")
    refusal = agent.refused("get_board", board="garden")
    assert refusal.endswith(f"'garden' is the title of several boards: {both}. Send the id of one.")


def test_boards_out_of_reach_are_in_no_answer(agent_of, olga, ed, stan, board, todo, garden):
    assert agent_of(stan).call("overview")["boards"] == []
    refusal = agent_of(stan).refused("overview", boards=["Launch"])
    assert "No board that you have access to is called 'Launch'. There are none." in refusal
    bounded = agent_of(olga, Bounds(board_ids=[str(garden.pk)]))
    assert "Launch" not in json.dumps(bounded.call("overview"))
    assert "'Launch'" not in bounded.refused("overview", boards=["Lunch"])
    theirs = agent_of(ed)
    assert theirs.call("overview")["boards"]
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert theirs.call("overview")["boards"] == []


def test_an_answer_has_at_most_4_kb_and_says_how_to_read_on(agent, olga, board):
    Plan.objects.update(max_boards=None)
    for number in range(30):
        made = create_board(actor=web(olga), title=f"Board {number} {'漢' * 40}")
        for count in range(3):
            create_list(actor=web(olga), board_id=made.pk, title=f"List {count}")
    List.objects.bulk_create(List(board=board, title=f"{n} {'漢' * 190}", position=n * GAP) for n in range(9))
    found, cursor = [], None
    while True:
        page = agent.call("overview", cursor=cursor)
        assert len(encode(page)) <= 4096
        found += [(one["title"], row["title"]) for one in page["boards"] for row in one["lists"]]
        cursor = page.get("nextCursor")
        assert (cursor is None) is ("more" not in page)
        if cursor is None:
            break
    assert len(found) == len(set(found)) == 30 * 3 + 9
    first = agent.call("overview")
    assert first["more"] == "31 more boards: call again with the same arguments and this nextCursor."
    assert "start over" in agent.refused("overview", cursor=first["nextCursor"], boards=["Launch"])


def test_a_cursor_goes_on_when_its_board_is_gone(agent, olga, board):
    Plan.objects.update(max_boards=None)
    made = [create_board(actor=web(olga), title=f"{number} {'漢' * 150}") for number in range(12)]
    first = agent.call("overview")
    told = len(first["boards"])
    archive_board(actor=web(olga), board_id=made[told - 1].pk)
    rest = [found["title"] for found in agent.call("overview", cursor=first["nextCursor"])["boards"]]
    assert rest == [row.title for row in made[told : told + len(rest)]]


def test_a_cursor_goes_on_after_room_was_made_between_lists(agent, olga, board):
    made = [create_list(actor=web(olga), board_id=board.pk, title=f"{number} {'漢' * 150}") for number in range(12)]
    first = agent.call("overview")
    told = len(first["boards"][0]["lists"])
    renumber(List.objects.filter(board=board), Board.objects.get(pk=board.pk).version + 1)
    rest = [row["title"] for row in agent.call("overview", cursor=first["nextCursor"])["boards"][0]["lists"]]
    assert rest == [row.title for row in made[told:]]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("boards", [1, 20])
@pytest.mark.parametrize("cards", [2, 200])
def test_twenty_boards_take_as_many_statements_as_one(agent, olga, boards, cards):
    Plan.objects.update(max_boards=None)
    for number in range(boards):
        row = create_board(actor=web(olga), title=f"Board {number}", template="kanban").lists.first()
        if not number:
            made = [create_card(actor=web(olga), list_id=row.pk, title=f"Card {count}") for count in range(cards)]
    for card in made:
        assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
    with CaptureQueriesContext(connection) as captured:
        answer = agent.call("overview")
    assert answer["boards"][0]["lists"][0]["open"] == cards
    assert len(captured) == 5


def test_a_change_long_ago_is_no_change(agent, board, card):
    with time_machine.travel(timezone.now() + timedelta(days=8), tick=False):
        assert "changed" not in counts(agent)["To do"]
