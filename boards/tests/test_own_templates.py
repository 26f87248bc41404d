"""Templates of one's own: what is in them, whose they are, and how much they may hold."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Plan
from boards.actions.boards import own_templates
from boards.actions.boards.board import archive_board
from boards.actions.boards.own_templates import create_board_from, delete_template, rename_template, save_template
from boards.actions.caps import TEMPLATES
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label, delete_label
from boards.actions.lists.list import limit_list
from boards.errors import Invalid, LimitReached, NotFound
from boards.models import Board, Card, Label, List, OwnTemplate, Verb
from boards.richtext import to_markdown
from boards.tests.world import history, template_of
from conftest import web


@pytest.fixture
def full(board, todo, card, ed, vera):
    """A card with one of everything, mentioned and assigned people too; the list has a limit."""
    actor = web(ed)
    text = f"- [x] Ask [@Vera](mention:{vera.pk})"
    update_card(actor=actor, card_id=card.pk, description=text, due_day=date(2030, 1, 31), cover_hue=3)
    label = create_label(actor=actor, board_id=board.pk, name="Bug", hue=3)
    add_label(actor=actor, card_id=card.pk, label_id=label.pk)
    assign(actor=actor, card_id=card.pk, user_id=vera.pk)
    steps = create_checklist(actor=actor, card_id=card.pk, title="Steps")
    item = add_item(actor=actor, checklist_id=steps.pk, text="One")
    update_item(actor=actor, item_id=item.pk, done=True)
    add_comment(actor=actor, card_id=card.pk, text="Look")
    limit_list(actor=actor, list_id=todo.pk, card_limit=4)
    return complete_card(actor=actor, card_id=card.pk)


def test_a_board_from_a_template_has_lists_limits_and_labels_and_with_cards_what_these_say(vera, board, doing, full):
    saved = save_template(actor=web(vera), board_id=board.pk, name=" Usual ", with_cards=True)
    made = create_board_from(actor=web(vera), template_id=saved.pk, title="Again", hue=5)
    assert (saved.name, saved.card_count, made.title, made.hue) == ("Usual", 1, "Again", 5)
    assert [*List.objects.filter(board=made).values_list("title", "card_limit")] == [("To do", 4), ("Doing", None)]
    assert [*Label.objects.filter(board=made).values_list("name", "hue")] == [("Bug", 3)]
    copy = Card.objects.get(board=made)
    assert (copy.title, copy.cover_hue, copy.number, copy.created_by) == (full.title, 3, 1, vera)
    assert to_markdown(copy.description) == "- [ ] Ask @Vera"
    assert (copy.due_at, copy.due_day, copy.completed_at) == (None, None, None)
    assert ([*copy.labels.values_list("name", flat=True)], [*copy.assignees.all()]) == (["Bug"], [])
    assert [*copy.checklists.values_list("title", "items__text", "items__done")] == [("Steps", "One", False)]
    assert not copy.comments.exists()
    assert [line.verb for line in history(made)] == [Verb.BOARD_CREATED, Verb.CARD_CREATED]
    assert made.memberships.get().user == vera


def test_a_template_without_cards_has_none_and_a_snapshot_stays_as_it_was(ed, board, todo, full):
    create_card(actor=web(ed), list_id=todo.pk, title="Second")
    bare = save_template(actor=web(ed), board_id=board.pk, name="Bare")
    saved = save_template(actor=web(ed), board_id=board.pk, name="Full", with_cards=True)
    delete_label(actor=web(ed), label_id=full.labels.get().pk)
    for card in Card.objects.all():
        archive_card(actor=web(ed), card_id=card.pk)
    assert not Card.objects.filter(
        board=create_board_from(actor=web(ed), template_id=bare.pk, title="A", hue=1)
    ).exists()
    made = create_board_from(actor=web(ed), template_id=saved.pk, title="B", hue=1)
    assert [*Card.objects.filter(board=made).values_list("title", flat=True)] == [full.title, "Second"]
    assert Card.objects.filter(board=made, labels__name="Bug").count() == 1


def test_nobody_else_has_a_template_not_even_the_owner_of_the_board(olga, ed, board):
    saved = save_template(actor=web(ed), board_id=board.pk, name="Ed's")
    for act, also in (
        (rename_template, {"name": "Mine"}),
        (delete_template, {}),
        (create_board_from, {"title": "New", "hue": 1}),
    ):
        with pytest.raises(NotFound):
            act(actor=web(olga), template_id=saved.pk, **also)
    assert OwnTemplate.objects.get().name == "Ed's"


def test_a_board_out_of_sight_or_archived_is_no_template(olga, stan, board):
    with pytest.raises(NotFound):
        save_template(actor=web(stan), board_id=board.pk, name="Stolen")
    archive_board(actor=web(olga), board_id=board.pk)
    with pytest.raises(NotFound):
        save_template(actor=web(olga), board_id=board.pk, name="Old")


@pytest.mark.parametrize("name", ["", " ", "x" * 201, "two\nlines"])
def test_a_template_needs_a_name_of_one_line(ed, board, name):
    with pytest.raises(Invalid):
        save_template(actor=web(ed), board_id=board.pk, name=name)
    with pytest.raises(Invalid):
        rename_template(actor=web(ed), template_id=template_of(ed).pk, name=name)


def test_an_account_has_at_most_twenty_templates(ed, board):
    for _number in range(TEMPLATES):
        template_of(ed)
    with pytest.raises(LimitReached, match="at most 20 templates"):
        save_template(actor=web(ed), board_id=board.pk, name="One more")


@pytest.mark.parametrize("cap", ["CARDS", "ITEMS_IN_TEMPLATE", "TEXTS_IN_TEMPLATE"])
def test_a_template_holds_only_so_much(ed, board, full, monkeypatch, cap):
    monkeypatch.setattr(own_templates, cap, 0)
    with pytest.raises(LimitReached, match="Save it without cards"):
        save_template(actor=web(ed), board_id=board.pk, name="Large", with_cards=True)
    assert save_template(actor=web(ed), board_id=board.pk, name="Bare")


def test_a_board_from_a_template_counts_like_any_other(olga, board):
    saved = save_template(actor=web(olga), board_id=board.pk, name="Usual")
    Plan.objects.filter(pk=olga.plan_id).update(max_boards=1)
    with pytest.raises(LimitReached, match="limit of 1 owned board"):
        create_board_from(actor=web(olga), template_id=saved.pk, title="One more", hue=1)
    assert Board.objects.count() == 1


def test_templates_go_with_their_account(ed):
    template_of(ed)
    ed.delete()
    assert not OwnTemplate.objects.exists()


def test_the_number_of_statements_does_not_depend_on_the_cards(ed, board, todo, full):
    taken = []
    for _round in range(2):
        create_card(actor=web(ed), list_id=todo.pk, title="More")
        with CaptureQueriesContext(connection) as saving:
            saved = save_template(actor=web(ed), board_id=board.pk, name="Usual", with_cards=True)
        with CaptureQueriesContext(connection) as making:
            create_board_from(actor=web(ed), template_id=saved.pk, title="New", hue=1)
        taken.append((len(saving), len(making)))
    assert taken[0] == taken[1]
