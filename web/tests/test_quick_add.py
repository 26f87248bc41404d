"""The form that adds cards to a list: one with labels, people and a date, or one a line."""

from datetime import UTC, date, datetime
from uuid import uuid4

import pytest

from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.cards.labels import create_label
from boards.models import Activity, Board, Card, Label
from boards.reading.history import lines
from boards.tests.world import last
from conftest import web
from web.tests.browsing import SCRIPTED, browser


def add(user, row, **form):
    return browser(user).post(f"/list/{row.pk}/cards", form, **SCRIPTED)


def titles(row):
    return list(Card.objects.filter(list=row).order_by("position").values_list("title", flat=True))


@pytest.fixture
def bug(board, olga):
    return create_label(actor=web(olga), board_id=board.pk, name="Bug")


def test_a_card_is_created_with_labels_people_and_a_date_in_one_change(ed, vera, todo, bug):
    before = last(todo.board).version
    answer = add(ed, todo, title="Print", label=bug.pk, person=[ed.pk, vera.pk], due="2030-01-02", time="17:00")
    made = Card.objects.get()
    assert answer.status_code == 200
    assert f'id="card-{made.pk}"' in answer.content.decode()
    assert (list(made.labels.all()), set(made.assignees.all())) == ([bug], {ed, vera})
    assert (made.due_at, made.due_day) == (datetime(2030, 1, 2, 17, tzinfo=UTC), None)
    line = last(todo.board)
    assert (line.version, line.verb) == (before + 1, "card.created")
    assert lines(Activity.objects.filter(card_id=made.pk))[0].details == ["Labels: Bug", "Assigned to: Ed, Vera"]


def test_a_label_that_the_board_lacks_is_created_and_one_that_it_has_is_taken(ed, todo, bug):
    add(ed, todo, **{"title": ["One", "Two"], "new-label-0": ["Press", "Bug"], "new-label-1": "Press"})
    one, two = Card.objects.order_by("position")
    assert ({label.name for label in one.labels.all()}, [label.name for label in two.labels.all()]) == (
        {"Press", "Bug"}, ["Press"],
    )  # fmt: skip
    assert Label.objects.filter(board=todo.board).count() == 2


@pytest.mark.parametrize("field", ["new-label", "new-label-0"])
def test_a_label_with_a_control_character_is_refused(ed, todo, field):
    assert add(ed, todo, **{"title": ["One", "Two"], field: "a\0b"}).status_code == 422
    assert not Label.objects.exists()


def test_a_card_that_is_refused_leaves_no_new_label(ed, todo):
    assert add(ed, todo, **{"title": "x" * 501, "new-label": "Press"}).status_code == 422
    assert not Label.objects.exists()


def test_neither_viewers_nor_strangers_create_a_label_with_a_card(vera, stan, todo):
    statuses = [add(user, todo, **{"title": "One", "new-label": "Press"}).status_code for user in (vera, stan)]
    assert (statuses, Label.objects.exists()) == ([403, 404], False)


def test_a_date_that_comes_again_is_saved_and_a_recurrence_that_is_none_refused(ed, todo):
    add(ed, todo, title="Print", due="2030-01-02", recurrence="weekly")
    assert Card.objects.get().recurrence == "weekly"
    assert add(ed, todo, title="Fold", due="2030-01-02", recurrence="sometimes").status_code == 422


def test_a_date_without_a_time_is_a_whole_day(ed, todo):
    add(ed, todo, title="Print", due="2030-01-02")
    assert Card.objects.get().due_day == date(2030, 1, 2)


def test_several_titles_become_one_card_each_in_their_order_with_the_same_labels(ed, todo, card, bug):
    add(ed, todo, title=["One", "Two", "Three"], label=bug.pk)
    assert titles(todo) == ["Write the announcement", "One", "Two", "Three"]
    assert bug.cards.count() == 3


def test_cards_are_added_at_the_top_in_their_order(ed, todo, card):
    add(ed, todo, title=["One", "Two"], where="top")
    add(ed, todo, title="Zero", where="top")
    assert titles(todo) == ["Zero", "One", "Two", "Write the announcement"]


def test_a_title_alone_may_have_a_description(ed, todo):
    add(ed, todo, title="Print", description="- [ ] all\n- [ ] both sides")
    assert "both sides" in Card.objects.get().search_text


@pytest.mark.parametrize("field", ["label", "person"])
@pytest.mark.parametrize("kind", ["foreign", "unknown", "nonsense", "too many"])
def test_labels_and_people_of_other_boards_are_refused_and_nothing_is_created(ed, stan, todo, field, kind):
    other = create_board(actor=web(stan), title="Other")
    foreign = create_label(actor=web(stan), board_id=other.pk, name="Theirs").pk if field == "label" else stan.pk
    sent = {
        "foreign": foreign,
        "unknown": uuid4(),
        "nonsense": "1 OR 1=1",
        "too many": [str(uuid4()) for _number in range(101)],
    }[kind]
    before = Board.objects.get(pk=todo.board_id).version
    for title in ("Print", ["One", "Two"]):
        assert add(ed, todo, title=title, **{field: sent}).status_code == 404
    assert not Card.objects.exists()
    assert Board.objects.get(pk=todo.board_id).version == before


def test_one_wrong_line_means_that_no_card_is_created(ed, todo):
    assert add(ed, todo, title=["One", "x" * 501]).status_code == 422
    assert not Card.objects.exists()


def test_more_than_a_hundred_lines_are_refused_in_words(ed, todo):
    answer = add(ed, todo, title=[f"Line {number}" for number in range(101)])
    assert answer.status_code == 422
    assert "at most 100 cards" in answer.content.decode()
    assert add(ed, todo, title=[f"Line {number}" for number in range(100)]).status_code == 200


@pytest.mark.parametrize("form", [{"due": "soon"}, {"due": "2030-02-30"}, {"due": "2030-01-02", "time": "25:00"}])
def test_a_date_that_does_not_exist_is_refused(ed, todo, form):
    assert add(ed, todo, title="Print", **form).status_code == 422
    assert add(ed, todo, title="Print", where="left").status_code == 422
    assert not Card.objects.exists()


def test_viewers_and_strangers_add_nothing(vera, stan, todo):
    assert add(vera, todo, title=["One", "Two"]).status_code == 403
    assert add(stan, todo, title="One").status_code == 404
    assert not Card.objects.exists()


def test_the_plain_form_goes_on_working_without_scripts(ed, todo, card):
    answer = browser(ed).post(f"/list/{todo.pk}/cards", {f"new-{todo.pk}": "Fresh"})
    made = Card.objects.get(title="Fresh")
    assert answer["Location"].endswith(f"#card-{made.pk}")


def test_creating_many_cards_takes_as_many_statements_as_creating_a_few(ed, todo, bug, django_assert_max_num_queries):
    create_card(actor=web(ed), list_id=todo.pk, title="First")
    counts = []
    for number in (20, 40):
        with django_assert_max_num_queries(60) as statements:
            add(ed, todo, title=[str(one) for one in range(number)], label=bug.pk, person=ed.pk)
        counts.append(len(statements))
    assert counts[0] == counts[1]
