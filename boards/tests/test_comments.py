import pytest

from boards.actions.cards import comments
from boards.actions.cards.comments import add_comment, delete_comment, edit_comment, render_comments
from boards.actions.people.members import change_role
from boards.actor import Actor
from boards.errors import Invalid, NotAllowed
from boards.models import Card, Comment
from boards.models.verbs import Door
from boards.richtext import HTML_VERSION
from boards.tests.richtext_nodes import doc, p, text
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
    assert last(comment.board).former.values == {"body": "  First *draft*\nis up", "edited_at": None}
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


def kept():
    return Comment.objects.values_list("document", "html", "html_version").get()


def test_a_comment_is_read_when_it_is_written(card, ed):
    add_comment(actor=web(ed), card_id=card.pk, text="**a** <b>")
    html = "<p><strong>a</strong> &lt;b&gt;</p>"
    assert kept() == (doc(p(text("a", "bold"), " <b>")), html, HTML_VERSION)
    assert Comment.objects.get().shown == html


def test_an_edited_comment_is_read_again(comment, ed):
    edit_comment(actor=web(ed), comment_id=comment.pk, text="Second")
    assert kept() == (doc(p("Second")), "<p>Second</p>", HTML_VERSION)
    assert last(comment.board).data == {"body": None}
    assert last(comment.board).former.values == {"body": "  First *draft*\nis up", "edited_at": None}


def test_a_comment_that_shows_nothing_has_no_document(card, ed):
    add_comment(actor=web(ed), card_id=card.pk, text="&#32;")
    assert kept() == (None, "", HTML_VERSION)


@pytest.fixture
def read_again(monkeypatch):
    """The texts that were read as Markdown since."""
    read, texts = comments.from_markdown, []
    monkeypatch.setattr(comments, "from_markdown", lambda text: texts.append(text) or read(text))
    return texts


def test_a_comment_of_the_time_before_is_read_once_and_kept(comment, read_again, django_assert_num_queries):
    before = kept()
    Comment.objects.update(document=None, html="", html_version=0)
    version = last(comment.board).version
    for _look in range(2):
        render_comments(Comment.objects.all())
        assert kept() == before
    assert read_again == [comment.body]
    assert (Comment.objects.get().version, last(comment.board).version) == (comment.version, version)
    with django_assert_num_queries(1):
        render_comments(Comment.objects.defer("document"))


def test_html_of_another_version_is_made_anew_of_the_document(comment, read_again):
    before = kept()
    Comment.objects.update(html="<p>old</p>", html_version=HTML_VERSION + 1)
    render_comments(Comment.objects.defer("document"))
    assert (kept(), read_again) == (before, [])


def test_a_comment_that_is_edited_meanwhile_keeps_its_new_text(comment, ed):
    Comment.objects.update(html_version=0)
    seen = Comment.objects.get()
    edit_comment(actor=web(ed), comment_id=comment.pk, text="Second")
    render_comments([seen])
    assert kept() == (doc(p("Second")), "<p>Second</p>", HTML_VERSION)
