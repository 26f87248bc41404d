"""Members keep their own view of a board."""

import pytest

from boards.actions.boards import board_views
from boards.actions.boards.board import create_board, delete_board
from boards.actions.boards.board_views import (
    collapse_list,
    delete_filter,
    rename_filter,
    save_filter,
    show_excerpts,
    star_board,
)
from boards.actions.cards.labels import create_label, delete_label
from boards.actions.lists.list import archive_list, create_list
from boards.actions.people.members import remove_member
from boards.errors import Conflict, Invalid, LimitReached, NotFound
from boards.models import Activity, Board, BoardView
from boards.reader import Reader
from boards.reading.board_views import saved_filters_of, view_of
from boards.reading.boards import boards_with_counts, open_board_ids, open_boards
from boards.reading.jump import boards_like
from boards.tests.at_once import at_once, outcome
from boards.tests.world import BY_NAME, OWN_VIEW, World
from conftest import join, web


def save(user, board, name="Mine", query="who=me", **also):
    save_filter(actor=web(user), board_id=board.pk, name=name, query=query, **also)


def names(user, board) -> list[str]:
    return [saved.name for saved in saved_filters_of(board.pk, Reader(user))]


def test_nothing_is_kept_before_something_is(ed, board, todo):
    star_board(actor=web(ed), board_id=board.pk, starred=False)
    show_excerpts(actor=web(ed), board_id=board.pk, shown=False)
    collapse_list(actor=web(ed), list_id=todo.pk, collapsed=False)
    delete_filter(actor=web(ed), board_id=board.pk, name="None")
    assert not BoardView.objects.exists()


def test_one_row_holds_all_that_a_member_keeps(ed, board, todo):
    star_board(actor=web(ed), board_id=board.pk)
    show_excerpts(actor=web(ed), board_id=board.pk)
    collapse_list(actor=web(ed), list_id=todo.pk)
    save(ed, board)
    view = BoardView.objects.get()
    assert (view.user, view.board) == (ed, board)
    assert (view.starred, view.excerpts, view.collapsed, view.filters) == (
        True,
        True,
        [str(todo.pk)],
        {"Mine": "who=me"},
    )
    for act, pk in ((star_board, "starred"), (show_excerpts, "shown")):
        act(actor=web(ed), board_id=board.pk, **{pk: False})
    collapse_list(actor=web(ed), list_id=todo.pk, collapsed=False)
    delete_filter(actor=web(ed), board_id=board.pk, name="Mine")
    view = BoardView.objects.get()
    assert (view.starred, view.excerpts, view.collapsed, view.filters) == (False, False, [], {})


def test_nothing_of_it_changes_the_board(world: World, subtests, django_capture_on_commit_callbacks):
    before = (Activity.objects.count(), Board.objects.get(pk=world.board.pk).version)
    for name in OWN_VIEW:
        with subtests.test(action=name), django_capture_on_commit_callbacks() as callbacks:
            BY_NAME[name].call(world, world.by_olga)
        assert callbacks == []
    assert (Activity.objects.count(), Board.objects.get(pk=world.board.pk).version) == before


def test_the_views_of_others_stay_as_they_are(world: World, subtests):
    for name in OWN_VIEW:
        with subtests.test(action=name):
            before = list(BoardView.objects.exclude(user=world.vera).order_by("pk").values())
            BY_NAME[name].call(world, web(world.vera))
            assert list(BoardView.objects.exclude(user=world.vera).order_by("pk").values()) == before


def test_a_removed_member_keeps_nothing_even_if_they_come_back(olga, ed, vera, board):
    for user in (ed, vera):
        star_board(actor=web(user), board_id=board.pk)
        save(user, board)
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert [view.user for view in BoardView.objects.all()] == [vera]
    join(ed, board)
    assert names(ed, board) == []


def test_the_view_of_a_user_who_is_no_member_is_empty(stan, board):
    BoardView.objects.create(user=stan, board=board, starred=True, filters={"Mine": "who=me"})
    assert not view_of(board.pk, Reader(stan)).starred
    assert names(stan, board) == []


def test_views_end_with_their_board_and_their_user(olga, vera, board):
    other = create_board(actor=web(olga), title="Other")
    for target in (board, other):
        star_board(actor=web(olga), board_id=target.pk)
    star_board(actor=web(vera), board_id=board.pk)
    delete_board(actor=web(olga), board_id=board.pk)
    assert [view.board for view in BoardView.objects.all()] == [other]


# Stars


def test_starred_boards_come_first_and_then_the_last_changed(olga, ed, board):
    made = [create_board(actor=web(olga), title=title) for title in ("One", "Two", "Three")]
    star_board(actor=web(olga), board_id=made[0].pk)
    star_board(actor=web(olga), board_id=board.pk)
    star_board(actor=web(ed), board_id=board.pk)
    in_order = ["One", "Launch", "Three", "Two"]
    found = boards_with_counts(Reader(olga))
    assert [one.title for one in found] == in_order
    assert [one.starred for one in found] == [True, True, False, False]
    assert open_board_ids(Reader(olga)) == [one.pk for one in found]
    assert [one.title for one in boards_like(open_boards(Reader(olga)), "", limit=9)] == in_order


def test_letters_count_more_than_stars(olga, board):
    star = create_board(actor=web(olga), title="Plan of the launch")
    star_board(actor=web(olga), board_id=star.pk)
    assert [one.title for one in boards_like(open_boards(Reader(olga)), "launch", limit=9)] == [
        "Launch",
        "Plan of the launch",
    ]


# Collapsed lists


def test_lists_that_are_no_longer_open_are_forgotten(olga, ed, board, todo, doing):
    for row in (todo, doing):
        collapse_list(actor=web(ed), list_id=row.pk)
    archive_list(actor=web(olga), list_id=todo.pk)
    third = create_list(actor=web(olga), board_id=board.pk, title="Done")
    collapse_list(actor=web(ed), list_id=third.pk)
    assert set(BoardView.objects.get().collapsed) == {str(doing.pk), str(third.pk)}


def test_an_archived_list_is_not_collapsed(olga, ed, todo):
    archive_list(actor=web(olga), list_id=todo.pk)
    collapse_list(actor=web(ed), list_id=todo.pk)
    assert not BoardView.objects.exists()


# Saved filters


def test_filters_are_sorted_by_name_whatever_their_letters(ed, board):
    for name in ("Überfällig", "mine", "Late", "Nobody"):
        save(ed, board, name)
    assert names(ed, board) == ["Late", "mine", "Nobody", "Überfällig"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 51, "a\nb", "a\0b"])
def test_a_name_has_1_to_50_characters_on_one_line(ed, board, name):
    save(ed, board)
    with pytest.raises(Invalid):
        save(ed, board, name)
    with pytest.raises(Invalid):
        rename_filter(actor=web(ed), board_id=board.pk, name="Mine", to=name)
    assert names(ed, board) == ["Mine"]


def test_the_longest_name_and_a_trimmed_one_are_kept(ed, board):
    save(ed, board, "x" * 50)
    save(ed, board, " Mine ")
    assert names(ed, board) == ["Mine", "x" * 50]


@pytest.mark.parametrize("query", ["", "q=" + "x" * board_views.QUERY])
def test_no_filter_and_an_absurd_one_are_not_saved(ed, board, query):
    with pytest.raises(Invalid, match="Filter the cards first"):
        save(ed, board, query=query)


def test_a_name_is_taken_once_for_each_user_and_board(olga, ed, board):
    save(ed, board)
    save(olga, board, query="q=roof")
    other = create_board(actor=web(ed), title="Other")
    save(ed, other, query="q=roof")
    with pytest.raises(Conflict, match="“Mine”"):
        save(ed, board, "MINE", query="q=roof")
    assert BoardView.objects.get(user=ed, board=board).filters == {"Mine": "who=me"}


def test_a_filter_is_replaced_on_demand_and_keeps_its_name(ed, board):
    save(ed, board)
    save(ed, board, "mine", query="q=roof", replace=True)
    assert BoardView.objects.get().filters == {"Mine": "q=roof"}


def test_a_filter_is_renamed_but_not_to_the_name_of_another(ed, board):
    save(ed, board)
    save(ed, board, "Late", query="due=overdue")
    with pytest.raises(Conflict):
        rename_filter(actor=web(ed), board_id=board.pk, name="Late", to="mine")
    rename_filter(actor=web(ed), board_id=board.pk, name="Late", to="LATE")
    assert BoardView.objects.get().filters == {"Mine": "who=me", "LATE": "due=overdue"}


def test_filters_of_others_are_neither_renamed_nor_deleted(olga, ed, board):
    save(olga, board)
    with pytest.raises(NotFound):
        rename_filter(actor=web(ed), board_id=board.pk, name="Mine", to="His")
    assert delete_filter(actor=web(ed), board_id=board.pk, name="Mine") == ""
    assert names(olga, board) == ["Mine"]


def test_a_deleted_filter_returns_its_query_so_that_it_can_be_restored(ed, board):
    save(ed, board)
    assert delete_filter(actor=web(ed), board_id=board.pk, name="Mine") == "who=me"
    assert names(ed, board) == []


def test_twenty_filters_are_kept_and_no_more(ed, board):
    for number in range(20):
        save(ed, board, f"Filter {number}")
    with pytest.raises(LimitReached, match="20 saved filters"):
        save(ed, board, "One more")
    save(ed, board, "Filter 0", query="q=roof", replace=True)
    delete_filter(actor=web(ed), board_id=board.pk, name="Filter 1")
    save(ed, board, "One more")


@pytest.mark.django_db(transaction=True)
def test_parallel_saves_do_not_exceed_the_limit(ed, board):
    for number in range(19):
        save(ed, board, f"Filter {number}")
    saves = [lambda name=name: save(ed, board, name) for name in ("One", "Two")]
    assert outcome(at_once(saves)) == {None: 1, LimitReached: 1}
    assert len(BoardView.objects.get().filters) == 20


@pytest.mark.django_db(transaction=True)
def test_parallel_first_uses_make_one_row_and_lose_nothing(ed, board, todo):
    calls = [
        lambda: star_board(actor=web(ed), board_id=board.pk),
        lambda: collapse_list(actor=web(ed), list_id=todo.pk),
        lambda: save(ed, board),
    ]
    assert outcome(at_once(calls)) == {None: 3}
    view = BoardView.objects.get()
    assert (view.starred, len(view.collapsed), len(view.filters)) == (True, 1, 1)


def test_a_label_or_person_that_is_gone_falls_out_of_a_filter(olga, ed, vera, board):
    label = create_label(actor=web(olga), board_id=board.pk, name="Bug")
    save(ed, board, query=f"q=roof&label={label.pk}&who=me&who={vera.pk}&done=0")
    [saved] = saved_filters_of(board.pk, Reader(ed))
    assert not saved.has_lost
    delete_label(actor=web(olga), label_id=label.pk)
    remove_member(actor=web(olga), board_id=board.pk, user_id=vera.pk)
    [saved] = saved_filters_of(board.pk, Reader(ed))
    assert saved.has_lost
    assert saved.wanted.address() == "q=roof&who=me&done=0"
