"""The forms in which tools show tasks."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list, create_list
from boards.dates import parse_due
from boards.errors import Invalid
from conftest import web
from mcpserver.answers import BRIEF, FIELDS, FULL, an_answer, task_answer, tasks_answer
from mcpserver.tasks import task_out


@pytest.fixture
def caller(agent):
    return agent.caller


@pytest.fixture
def read(caller):
    """Read the argument `answer`."""
    argument = an_answer("brief")
    return lambda value: argument.read(value, "answer", caller)


@pytest.fixture
def filled(olga, ed, card):
    """The card with a due date, two labels and two people."""
    due = parse_due("2026-12-01T08:00:00Z", olga.zone)
    card = update_card(actor=web(olga), card_id=card.pk, due_at=due, description="Now")
    for name in ("Bug", "Größe"):
        label = create_label(actor=web(olga), board_id=card.board_id, name=name)
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
    for user in (olga, ed):
        assign(actor=web(olga), card_id=card.pk, user_id=user.pk)
    return card


def test_a_brief_task_leaves_out_what_is_empty(caller, card, todo):
    assert tasks_answer([card.pk], BRIEF, caller) == [
        {"number": card.number, "title": card.title, "list": todo.title, "state": "open"}
    ]


def test_a_brief_task_has_what_people_see_of_it(caller, olga, filled, todo):
    olga.time_zone = "Europe/Berlin"
    assert task_answer(filled, BRIEF, caller, several=True) == {
        "number": filled.number,
        "title": filled.title,
        "list": todo.title,
        "board": "Launch",
        "due": "2026-12-01T09:00",
        "state": "open",
        "labels": ["Bug", "Größe"],
        "assignees": ["Olga", "Ed"],
    }


def test_a_brief_task_is_due_on_a_day_without_a_time(caller, olga, card):
    update_card(actor=web(olga), card_id=card.pk, due_day=parse_due("2026-12-01", olga.zone).date())
    assert task_answer(card, BRIEF, caller)["due"] == "2026-12-01"


def test_the_board_is_named_where_tasks_are_on_several(caller, olga, card):
    board = create_board(actor=web(olga), title="Garden")
    row = create_list(actor=web(olga), board_id=board.pk, title="Beds")
    other = create_card(actor=web(olga), list_id=row.pk, title="Dig")
    assert [task["board"] for task in tasks_answer([other.pk, card.pk], BRIEF, caller)] == ["Garden", "Launch"]
    assert "board" not in tasks_answer([other.pk], BRIEF, caller)[0]
    assert "board" not in tasks_answer([other.pk, card.pk], BRIEF, caller, several=False)[0]


def test_the_state_is_open_done_or_archived_as_is_a_task_in_an_archived_list(caller, olga, card, todo, doing):
    complete_card(actor=web(olga), card_id=card.pk)
    assert task_answer(card, BRIEF, caller)["state"] == "done"
    archive_card(actor=web(olga), card_id=card.pk)
    assert task_answer(card, BRIEF, caller)["state"] == "archived"
    other = create_card(actor=web(olga), list_id=doing.pk, title="Dig")
    archive_list(actor=web(olga), list_id=doing.pk)
    assert task_answer(other, BRIEF, caller)["state"] == "archived"


def test_a_full_task_is_as_writing_tools_answer_with_it(caller, filled, card):
    full = tasks_answer([filled.pk], FULL, caller)[0]
    filled.refresh_from_db()
    assert full == {**task_out(filled, caller), "labels": ["Bug", "Größe"], "assignees": ["Olga", "Ed"]}
    assert task_answer(filled, FULL, caller) == task_out(filled, caller)


def test_chosen_fields_come_in_their_order_also_empty_ones(caller, read, card):
    answer = read(" title, labels ,due,title")
    assert list(task_answer(card, answer, caller).items()) == [("title", card.title), ("labels", []), ("due", None)]


def test_every_field_can_be_chosen(caller, read, filled):
    assert task_answer(filled, read(",".join(FIELDS)), caller).keys() == FIELDS.keys()


def test_the_two_forms_have_names(read):
    assert (read("brief"), read(" full ")) == (BRIEF, FULL)


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ("title,lables", "answer has the unknown field 'lables'; did you mean labels?"),
        ("breif", "answer has the unknown field 'breif'; did you mean brief?"),
        ("brief,recurrence", "answer can be brief only alone. With other fields, name each: id, number, title, "),
        ("x" * 70, f"answer has the unknown field '{'x' * 60}…'. There are brief and full, and the fields id, number,"),
        (" , ", "answer is empty. Send brief, full, or names of fields: id, number,"),
        (["title"], "answer must be brief, full, or names of fields with commas between them."),
    ],
)
def test_what_is_no_field_is_refused_with_the_nearest(read, sent, sentence):
    with pytest.raises(Invalid) as refusal:
        read(sent)
    assert refusal.value.message.startswith(sentence)


def test_tasks_that_are_gone_are_left_out_and_the_others_keep_their_order(caller, olga, card, todo):
    second = create_card(actor=web(olga), list_id=todo.pk, title="Second")
    ids = [second.pk, todo.pk, card.pk]
    assert [task["number"] for task in tasks_answer(ids, BRIEF, caller)] == [second.number, card.number]
    assert tasks_answer([], BRIEF, caller) == []


@pytest.mark.parametrize("number", [2, 200])
@pytest.mark.parametrize("answer", [BRIEF, FULL])
def test_however_many_tasks_take_one_statement(caller, olga, todo, number, answer):
    label = create_label(actor=web(olga), board_id=todo.board_id, name="Bug")
    cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {count}") for count in range(number)]
    for card in cards:
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
        assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
    with CaptureQueriesContext(connection) as captured:
        found = tasks_answer([card.pk for card in cards], answer, caller)
    assert [task["labels"] for task in found] == [["Bug"]] * number
    assert len(captured) == 1


def test_what_a_task_has_is_counted_when_it_is_asked_for(caller, read, olga, card, todo, django_assert_num_queries):
    add_comment(actor=web(olga), card_id=card.pk, text="Look")
    checklist = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    for text in ("One", "Two"):
        item = add_item(actor=web(olga), checklist_id=checklist.pk, text=text)
    update_item(actor=web(olga), item_id=item.pk, done=True)
    other = create_card(actor=web(olga), list_id=todo.pk, title="Bare")
    with django_assert_num_queries(1):
        found = tasks_answer([card.pk, other.pk], read("number,comments,checklist,files"), caller)
    assert found == [
        {"number": card.number, "comments": 1, "checklist": "1/2", "files": 0},
        {"number": other.number, "comments": 0, "checklist": None, "files": 0},
    ]
