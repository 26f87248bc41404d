"""edit_comment and restore_task."""

import pytest

from accounts.models import Bounds
from boards.actions.cards.archive import archive_card
from boards.actions.cards.comments import add_comment
from boards.actions.lists.list import archive_list
from boards.models import Activity, Comment
from conftest import web


@pytest.fixture
def comment(olga, card):
    return add_comment(actor=web(olga), card_id=card.pk, text="Well")


def test_a_comment_is_edited_by_its_author(agent, card, comment):
    [told] = agent.call("get_task", task="#1")["comments"]
    answer = agent.call("edit_comment", commentId=told["id"], text="**Better**")
    assert answer == {"task": {"number": 1, "title": card.title, "list": "To do", "state": "open"}}
    comment.refresh_from_db()
    assert (comment.body, comment.edited_at is None) == ("**Better**", False)


def test_null_deletes_a_comment(agent, card, comment):
    agent.call("edit_comment", comment=comment.pk, text=None)
    assert not Comment.objects.exists()
    assert Activity.objects.filter(verb="comment.changed").count() == 0


@pytest.mark.parametrize("text", ["Mine", None])
def test_nobody_edits_or_deletes_the_comment_of_another(agent, ed, card, text):
    comment = add_comment(actor=web(ed), card_id=card.pk, text="Ed's")
    refusal = agent.refused("edit_comment", commentId=comment.pk, text=text)
    assert refusal == "Only the author of a comment can edit it."
    comment.refresh_from_db()
    assert comment.body == "Ed's"


@pytest.mark.parametrize("text", ["", " \n", "x" * 20_001, 5, "\ud800"])
def test_a_comment_is_not_emptied_by_accident(agent, comment, text):
    assert "text " in agent.refused("edit_comment", commentId=comment.pk, text=text)
    assert "text is missing." in agent.refused("edit_comment", commentId=comment.pk)
    comment.refresh_from_db()
    assert comment.body == "Well"


def test_a_token_that_may_not_delete_deletes_no_comment(agent_of, olga, comment):
    robot = agent_of(olga, Bounds(deletes=False))
    assert robot.refused("edit_comment", commentId=comment.pk, text=None).startswith("This token may not delete.")
    robot.call("edit_comment", commentId=comment.pk, text="Better")
    assert Comment.objects.get().body == "Better"


def test_a_task_is_restored_and_that_can_be_repeated(agent, olga, card):
    archive_card(actor=web(olga), card_id=card.pk)
    for _time in range(2):
        answer = agent.call("restore_task", task="#1")
        assert answer == {"task": {"number": 1, "title": card.title, "list": "To do", "state": "open"}}
    assert Activity.objects.filter(verb="card.restored").count() == 1


def test_a_task_is_not_restored_into_an_archived_list(agent, olga, card):
    archive_card(actor=web(olga), card_id=card.pk)
    archive_list(actor=web(olga), list_id=card.list_id)
    assert agent.refused("restore_task", task="#1").startswith("The list of this task is archived")
