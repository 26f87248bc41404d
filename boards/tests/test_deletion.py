"""A large board is gone at once, and its rows are deleted by a task."""

import pytest
from django.apps import apps

from boards.actions.boards import board, deletion
from boards.actions.boards.board import create_board, delete_board, restore_board
from boards.actor import Actor
from boards.errors import NotFound
from boards.models import Activity, Board, FormerValues, OwnerActivity
from boards.models.verbs import Door
from boards.reader import Reader
from boards.tests.test_boards import rows_of
from boards.tests.world import World
from conftest import run_jobs, web


@pytest.fixture(autouse=True)
def _every_board_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "AT_ONCE", 0)
    monkeypatch.setattr(deletion, "PIECE", 2)
    monkeypatch.setattr(deletion, "PAUSE", 0)


def test_it_is_gone_for_everybody_before_its_rows_are(world: World, otto) -> None:
    delete_board(actor=world.by_olga, board_id=world.board.pk)
    assert rows_of(world.board)
    for person in (world.olga, world.ed, world.vera):
        assert not Board.objects.visible_to(Reader(person)).filter(pk=world.board.pk).exists()
    for again in (delete_board, restore_board):
        for actor in (web(world.olga), Actor(otto, Door.ADMIN)):
            with pytest.raises(NotFound):
                again(actor=actor, board_id=world.board.pk)


def test_then_nothing_of_it_is_left_and_everything_else_is(world: World) -> None:
    other = create_board(actor=world.by_olga, title="Other", template="kanban")
    before = rows_of(other)
    delete_board(actor=world.by_olga, board_id=world.board.pk)
    run_jobs()
    assert set(Board.objects.all()) == {world.attic, world.plain, world.garden, other}
    assert rows_of(world.board) == {}
    assert not Activity.objects.filter(board_id=world.board.pk).exists()
    assert not FormerValues.objects.exclude(activity__board__in=Board.objects.all()).exists()
    assert rows_of(other) == before
    assert OwnerActivity.objects.filter(board_id=world.board.pk).exists()


def test_a_task_that_is_run_again_does_no_harm(world: World) -> None:
    delete_board(actor=world.by_olga, board_id=world.board.pk)
    run_jobs()
    deletion.delete_rows.call(str(world.board.pk))
    assert not Board.objects.filter(pk=world.board.pk).exists()


def test_an_operator_does_not_see_it_any_more(client, world: World, otto) -> None:
    client.force_login(otto)
    delete_board(actor=world.by_olga, board_id=world.board.pk)
    page = client.get("/admin/boards/board/").content.decode()
    assert str(world.attic.pk) in page
    assert str(world.board.pk) not in page


def test_every_table_that_refers_to_a_board_is_emptied_in_pieces() -> None:
    """A table that is forgotten here would be deleted in one long statement, with the board itself."""
    referring = {
        model
        for model in apps.get_app_config("boards").get_models()
        if any(field.is_relation and field.related_model in (Board, Activity) for field in model._meta.fields)
    }
    assert set(deletion.ROWS) == referring - {*deletion.ACCESS, FormerValues}
