"""An export shows one moment whatever others do meanwhile, with the same few statements however much there is."""

import io
from collections.abc import Callable

import pytest
from django.db.backends.utils import CursorWrapper

from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.comments import add_comment
from boards.actions.cards.moves import move_card
from boards.actor import Actor
from boards.models import Card
from boards.reader import Reader
from conftest import web
from exporter.json_export import write_export
from exporter.snapshot import snapshot
from exporter.tests.conftest import cards_of, checked, titles

pytestmark = pytest.mark.django_db(transaction=True)


class Meanwhile(io.StringIO):
    """A file that calls `happens` when the first part of the export is written to it."""

    def __init__(self, happens: Callable[[], object]) -> None:
        super().__init__()
        self.happens = [happens]

    def writelines(self, lines) -> None:
        for line in lines:
            if self.happens:
                self.happens.pop()()
            self.write(line)


def exported(user, happens: Callable[[], object] = lambda: None) -> dict:
    file = Meanwhile(happens)
    write_export(Reader(user), file)
    assert file.happens == []
    return checked(file.getvalue())


def test_a_card_that_moves_meanwhile_is_exported_once_where_it_was(olga, todo, doing, card):
    export = exported(olga, lambda: move_card(actor=web(olga), card_id=card.pk, list_id=doing.pk))
    assert [titles(row["cards"]) for row in export["boards"][0]["lists"]] == [["Write the announcement"], []]
    assert Card.objects.get().list == doing


def test_a_write_meanwhile_neither_waits_nor_shows_in_the_export(olga, ed, todo, card):
    def write() -> None:
        create_card(actor=web(ed), list_id=todo.pk, title="New")
        update_card(actor=web(ed), card_id=card.pk, title="Renamed")
        add_comment(actor=web(ed), card_id=card.pk, text="New")
        assert set(Card.objects.values_list("title", flat=True)) == {"New", "Renamed"}

    [found] = cards_of(exported(olga, write))
    assert (found["title"], found["comments"]) == ("Write the announcement", [])


def test_a_board_that_is_created_meanwhile_is_not_exported(olga, board):
    export = exported(olga, lambda: create_board(actor=web(olga), title="New"))
    assert titles(export["boards"]) == ["Launch"]


def test_every_query_sees_the_moment_at_which_the_snapshot_began(olga, todo, card):
    with snapshot() as using:
        for number in range(3):
            create_card(actor=web(olga), list_id=todo.pk, title=str(number))
            assert list(Card.objects.using(using)) == [card]
    assert Card.objects.count() == 4


def test_the_connection_is_afterwards_as_it_was_before(olga, todo, card):
    for number in range(12):  # more often than a pool has connections
        exported(olga)
        create_card(actor=web(olga), list_id=todo.pk, title=str(number))
    assert len(cards_of(exported(olga))) == 13


def test_an_export_that_fails_leaves_the_connection_usable(olga, todo, card):
    def fail() -> None:
        raise ZeroDivisionError

    for _time in range(12):
        with pytest.raises(ZeroDivisionError):
            exported(olga, fail)
    assert len(cards_of(exported(olga))) == 1


@pytest.fixture
def statements(monkeypatch) -> list[str]:
    seen: list[str] = []
    execute = CursorWrapper.execute

    def recorded(self, sql, params=None):
        seen.append(sql)
        return execute(self, sql, params)

    monkeypatch.setattr(CursorWrapper, "execute", recorded)
    return seen


def test_the_number_of_statements_does_not_grow_with_the_data(olga, board, todo, doing, statements):
    def fill(actor: Actor, times: int) -> int:
        for number in range(times):
            card = create_card(actor=actor, list_id=(todo, doing)[number % 2].pk, title=str(number))
            add_comment(actor=actor, card_id=card.pk, text="x")
        statements.clear()
        exported(olga)
        return len([sql for sql in statements if "SELECT" in sql and "FROM" in sql and "django_migrations" not in sql])

    assert fill(web(olga), 2) == fill(web(olga), 20) == 11
