"""A person's work over all boards: which cards, in which groups and order, and what each page costs."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from accounts.models import User
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list, create_list
from boards.models import Card, Membership
from boards.reader import Reader
from boards.reading.due import due_cards
from boards.reading.work import (
    DueGroup,
    Grouping,
    Work,
    assigned_to,
    created_by,
    my_boards,
    rows_of,
    state_of,
)
from conftest import join, web

THURSDAY_NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
ALL = slice(0, 100)


@pytest.fixture
def thursday():
    with time_machine.travel(THURSDAY_NOON, tick=False):
        yield


def mine(user: User, by: Grouping = Grouping.DUE, part: slice = ALL) -> list[tuple[object, str]]:
    """Return the group and the title of each card that is assigned to the user."""
    rows = rows_of(Work(Reader(user), assigned_to(user)), by, part)
    return [(row.group, row.title) for row in rows]


def numbers(user: User, by: Grouping) -> dict[object, int]:
    """Return how many cards each group has, as each row says."""
    rows = rows_of(Work(Reader(user), assigned_to(user)), by, ALL)
    assert {row.total for row in rows} <= {len(rows)}
    return {row.group: row.number for row in rows}


def titles(user: User) -> list[str]:
    return [title for _group, title in mine(user)]


def give(user: User, owner: User, place: object, title: str, **fields: object) -> Card:
    return create_card(actor=web(owner), list_id=place.pk, title=title, assignee_ids=[user.pk], **fields)


def test_cards_that_are_assigned_to_me_come_from_all_boards(olga, ed, board, todo):
    other = create_board(actor=web(ed), title="Other", template="kanban")
    give(ed, olga, todo, "Here")
    create_card(actor=web(ed), board_id=other.pk, title="There", assignee_ids=[ed.pk])
    give(olga, olga, todo, "Of Olga")
    assert titles(ed) == ["Here", "There"]


def test_what_nobody_can_do_any_more_is_no_work(olga, ed, board, todo, doing):
    given = {title: give(ed, olga, todo, title) for title in ("Done", "Archived", "Open")}
    give(ed, olga, doing, "In an archived list")
    complete_card(actor=web(olga), card_id=given["Done"].pk)
    archive_card(actor=web(olga), card_id=given["Archived"].pk)
    archive_list(actor=web(olga), list_id=doing.pk)
    assert titles(ed) == ["Open"]
    archive_board(actor=web(olga), board_id=board.pk)
    assert titles(ed) == []


def test_cards_of_a_board_that_i_may_not_see_are_not_read_nor_counted(olga, ed, board, todo):
    give(ed, olga, todo, "Hidden")
    Membership.objects.filter(user=ed).delete()
    for which in (assigned_to, created_by):
        assert rows_of(Work(Reader(ed), which(ed)), Grouping.DUE, ALL) == []
    assert due_cards(Reader(ed), 6) == []
    assert my_boards(Reader(ed)) == []


def test_a_reader_of_some_boards_gets_the_work_of_these(olga, ed, board, todo):
    other = create_board(actor=web(ed), title="Other", template="kanban")
    give(ed, olga, todo, "Here")
    create_card(actor=web(ed), board_id=other.pk, title="There", assignee_ids=[ed.pk])
    reader = Reader(ed, boards=frozenset([other.pk]))
    assert [row.title for row in rows_of(Work(reader, assigned_to(ed)), Grouping.DUE, ALL)] == ["There"]


def test_cards_that_i_created_are_work_of_mine_whoever_does_them(olga, ed, board, todo):
    give(olga, ed, todo, "By Ed")
    give(ed, olga, todo, "By Olga")
    rows = rows_of(Work(Reader(ed), created_by(ed)), Grouping.DUE, ALL)
    assert [row.title for row in rows] == ["By Ed"]


@pytest.mark.usefixtures("thursday")
def test_the_groups_of_due_dates_are_those_of_my_days_and_weeks(olga, ed, todo):
    ed.time_zone, ed.week_start = "Asia/Tokyo", "monday"  # where it is nine in the evening
    days = {"Wednesday": 25, "Thursday": 26, "Friday": 27, "Sunday": 29, "Monday": 30}
    for title, day in days.items():
        give(ed, olga, todo, title, due_day=date(2026, 11, day))
    give(ed, olga, todo, "An hour ago", due_at=THURSDAY_NOON - timedelta(hours=1))
    give(ed, olga, todo, "In two hours", due_at=THURSDAY_NOON + timedelta(hours=2))
    give(ed, olga, todo, "In four hours", due_at=THURSDAY_NOON + timedelta(hours=4))  # tomorrow, there
    give(ed, olga, todo, "Some day")
    found: dict[object, set[str]] = {}
    for group, title in mine(ed):
        found.setdefault(group, set()).add(title)
    assert found == {
        DueGroup.OVERDUE: {"Wednesday", "An hour ago"},
        DueGroup.TODAY: {"Thursday", "In two hours"},
        DueGroup.WEEK: {"In four hours", "Friday", "Sunday"},
        DueGroup.LATER: {"Monday"},
        DueGroup.NONE: {"Some day"},
    }
    assert numbers(ed, Grouping.DUE) == {group: len(titles) for group, titles in found.items()}


@pytest.mark.usefixtures("thursday")
def test_where_weeks_begin_with_sunday_that_day_is_not_of_this_week(olga, ed, todo):
    ed.week_start = "sunday"
    give(ed, olga, todo, "Sunday", due_day=date(2026, 11, 29))
    assert mine(ed) == [(DueGroup.LATER, "Sunday")]


@pytest.mark.usefixtures("thursday")
def test_the_soonest_due_card_comes_first_and_those_without_a_date_last(olga, ed, todo):
    for title, days in (("Without", None), ("Later", 20), ("Soon", 1), ("Late", -1)):
        given = {} if days is None else {"due_at": THURSDAY_NOON + timedelta(days=days)}
        give(ed, olga, todo, title, **given)
    assert titles(ed) == ["Late", "Soon", "Later", "Without"]
    assert [row.title for row in due_cards(Reader(ed), 2)] == ["Late", "Soon"]


def test_by_board_and_by_list_the_groups_are_in_the_order_of_titles_and_lists(olga, ed, board, todo, doing):
    other = create_board(actor=web(ed), title="Attic", template="kanban")
    there = create_card(actor=web(ed), board_id=other.pk, title="There", assignee_ids=[ed.pk])
    give(ed, olga, doing, "Second")
    give(ed, olga, todo, "First")
    assert [group for group, _title in mine(ed, Grouping.BOARD)] == [other.pk, board.pk, board.pk]
    assert mine(ed, Grouping.LIST) == [(there.list_id, "There"), (todo.pk, "First"), (doing.pk, "Second")]
    assert numbers(ed, Grouping.BOARD) == {other.pk: 1, board.pk: 2}
    assert numbers(ed, Grouping.LIST) == {there.list_id: 1, todo.pk: 1, doing.pk: 1}


def test_a_row_has_labels_comments_and_what_its_reader_may_do(olga, vera, board, todo):
    card = give(vera, olga, todo, "Full")
    label = create_label(actor=web(olga), board_id=board.pk, name="Bug")
    add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
    add_comment(actor=web(olga), card_id=card.pk, text="Look")
    [row] = rows_of(Work(Reader(vera), assigned_to(vera)), Grouping.DUE, ALL)
    assert ([name for name, _hue in row.labels], row.comments, row.role) == (["Bug"], 1, "viewer")
    assert (row.board_title, row.list_title, row.list_id) == ("Launch", todo.title, todo.pk)


@pytest.mark.parametrize("by", Grouping)
def test_parts_hold_every_card_once(olga, ed, todo, doing, by):
    for number in range(7):
        give(ed, olga, (todo, doing)[number % 2], f"Card {number}", due_day=date(2026, 11, 26))
    whole = mine(ed, by)
    assert [row for start in (0, 3, 6) for row in mine(ed, by, slice(start, start + 3))] == whole
    assert mine(ed, by, slice(9, 12)) == []
    assert len(whole) == 7


@pytest.mark.parametrize("by", Grouping)
def test_rows_cost_as_many_statements_for_two_cards_as_for_forty(olga, ed, django_assert_num_queries, by):
    def fill(boards: int, cards: int) -> None:
        for number in range(boards):
            board = create_board(actor=web(ed), title=f"Board {number}", template="kanban")
            join(olga, board, "editor")
            label = create_label(actor=web(ed), board_id=board.pk, name="Mine")
            for place in range(cards):
                due = {"due_day": date(2026, 11, 20 + place)} if place else {}
                card = create_card(actor=web(ed), board_id=board.pk, title=f"{place}", assignee_ids=[ed.pk], **due)
                add_label(actor=web(ed), card_id=card.pk, label_id=label.pk)
                add_comment(actor=web(ed), card_id=card.pk, text="Look")

    def read() -> int:
        work = Work(Reader(ed), assigned_to(ed))
        my_boards(Reader(ed))
        return len(rows_of(work, by, ALL))

    User.objects.filter(pk=ed.pk).update(plan="pro")
    fill(2, 1)
    with django_assert_num_queries(2):  # boards; rows with their labels and comments
        assert read() == 2
    fill(19, 2)
    with django_assert_num_queries(2):
        assert read() == 40


def test_the_state_of_my_boards_changes_with_each_change_and_with_which_they_are(olga, ed, board, todo):
    def state() -> str:
        return state_of(my_boards(Reader(ed)))

    seen = [state(), state()]
    assert seen[0] == seen[1]
    create_list(actor=web(olga), board_id=board.pk, title="More")
    seen.append(state())
    other = create_board(actor=web(olga), title="Other")
    assert state() == seen[-1]
    join(ed, other, "viewer")
    seen.append(state())
    Membership.objects.filter(user=ed, board=board).delete()
    seen.append(state())
    assert len(set(seen)) == 4


def test_the_first_half_of_the_state_changes_with_which_boards_they_are_alone(olga, ed, board, todo):
    def half() -> str:
        state = state_of(my_boards(Reader(ed)))
        return state[: len(state) // 2]

    before = half()
    create_list(actor=web(olga), board_id=board.pk, title="More")
    assert half() == before
    join(ed, create_board(actor=web(olga), title="Other"), "viewer")
    assert half() != before
