"""Many cards created at once: each is a change of its own, with the same rules, in few statements."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.actions.batch import batch
from boards.actions.cards.card import create_card, create_cards, draft_card
from boards.actions.lists.list import archive_list
from boards.errors import Invalid, NotAllowed, NotFound
from boards.hints import board_group
from boards.models import Activity, Board, Card, List, Verb
from boards.reader import MEMBERS
from boards.tests.world import history, last
from conftest import web
from web.live.catchup import changes_since

FIELDS = {"title": "Plan", "description": "Do *it*", "recurrence": "weekly"}


def drafts(number):
    return [draft_card(title=f"Card {place}") for place in range(number)]


def test_each_card_is_a_change_of_its_own_in_the_order_of_the_drafts(todo, card, olga):
    made = create_cards(actor=web(olga), list_id=todo.pk, drafts=drafts(3))
    assert [row.title for row in Card.objects.filter(list=todo)] == [card.title, "Card 0", "Card 1", "Card 2"]
    assert [row.version for row in made] == [card.version + step for step in (1, 2, 3)]
    assert [row.number for row in made] == [card.number + step for step in (1, 2, 3)]
    board = Board.objects.get(pk=todo.board_id)
    assert (board.version, board.last_card_number) == (made[-1].version, made[-1].number)
    assert [line.card_id for line in history(board)[-3:]] == [row.pk for row in made]


def test_a_card_of_a_batch_and_its_line_equal_those_of_a_card_created_alone(todo, olga):
    alone = create_card(actor=web(olga), list_id=todo.pk, **FIELDS)
    line_alone = last(todo.board)
    [together] = create_cards(actor=web(olga), list_id=todo.pk, drafts=[draft_card(**FIELDS)])
    line_together = last(todo.board)
    own = {"id", "number", "position", "version", "created_at", "updated_at"}
    first, second = (Card.objects.filter(pk=row.pk).values().get() for row in (alone, together))
    assert {name for name in first if first[name] != second[name]} <= own
    assert (line_alone.verb, line_alone.data, line_alone.door) == (
        line_together.verb,
        line_together.data,
        line_together.door,
    )


def test_the_number_of_statements_does_not_grow_with_the_cards(todo, olga):
    def statements(number):
        with CaptureQueriesContext(connection) as queries:
            create_cards(actor=web(olga), list_id=todo.pk, drafts=drafts(number))
        return len(queries)

    assert statements(2) == statements(100)


def test_open_pages_get_one_hint_and_catch_up_with_every_card(todo, olga, pushed, django_capture_on_commit_callbacks):
    before = Board.objects.get(pk=todo.board_id).version
    with django_capture_on_commit_callbacks(execute=True):
        made = create_cards(actor=web(olga), list_id=todo.pk, drafts=drafts(3))
    assert pushed == [(board_group(todo.board_id), {"type": "board.changed", "version": made[-1].version})]
    update = changes_since(todo.board_id, before, "en", None, MEMBERS)
    assert all(str(row.pk) in update.text for row in made)


def test_a_wrong_draft_is_refused_before_anything_is_written(todo, olga):
    with pytest.raises(Invalid):
        create_cards(actor=web(olga), list_id=todo.pk, drafts=[*drafts(2), draft_card(title=" ")])
    assert not Card.objects.exists()


def test_a_batch_that_fails_halfway_leaves_nothing(todo, olga):
    def fail_after_two():
        yield from drafts(2)
        raise ZeroDivisionError

    before = (history(todo.board), Board.objects.get(pk=todo.board_id).version)
    with pytest.raises(ZeroDivisionError):
        create_cards(actor=web(olga), list_id=todo.pk, drafts=fail_after_two())
    assert not Card.objects.exists()
    assert (history(todo.board), Board.objects.get(pk=todo.board_id).version) == before


def test_an_empty_batch_changes_nothing(todo, olga):
    before = Board.objects.get(pk=todo.board_id).version
    assert create_cards(actor=web(olga), list_id=todo.pk, drafts=[]) == []
    assert Board.objects.get(pk=todo.board_id).version == before


def test_viewers_strangers_and_an_archived_list_are_refused(todo, olga, vera, stan):
    with pytest.raises(NotAllowed):
        create_cards(actor=web(vera), list_id=todo.pk, drafts=drafts(2))
    with pytest.raises(NotFound):
        create_cards(actor=web(stan), list_id=todo.pk, drafts=drafts(2))
    archive_list(actor=web(olga), list_id=todo.pk)
    with pytest.raises(NotFound):
        create_cards(actor=web(olga), list_id=todo.pk, drafts=drafts(2))
    assert not Card.objects.exists()


def test_a_change_of_a_batch_may_only_add_and_must_add(todo, card, olga):
    def change_in_a_batch():
        with batch(web(olga), List, todo.pk) as many, many.change() as c:
            c.set(card, title="Changed")

    def add_nothing():
        with batch(web(olga), List, todo.pk) as many, many.change():
            pass

    for wrong in (change_in_a_batch, add_nothing):
        with pytest.raises(RuntimeError):
            wrong()
    assert Activity.objects.filter(verb=Verb.CARD_CHANGED).count() == 0
