import pytest

from boards.actions.comments import add_comment, delete_comment, edit_comment
from boards.actions.members import change_role
from boards.actor import Actor
from boards.errors import Invalid, NotAllowed
from boards.models import Card, Comment
from boards.models.verbs import Door
from boards.tests.world import last
from conftest import web


@pytest.fixture
def comment(card, ed):
    return add_comment(actor=web(ed), card_id=card.pk, text="\n  First *draft*\r\nis up\n\n")


def test_a_comment_keeps_its_text_and_author(comment, card, ed):
    assert (comment.body, comment.author, comment.edited_at) == ("  First *draft*\nis up", ed, None)
    assert comment.version == Card.objects.get().version == last(card.board).version
    assert last(card.board).card_id == card.pk


def test_a_comment_says_which_door_it_came_through(card, ed):
    comment = add_comment(actor=Actor(ed, door=Door.AGENT, token_name="laptop"), card_id=card.pk, text="Done")
    assert (comment.door, comment.token_name) == ("agent", "laptop")


@pytest.mark.parametrize("text", ["", " \n\t", "x" * 20_001, None, 7, "nul \0"])
def test_an_invalid_comment_is_neither_added_nor_changed(card, comment, ed, text):
    with pytest.raises(Invalid):
        add_comment(actor=web(ed), card_id=card.pk, text=text)
    with pytest.raises(Invalid):
        edit_comment(actor=web(ed), comment_id=comment.pk, text=text)
    assert Comment.objects.get().body == comment.body


def test_the_author_edits_a_comment(comment, ed):
    edited = edit_comment(actor=web(ed), comment_id=comment.pk, text="Second")
    assert edited.edited_at is not None
    assert last(comment.board).data == {"body": None}
    assert last(comment.board).former.values == {"body": "  First *draft*\nis up"}
    assert Card.objects.get().version == edited.version


def test_the_same_text_again_is_not_an_edit(comment, ed):
    assert edit_comment(actor=web(ed), comment_id=comment.pk, text=comment.body).edited_at is None


def test_only_the_author_edits_a_comment_not_even_the_owner_does(comment, olga):
    with pytest.raises(NotAllowed, match="author"):
        edit_comment(actor=web(olga), comment_id=comment.pk, text="Hers")
    assert Comment.objects.get().body == comment.body


def test_the_owner_deletes_anybodys_comment(comment, olga):
    delete_comment(actor=web(olga), comment_id=comment.pk)
    assert not Comment.objects.exists()
    assert last(comment.board).former.values["body"] == "  First *draft*\nis up"
    assert last(comment.board).removed == [{"kind": "comment", "id": str(comment.pk)}]


def test_an_editor_deletes_only_their_own_comments(board, comment, ed, olga, vera):
    change_role(actor=web(olga), board_id=board.pk, user_id=vera.pk, role="editor")
    with pytest.raises(NotAllowed, match="author of a comment or the owner"):
        delete_comment(actor=web(vera), comment_id=comment.pk)
    delete_comment(actor=web(ed), comment_id=comment.pk)
    assert not Comment.objects.exists()


def test_a_member_who_became_a_viewer_cannot_change_their_old_comments(board, comment, ed, olga):
    change_role(actor=web(olga), board_id=board.pk, user_id=ed.pk, role="viewer")
    with pytest.raises(NotAllowed):
        edit_comment(actor=web(ed), comment_id=comment.pk, text="Second")
    with pytest.raises(NotAllowed):
        delete_comment(actor=web(ed), comment_id=comment.pk)
