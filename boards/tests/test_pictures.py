"""Descriptions and comments show pictures attached to their own card. Copies of a card show copies of them."""

from datetime import date

import pytest

from boards.actions.boards.board import create_board
from boards.actions.boards.copies import copy_board, copy_card, copy_list
from boards.actions.boards.own_templates import save_template
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.comments import add_comment, edit_comment
from boards.actions.cards.moves import move_card
from boards.actions.files.attachments import attach_file, delete_attachment, set_cover_picture
from boards.models import Attachment, Card, List
from boards.richtext import pictures_in, to_markdown
from boards.tests.richtext_nodes import doc, p, picture, text
from conftest import web
from core.files.storage import Stored, new_name


def attached(user, card, name="cat.png"):
    """Attach what counts as a picture."""
    stored = Stored(new_name(), 10, "image/png", "0" * 64, 640, 400)
    return attach_file(actor=web(user), card_id=card.pk, stored=stored, file_name=name)


def markdown(attachment, alt="cat"):
    return f"![{alt}](/attachments/{attachment.pk})"


@pytest.fixture
def cat(ed, card):
    return attached(ed, card)


@pytest.fixture
def foreign(stan):
    """A picture on a card that only Stan can see."""
    board = create_board(actor=web(stan), title="Mine", template="kanban")
    row = create_card(actor=web(stan), list_id=List.objects.filter(board=board).first().pk, title="A")
    return attached(stan, row, "secret.png")


def test_a_picture_of_the_card_is_shown(ed, card, cat):
    changed = update_card(actor=web(ed), card_id=card.pk, description=f"See {markdown(cat)}")
    assert changed.description == doc(p("See ", picture("cat", str(cat.pk))))
    assert changed.excerpt == "See cat"


def test_a_picture_of_another_card_becomes_a_link(settings, ed, card, foreign):
    link = text("cat", link=f"{settings.BASE_URL}/attachments/{foreign.pk}")
    changed = update_card(actor=web(ed), card_id=card.pk, description=markdown(foreign))
    assert changed.description == doc(p(link))
    changed = update_card(actor=web(ed), card_id=card.pk, document=doc(p("And ", picture("cat", str(foreign.pk)))))
    assert changed.description == doc(p("And ", link))


def test_a_new_card_has_no_pictures(ed, todo, cat):
    made = create_card(actor=web(ed), list_id=todo.pk, title="A", description=markdown(cat))
    assert pictures_in(made.description) == set()


def test_comments_show_pictures_of_their_card_alone(ed, card, cat, foreign):
    comment = add_comment(actor=web(ed), card_id=card.pk, text=f"{markdown(cat)} {markdown(foreign)}")
    assert pictures_in(comment.document) == {str(cat.pk)}
    assert f'<img src="/attachments/{cat.pk}/preview" alt="cat"' in comment.html
    assert f'<img src="/attachments/{foreign.pk}' not in comment.html
    edited = edit_comment(actor=web(ed), comment_id=comment.pk, text=markdown(foreign))
    assert "<img" not in edited.html


def test_a_text_sent_back_as_it_was_read_keeps_its_picture_after_the_file_was_deleted(ed, card, cat):
    kept = update_card(actor=web(ed), card_id=card.pk, description=markdown(cat))
    delete_attachment(actor=web(ed), attachment_id=cat.pk)
    again = update_card(actor=web(ed), card_id=card.pk, description=to_markdown(kept.description) + " and more")
    assert pictures_in(again.description) == {str(cat.pk)}


def shows_own(copy, *, cover=True):
    copy = Card.objects.get(pk=copy.pk)
    own = Attachment.objects.get(card=copy)
    assert pictures_in(copy.description) == {str(own.pk)}
    assert copy.cover_attachment_id == (own.pk if cover else None)
    return own


@pytest.fixture
def illustrated(ed, card, cat):
    update_card(actor=web(ed), card_id=card.pk, description=f"See {markdown(cat)}")
    return set_cover_picture(actor=web(ed), card_id=card.pk, attachment_id=cat.pk)


def test_the_copy_of_a_card_shows_its_own_copies(ed, illustrated, cat):
    own = shows_own(copy_card(actor=web(ed), card_id=illustrated.pk))
    assert own.pk != cat.pk
    assert own.file_id == cat.file_id


def test_copies_of_lists_and_boards_show_their_own_copies(ed, illustrated, board):
    made = copy_list(actor=web(ed), list_id=illustrated.list_id)
    shows_own(Card.objects.get(list=made, title=illustrated.title))
    copied = copy_board(actor=web(ed), board_id=board.pk, title="Copy", with_cards=True)
    shows_own(Card.objects.filter(board=copied, title=illustrated.title).first())


def test_the_next_occurrence_shows_its_own_copies(ed, illustrated, card):
    update_card(actor=web(ed), card_id=card.pk, due_day=date(2030, 1, 31), recurrence="weekly")
    shows_own(archive_card(actor=web(ed), card_id=card.pk).next)


def test_a_picture_whose_file_is_gone_is_a_link_in_the_copy(ed, illustrated, cat):
    delete_attachment(actor=web(ed), attachment_id=cat.pk)
    copy = copy_card(actor=web(ed), card_id=illustrated.pk)
    assert pictures_in(copy.description) == set()
    assert copy.cover_attachment_id is None


def test_a_card_that_moves_to_another_board_keeps_its_pictures(ed, illustrated, cat):
    board = create_board(actor=web(ed), title="Other", template="kanban")
    moved = move_card(actor=web(ed), card_id=illustrated.pk, list_id=List.objects.filter(board=board).first().pk)
    assert shows_own(moved).pk == cat.pk


def test_a_template_has_links_in_place_of_pictures(ed, illustrated, board):
    made = save_template(actor=web(ed), board_id=board.pk, name="Mine", with_cards=True)
    assert [pictures_in(card["description"]) for card in made.cards if card["description"]] == [set()]
