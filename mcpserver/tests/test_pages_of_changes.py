"""Answers with few changes of many, and what they cost."""

from datetime import date
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.last_look import mark_seen, seen_by
from accounts.models import Plan
from boards.actions.boards.board import archive_board, create_board, delete_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign, unassign
from boards.actions.cards.card import complete_card, create_card
from boards.actions.people.members import remove_member
from boards.models import Board
from boards.reading import change_pages
from boards.reading.changes import Span, change_query, query_at
from conftest import web
from mcpserver import looks
from mcpserver.messages import encode
from mcpserver.tests.conftest import lines
from mcpserver.tools import changes as tool


@pytest.fixture
def many(monkeypatch):
    """Few changes are read for a page."""
    monkeypatch.setattr(change_pages, "MOST", 4)


def told(agent, **arguments):
    """Return the pages, each marked or not as the arguments say."""
    pages, cursor = [], None
    while True:
        page = agent.call("list_changes", cursor=cursor, **arguments)
        pages.append(page["changes"])
        cursor = page.get("nextCursor")
        if cursor is None:
            return pages


@pytest.mark.usefixtures("many")
def test_pages_read_few_changes_and_tell_all(agent, olga, board, todo):
    mark_seen(agent.token, {board.pk: Board.objects.get(pk=board.pk).version})
    garden = create_board(actor=web(olga), title="Garden", template="kanban")
    cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}") for number in range(6)]
    first = agent.call("list_changes")
    complete_card(actor=web(olga), card_id=cards[0].pk)
    create_card(actor=web(olga), list_id=garden.lists.first().pk, title="Late")
    pages = [first["changes"]]
    while cursor := first.get("nextCursor"):
        first = agent.call("list_changes", cursor=cursor)
        pages.append(first["changes"])
    titles = [line["title"] for page in pages for line in page if line.get("what") == ["created"]]
    assert [title for title in titles if title.startswith("Card")] == [f"Card {number}" for number in range(6)]
    assert all(len(page) <= 4 for page in pages)


@pytest.mark.usefixtures("seen", "many")
def test_a_mark_on_a_page_goes_as_far_as_the_page(agent, olga, board, todo):
    start = Board.objects.get(pk=board.pk).version
    for number in range(6):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}")
    page = agent.call("list_changes", markSeen=True)
    assert seen_by(agent.token) == {board.pk: start + 4}
    complete_card(actor=web(olga), card_id=create_card(actor=web(olga), list_id=todo.pk, title="Late").pk)
    rest = agent.call("list_changes", markSeen=True, cursor=page["nextCursor"])
    assert [line["title"] for line in rest["changes"]] == ["Card 4", "Card 5"]
    assert seen_by(agent.token) == {board.pk: start + 6}
    assert [line["title"] for line in lines(agent)] == ["Late"]


@pytest.mark.usefixtures("seen")
def test_an_answer_stops_at_40_kb_and_goes_on_without_gap_or_repetition(agent, olga, board, todo):
    cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"{number} {'漢' * 190}") for number in range(90)]
    for card in cards[:3]:
        complete_card(actor=web(olga), card_id=card.pk)
    pages = told(agent)
    assert len(pages) > 1
    assert all(len(encode(page)) <= 40_000 for page in pages)
    numbers = [line["number"] for page in pages for line in page]
    assert numbers == [card.number for card in cards[3:] + cards[:3]]
    told(agent, markSeen=True)
    assert lines(agent) == []


@pytest.mark.usefixtures("seen")
def test_two_lines_of_one_change_come_on_two_pages(agent, olga, todo, monkeypatch):
    by_olga = web(olga)
    weekly = create_card(actor=by_olga, list_id=todo.pk, title="Water", due_day=date(2026, 12, 1), recurrence="weekly")
    agent.call("list_changes", markSeen=True)
    archive_card(actor=by_olga, card_id=weekly.pk)
    create_card(actor=by_olga, list_id=todo.pk, title="Late")
    monkeypatch.setattr(tool, "ROOM", 0)  # a page has one line
    found, cursor = [], None
    for _page in range(3):
        page = agent.call("list_changes", cursor=cursor)
        found += [line["number"] for line in page["changes"]]
        cursor = page.get("nextCursor")
    assert found == [weekly.number, weekly.number + 1, weekly.number + 2]
    assert cursor is None


def test_more_changed_boards_than_a_cursor_holds_are_told_after_each_other(agent, olga, monkeypatch, card):
    monkeypatch.setattr(tool, "BOARDS", 2)
    for number in range(4):
        create_board(actor=web(olga), title=f"Board {number}")
    pages = told(agent)
    assert len(pages) == 3
    titles = [line["board"] for page in pages for line in page]
    assert set(titles) == {"Launch", *(f"Board {number}" for number in range(4))}


def test_a_cursor_of_another_call_is_refused(agent, other_agent, board, card, monkeypatch):
    monkeypatch.setattr(change_pages, "MOST", 1)
    cursor = agent.call("list_changes")["nextCursor"]
    assert "start over" in agent.refused("list_changes", cursor=cursor, since="2026-01-01")
    assert "start over" in agent.refused("list_changes", cursor=cursor, boardId=board.pk)
    assert "start over" in other_agent.refused("list_changes", cursor=cursor)
    for wrong in ("nonsense", cursor[:-2], cursor[::-1], "é"):
        assert "start over" in agent.refused("list_changes", cursor=wrong)


def test_a_cursor_shows_nothing_of_a_board_that_was_left(agent, agent_of, olga, ed, board, todo, monkeypatch):
    monkeypatch.setattr(change_pages, "MOST", 1)
    theirs = agent_of(ed)
    cursor = theirs.call("list_changes")["nextCursor"]
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert theirs.call("list_changes", cursor=cursor)["changes"] == []


def test_a_deleted_board_does_not_stop_a_cursor(agent, olga, board, todo, monkeypatch):
    garden = create_board(actor=web(olga), title="Garden")
    monkeypatch.setattr(change_pages, "MOST", 1)
    cursor = agent.call("list_changes")["nextCursor"]
    archive_board(actor=web(olga), board_id=board.pk)
    delete_board(actor=web(olga), board_id=board.pk)
    found = []
    while cursor:
        page = agent.call("list_changes", cursor=cursor)
        found += [line["title"] for line in page["changes"]]
        cursor = page.get("nextCursor")
    assert set(found) == {garden.title}


@pytest.mark.parametrize("name", ["overview", "list_changes"])
def test_a_board_that_is_deleted_during_a_call_does_not_stop_it(agent, olga, board, todo, monkeypatch, name):
    garden = create_board(actor=web(olga), title="Garden")

    def seen_after_deletion(token):
        archive_board(actor=web(olga), board_id=garden.pk)
        delete_board(actor=web(olga), board_id=garden.pk)
        return seen_by(token)

    monkeypatch.setattr(looks, "seen_by", seen_after_deletion)
    assert "To do" in str(agent.call(name))


@pytest.mark.parametrize("number", [2, 200])
def test_a_call_takes_the_same_statements_however_much_has_happened(agent, olga, todo, number):
    for count in range(number):
        card = create_card(actor=web(olga), list_id=todo.pk, title=f"Card {count}")
        assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
        unassign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
    for arguments, most in [({}, 5), ({"since": "2026-01-01"}, 4), ({"boardId": todo.board_id, "since": 1}, 3)]:
        with CaptureQueriesContext(connection) as captured:
            agent.call("list_changes", **arguments)
        assert len(captured) == most


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("number", [1, 20])
def test_twenty_boards_take_as_many_statements_as_one(agent, olga, number):
    Plan.objects.update(max_boards=None)
    for count in range(number):
        create_board(actor=web(olga), title=f"Board {count}", template="kanban")
    with CaptureQueriesContext(connection) as captured:
        assert len({line.get("board") for line in lines(agent)}) == number
    assert len(captured) == 4


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("number", [1, 20])
def test_no_changes_but_those_of_the_boards_are_read(agent, board, number):
    """Which index that is depends on statistics. benchmarks/changes.py shows it for two million changes."""
    spans = [Span(board.pk if not place else uuid4(), 5, 10) for place in range(number)]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        read = change_query(spans).explain()
        assert "Seq Scan on boards_activity" not in read
        assert "SCAN boards_activity" not in read
        query, params = query_at([board.pk], timezone.now())
        explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
        cursor.execute(f"{explain} {query}", params)
        read = " ".join(str(row[-1]) for row in cursor.fetchall())
        assert "Seq Scan on boards_activity" not in read
        assert "SCAN a" not in read
