import json

import pytest

from boards.actions.boards.board import archive_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import update_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment, edit_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list
from boards.colours import Hue
from boards.dates import timestamp
from conftest import web
from mcpserver.tests.test_search_everywhere import attach


def test_get_task_gives_everything_on_the_card(agent, olga, ed, card):
    by_olga = web(olga)
    label = create_label(actor=by_olga, board_id=card.board_id, name="Bug")
    add_label(actor=by_olga, card_id=card.pk, label_id=label.pk)
    assign(actor=by_olga, card_id=card.pk, user_id=ed.pk)
    steps = create_checklist(actor=by_olga, card_id=card.pk, title="Steps")
    one, two = (add_item(actor=by_olga, checklist_id=steps.pk, text=text) for text in ("One", "Two"))
    update_item(actor=by_olga, item_id=one.pk, done=True)
    comment = add_comment(actor=web(ed), card_id=card.pk, text="**Soon**")
    found = agent.call("get_task", taskId=card.pk)
    assert list(found) == ["task", "comments", "checklists", "labels", "assignees", "recurrence"]
    assert found["task"]["title"] == "Write the announcement"
    assert found["checklists"] == [
        {
            "id": str(steps.pk),
            "title": "Steps",
            "items": [
                {"id": str(one.pk), "text": "One", "done": True},
                {"id": str(two.pk), "text": "Two", "done": False},
            ],
        }
    ]
    assert found["labels"] == [{"id": str(label.pk), "name": "Bug"}]
    assert found["assignees"] == [{"id": str(ed.pk), "name": "Ed"}]
    assert found["recurrence"] is None
    [shown] = found["comments"]
    assert shown == {
        "id": str(comment.pk),
        "author": {"id": str(ed.pk), "name": "Ed"},
        "text": "**Soon**",
        "createdAt": shown["createdAt"],
        "editedAt": None,
    }


def test_get_task_names_the_cover_and_the_files_of_a_task_that_has_them(agent, olga, card):
    update_card(actor=web(olga), card_id=card.pk, cover_hue=Hue.TEAL)
    files = [attach(card, name) for name in ("Plan.txt", "Map.txt")]
    found = agent.call("get_task", taskId=card.pk)
    assert found["coverColor"] == "teal"
    assert found["files"] == [{"id": str(one.pk), "name": one.file_name} for one in files]


def test_get_task_gives_the_ten_newest_comments_newest_first(agent, olga, card):
    for number in range(12):
        add_comment(actor=web(olga), card_id=card.pk, text=f"Comment {number}")
    shown = [comment["text"] for comment in agent.call("get_task", taskId=card.pk)["comments"]]
    assert shown == [f"Comment {number}" for number in range(11, 1, -1)]


def test_an_edited_comment_says_when_it_was_written_and_edited(agent, olga, card):
    comment = add_comment(actor=web(olga), card_id=card.pk, text="Son")
    comment = edit_comment(actor=web(olga), comment_id=comment.pk, text="Soon")
    [shown] = agent.call("get_task", taskId=card.pk)["comments"]
    assert shown["createdAt"] == timestamp(comment.created_at)
    assert shown["editedAt"] == timestamp(comment.edited_at)


def test_checklists_come_in_their_order_and_empty_ones_too(agent, olga, card):
    for title in ("Before", "After"):
        create_checklist(actor=web(olga), card_id=card.pk, title=title)
    shown = agent.call("get_task", taskId=card.pk)["checklists"]
    assert [(checklist["title"], checklist["items"]) for checklist in shown] == [("Before", []), ("After", [])]


def test_comments_stop_at_40_kb(agent, olga, card):
    for _number in range(3):
        add_comment(actor=web(olga), card_id=card.pk, text="é" * 9_000)
    found = agent.call("get_task", taskId=card.pk)
    assert len(found["comments"]) == 2
    assert len(json.dumps(found, ensure_ascii=False).encode()) <= 40_000


def test_a_long_task_is_whole_and_leaves_room_for_comments(agent, olga, todo):
    task = agent.call("create_task", listId=todo.pk, title="Long", description="漢" * 20_000)["task"]
    add_comment(actor=web(olga), card_id=task["id"], text="漢" * 6_000)
    found = agent.call("get_task", taskId=task["id"])
    assert len(found["task"]["description"]) == 20_000
    assert len(found["comments"]) == 1


def test_an_archived_task_can_be_read_and_says_so(agent, olga, card):
    assert "archived" not in agent.call("get_task", taskId=card.pk)
    archive_card(actor=web(olga), card_id=card.pk)
    assert agent.call("get_task", taskId=card.pk)["archived"] is True


def test_a_task_in_an_archived_list_counts_as_archived(agent, olga, card):
    archive_list(actor=web(olga), list_id=card.list_id)
    assert agent.call("get_task", taskId=card.pk)["archived"] is True


def test_a_task_on_an_archived_board_is_not_found(agent, olga, card):
    archive_board(actor=web(olga), board_id=card.board_id)
    assert "There is no task" in agent.refused("get_task", taskId=card.pk)


@pytest.mark.parametrize("sent", ["", "7", "nonsense", "01938F5E-7B1A-7C3D-8E4F-0123456789AB"])
def test_a_string_that_is_not_an_id_is_not_found(agent, card, sent):
    assert agent.refused("get_task", taskId=sent).startswith(f"There is no task with the taskId '{sent}'")
