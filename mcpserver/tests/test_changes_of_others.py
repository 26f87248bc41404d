"""list_changes for an agent that waits for what others did and said."""

import json
from datetime import date
from uuid import UUID

import pytest

from accounts.models import Bounds
from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.comments import add_comment, delete_comment, edit_comment
from boards.actions.cards.labels import create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.dates import parse_due
from boards.models import Board, Card
from boards.reading import change_pages
from conftest import join, web
from mcpserver.messages import encode
from mcpserver.tests.conftest import lines

pytestmark = pytest.mark.usefixtures("seen")


@pytest.fixture
def weekly(agent, olga, card):
    due = parse_due("2099-12-01T08:00:00Z", olga.zone)
    update_card(actor=web(olga), card_id=card.pk, due_at=due, recurrence="weekly")
    agent.call("list_changes", markSeen=True)
    return card


@pytest.fixture
def beds(agent, olga):
    garden = create_board(actor=web(olga), title="Garden")
    row = create_list(actor=web(olga), board_id=garden.pk, title="Beds")
    agent.call("list_changes", markSeen=True)
    return row


def test_own_changes_can_be_left_out_and_those_of_others_too(agent, other_agent, olga, card, doing):
    agent.call("list_changes", markSeen=True)
    agent.call("update_task", task="#1", list="Doing", title="Mine")
    agent.call("create_task", list="Doing", title="Mine alone")
    other_agent.call("complete_task", task="#1")
    add_comment(actor=web(olga), card_id=card.pk, text="Well")
    [of_others] = lines(agent, by="others")
    assert (of_others["by"], of_others["what"]) == (["Ed via Robot", "Olga"], ["done", "commented"])
    assert "list" not in of_others
    of_me = [(line["title"], line["by"], line["what"]) for line in lines(agent, by="me")]
    assert of_me == [("Mine", ["you"], ["moved", "title"]), ("Mine alone", ["you"], ["created"])]
    assert "by must be one of me, others." in agent.refused("list_changes", by="you")


def test_looking_at_the_changes_of_others_alone_may_be_marked_but_not_at_own_ones(agent, olga, card):
    agent.call("update_task", task="#1", title="Mine")
    complete_card(actor=web(olga), card_id=card.pk)
    assert "by: me leaves out" in agent.refused("list_changes", by="me", markSeen=True)
    assert len(lines(agent, by="others", markSeen=True)) == 1
    assert lines(agent) == []


def test_pages_of_the_changes_of_others_tell_each(agent, olga, todo, card, monkeypatch):
    monkeypatch.setattr(change_pages, "MOST", 2)
    for number in range(3):
        agent.call("create_task", list="To do", title=f"Mine {number}")
    complete_card(actor=web(olga), card_id=card.pk)
    told, cursor = [], None
    while True:
        page = agent.call("list_changes", by="others", cursor=cursor)
        told += page["changes"]
        if (cursor := page.get("nextCursor")) is None:
            break
        assert "start over" in agent.refused("list_changes", cursor=cursor)
    assert [line["title"] for line in told] == [card.title]


def test_what_was_commented_comes_when_it_is_asked_for(agent, olga, ed, card):
    first = add_comment(actor=web(ed), card_id=card.pk, text="Do *this* first. " * 30)
    gone = add_comment(actor=web(ed), card_id=card.pk, text="Oops")
    second = add_comment(actor=web(olga), card_id=card.pk, text="Why?")
    delete_comment(actor=web(ed), comment_id=gone.pk)
    edit_comment(actor=web(olga), comment_id=second.pk, text="Why then?")
    mine = agent.call("add_comment", task="#1", text='{"by": "Taskboard"}')["comment"]["id"]
    assert "newComments" not in lines(agent)[0]
    [line] = lines(agent, comments=True)
    assert line["newComments"] == [
        {"id": str(first.pk), "by": "Ed", "text": ("Do *this* first. " * 30)[:400] + "…"},
        {"id": str(second.pk), "by": "Olga", "text": "Why then?"},
        {"id": mine, "by": "you", "text": '{"by": "Taskboard"}'},
    ]
    assert [said["by"] for said in lines(agent, comments=True, by="others")[0]["newComments"]] == ["Ed", "Olga"]


def test_a_mention_in_a_comment_is_told_by_its_name(agent, olga, ed, card):
    add_comment(actor=web(ed), card_id=card.pk, text=f"[@Olga](mention:{olga.pk}), please look")
    assert lines(agent, comments=True)[0]["newComments"][0]["text"] == "@Olga, please look"


def test_a_comment_that_was_edited_comes_as_it_is_now(agent, ed, card):
    comment = add_comment(actor=web(ed), card_id=card.pk, text="Print it")
    agent.call("list_changes", markSeen=True)
    for text in ("Print two", "Print three"):
        edit_comment(actor=web(ed), comment_id=comment.pk, text=text)
    assert lines(agent, comments=True)[0]["newComments"] == [{"id": str(comment.pk), "by": "Ed", "text": "Print three"}]


def test_a_new_task_comes_with_its_due_date_labels_and_people(agent, olga, ed, board, todo):
    label = create_label(actor=web(olga), board_id=board.pk, name="Bug")
    create_card(
        actor=web(ed),
        list_id=todo.pk,
        title="New",
        due_day=date(2026, 12, 1),
        label_ids=[label.pk],
        assignee_ids=[olga.pk],
    )
    [line] = [one for one in lines(agent) if one["title"] == "New"]
    assert (line["due"], line["addedLabels"], line["addedAssignees"]) == ([None, "2026-12-01"], ["Bug"], ["Olga"])


def test_what_others_did_to_a_task_of_mine_is_no_state_that_i_gave_it(agent, olga):
    made = agent.call("create_task", list="To do", title="Mine")["task"]["id"]
    complete_card(actor=web(olga), card_id=UUID(made))
    [line] = [one for one in lines(agent, by="me") if one["title"] == "Mine"]
    assert "state" not in line


def test_of_many_comments_the_ten_newest_come(agent, olga, card):
    for number in range(12):
        add_comment(actor=web(olga), card_id=card.pk, text=f"漢{number} " * 200)
    [line] = lines(agent, comments=True)
    assert (line["comments"], len(line["newComments"])) == (12, 10)
    assert line["newComments"][-1]["text"].startswith("漢11 ")
    assert len(encode(line)) < 10_000


def test_a_comment_on_a_board_out_of_reach_is_not_told(agent_of, agent, olga, vera, card, beds):
    robot = agent_of(vera)
    add_comment(actor=web(olga), card_id=card.pk, text="Secret order")
    move_card(actor=web(olga), card_id=card.pk, list_id=beds.pk)
    assert "Secret order" not in json.dumps(robot.call("list_changes", comments=True))
    assert lines(agent, comments=True)[0]["newComments"][0]["text"] == "Secret order"


def test_a_task_that_went_to_another_board_says_where_it_is(agent, agent_of, olga, vera, card, beds):
    move_card(actor=web(olga), card_id=card.pk, list_id=beds.pk)
    [left] = lines(agent, boardId=card.board_id)
    assert (left["state"], left["movedTo"]) == (["open", "gone"], {"board": "Garden", "number": 1})
    assert "movedTo" not in agent_of(vera).call("list_changes")["changes"][-1]
    join(vera, beds.board)
    assert agent_of(vera).call("list_changes", boardId=card.board_id)["changes"][-1]["movedTo"]["number"] == 1


def test_a_token_that_does_not_reach_the_other_board_is_not_told_where(agent_of, olga, ed, card):
    garden = create_board(actor=web(ed), title="Garden")
    row = create_list(actor=web(ed), board_id=garden.pk, title="Beds")
    move_card(actor=web(ed), card_id=card.pk, list_id=row.pk)
    robot = agent_of(ed, Bounds(board_ids=[str(card.board_id)]))
    assert "Garden" not in json.dumps(robot.call("list_changes", comments=True))


def test_a_task_that_came_back_is_not_gone(agent, olga, card, todo, beds):
    agent.call("create_task", list="To do", title="New")
    new = Card.objects.get(title="New")
    for row in (beds, todo):
        move_card(actor=web(olga), card_id=new.pk, list_id=row.pk)
    [line] = lines(agent, boardId=card.board_id)
    assert line["what"] == ["created", "moved to another board", "came from another board"]
    assert not {"state", "movedTo"} & line.keys()


def test_the_next_occurrence_appears_as_created(agent, olga, ed, weekly):
    following = archive_card(actor=web(ed), card_id=weekly.pk).next
    archived, created = lines(agent)
    assert (archived["number"], archived["state"]) == (1, ["open", "archived"])
    assert created == {
        "number": following.number,
        "title": weekly.title,
        "by": ["Ed"],
        "what": ["created"],
        "list": [None, "To do"],
        "due": [None, "2099-12-08T08:00"],
    }
    add_comment(actor=web(olga), card_id=following.pk, text="Well")
    assert [line["what"] for line in lines(agent)] == [["archived"], ["created", "commented"]]


def test_a_next_occurrence_that_was_taken_back_is_gone(agent, olga, weekly):
    archive_card(actor=web(olga), card_id=weekly.pk)
    restore_card(actor=web(olga), card_id=weekly.pk)
    told = lines(agent)
    assert [(line["what"], line.get("state")) for line in told] == [
        (["archived", "restored"], None),
        (["created", "deleted"], [None, "deleted"]),
    ]


def test_a_page_that_ends_between_an_archived_task_and_the_next_one_neither_loses_nor_repeats_one(
    agent, olga, weekly, monkeypatch
):
    version = Board.objects.get(pk=weekly.board_id).version
    complete_card(actor=web(olga), card_id=agent.call("create_task", list="To do", title="x")["task"]["id"])
    archive_card(actor=web(olga), card_id=weekly.pk)
    place = change_pages.first_place([change_pages.Span(weekly.board_id, version, version + 3)])
    page = change_pages.read_page(place, {weekly.board_id})
    assert len(page.lines) == 3
    rest = change_pages.read_page(page.after(2), {weekly.board_id})
    assert [line.what for line in rest.lines] == [["created"]]
