import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Plan
from boards.actions.allowances import DAY
from boards.actions.boards.board import archive_board, create_board, delete_board, restore_board, update_board
from boards.actions.cards.card import create_card
from boards.errors import Invalid, LimitReached
from boards.hints import board_group
from boards.models import Activity, Board, Card, Label, List, Membership, Role, Use
from boards.reader import Reader
from boards.tests.world import last, rows_of
from conftest import web
from core.bus.access_check import user_group


def fill(user, number=10):
    return [create_board(actor=web(user), title=f"Board {place}") for place in range(number)]


def test_a_new_board_belongs_to_the_user_who_created_it(olga):
    board = create_board(actor=web(olga), title="  Launch ", hue=3)
    assert (board.title, board.hue, board.version) == ("Launch", 3, 1)
    assert [(row.user, row.role, row.version) for row in board.memberships.all()] == [(olga, Role.OWNER, 1)]


def test_a_new_board_has_a_first_line_of_activity(olga):
    board = create_board(actor=web(olga), title="Launch", template="kanban")
    assert (last(board).verb, last(board).version) == ("board.created", 1)
    assert last(board).data == {"template": [None, "kanban"]}


@pytest.mark.parametrize(
    "wrong, field",
    [
        ({"title": ""}, "title"),
        ({"title": " \n"}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"title": 7}, "title"),
        ({"template": "scrum"}, "template"),
        ({"template": None}, "template"),
        ({"hue": 0}, "color"),
        ({"hue": 13}, "color"),
    ],
)
def test_an_invalid_board_is_not_created(olga, wrong, field):
    with pytest.raises(Invalid) as refusal:
        create_board(actor=web(olga), **{"title": "Launch"} | wrong)
    assert refusal.value.field == field
    assert not Board.objects.exists()


def test_the_refusal_of_an_unknown_template_names_those_that_exist(olga):
    with pytest.raises(Invalid, match="blank, kanban, content, personal"):
        create_board(actor=web(olga), title="Launch", template="scrum")


def test_the_eleventh_board_is_refused_with_a_reason(olga):
    fill(olga)
    with pytest.raises(LimitReached, match="10"):
        create_board(actor=web(olga), title="One too many")
    assert Board.objects.owned_by(olga).count() == 10


def test_a_plan_of_one_board_says_so_in_the_singular(olga):
    Plan.objects.filter(pk=olga.plan_id).update(max_boards=1)
    fill(olga, 1)
    with pytest.raises(LimitReached, match=r"1 owned board\."):
        create_board(actor=web(olga), title="One too many")


def test_a_plan_without_cap_has_no_limit(olga):
    Plan.objects.filter(pk=olga.plan_id).update(max_boards=None)
    assert len(fill(olga, 11)) == 11


def test_other_peoples_boards_do_not_count(board, ed):
    fill(ed)
    assert Board.objects.visible_to(Reader(ed)).count() == 11


def test_archived_boards_do_not_count(olga):
    archive_board(actor=web(olga), board_id=fill(olga)[0].pk)
    assert create_board(actor=web(olga), title="Fits")


def test_deleting_a_board_makes_room(olga):
    delete_board(actor=web(olga), board_id=fill(olga)[0].pk)
    assert create_board(actor=web(olga), title="Fits")


def create_and_archive(olga, number):
    for _time in range(number):
        archive_board(actor=web(olga), board_id=create_board(actor=web(olga), title="Short-lived").pk)


def test_a_plan_allows_three_times_its_cap_of_new_boards_a_day_archived_and_deleted_ones_included(olga):
    create_and_archive(olga, 28)
    for _time in range(2):
        delete_board(actor=web(olga), board_id=create_board(actor=web(olga), title="Deleted").pk)
    with pytest.raises(LimitReached, match="30 new boards in 24 hours"):
        create_board(actor=web(olga), title="One too many")
    assert Board.objects.count() == 28


def test_after_a_day_boards_can_be_created_again(olga):
    create_and_archive(olga, 30)
    Use.objects.update(at=timezone.now() - DAY)
    assert create_board(actor=web(olga), title="Fits")


def test_boards_that_others_create_do_not_count_for_the_day(olga, ed):
    create_and_archive(olga, 30)
    assert create_board(actor=web(ed), title="Fits")


def test_a_refused_board_does_not_count_for_the_day(olga):
    fill(olga)
    for _time in range(30):
        with pytest.raises(LimitReached, match="owned boards"):
            create_board(actor=web(olga), title="Refused")
    archive_board(actor=web(olga), board_id=Board.objects.first().pk)
    assert create_board(actor=web(olga), title="Fits")


def test_a_plan_without_cap_has_no_daily_number(olga):
    Plan.objects.filter(pk=olga.plan_id).update(max_boards=None)
    create_and_archive(olga, 31)
    assert not Use.objects.exists()


def test_a_board_is_not_restored_past_the_cap(olga):
    first = fill(olga)[0]
    archive_board(actor=web(olga), board_id=first.pk)
    create_board(actor=web(olga), title="Fits")
    with pytest.raises(LimitReached):
        restore_board(actor=web(olga), board_id=first.pk)
    assert Board.objects.get(pk=first.pk).archived_at is not None


def test_restoring_a_board_that_is_not_archived_works_at_the_cap_too(olga):
    first = fill(olga)[0]
    assert restore_board(actor=web(olga), board_id=first.pk).version == 1


def test_a_restored_board_is_as_it_was(card, olga):
    before = rows_of(card.board)
    archive_board(actor=web(olga), board_id=card.board_id)
    assert not Board.objects.visible_to(Reader(olga)).open().exists()
    assert not Card.objects.open().exists()
    restore_board(actor=web(olga), board_id=card.board_id)
    assert Board.objects.visible_to(Reader(olga)).open().get() == card.board
    assert rows_of(card.board) == before


def test_renaming_and_recolouring_together_is_one_change(board, ed):
    update_board(actor=web(ed), board_id=board.pk, title="Landing", hue=5)
    assert last(board).data == {"title": ["Launch", "Landing"], "hue": [8, 5]}


def test_fields_that_are_not_given_stay_as_they_are(board, ed):
    update_board(actor=web(ed), board_id=board.pk, hue=5)
    assert last(board).data == {"hue": [8, 5]}
    assert Board.objects.get(pk=board.pk).title == "Launch"


def test_a_background_is_changed_and_recorded(board, ed):
    update_board(actor=web(ed), board_id=board.pk, background="dusk")
    assert Board.objects.get(pk=board.pk).background == "dusk"
    assert last(board).data == {"background": ["plain", "dusk"]}


def test_a_background_that_is_not_offered_is_refused_by_naming_those_that_are(board, ed):
    with pytest.raises(Invalid, match="background must be one of plain, color, dusk"):
        update_board(actor=web(ed), board_id=board.pk, background="url(x)")


def test_a_wrong_title_changes_nothing(board, ed):
    with pytest.raises(Invalid):
        update_board(actor=web(ed), board_id=board.pk, title="x" * 201, hue=5)
    assert Board.objects.get(pk=board.pk).version == board.version


def test_a_deleted_board_takes_everything_with_it_and_nothing_else(world):
    other = create_board(actor=world.by_olga, title="Other", template="kanban")
    create_card(actor=world.by_olga, board_id=other.pk, title="Stays")
    before = rows_of(other)
    delete_board(actor=world.by_olga, board_id=world.board.pk)
    assert set(Board.objects.all()) == {world.attic, world.plain, world.garden, other}
    assert rows_of(world.board) == {}
    assert not Activity.objects.filter(board_id=world.board.pk).exists()
    assert rows_of(other) == before


def test_pages_of_a_deleted_board_get_a_hint_and_those_of_its_members_check_their_access(
    board, olga, ed, vera, pushed, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        delete_board(actor=web(olga), board_id=board.pk)
    groups = [group for group, _message in pushed]
    assert groups[0] == board_group(board.pk)
    assert set(groups[1:]) == {user_group(user.pk) for user in (olga, ed, vera)}


@pytest.mark.parametrize("person", ["ed", "vera"])
def test_the_database_allows_one_owner_per_board(board, request, person):
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.filter(board=board, user=request.getfixturevalue(person)).update(role=Role.OWNER)


def test_a_blank_board_has_neither_lists_nor_labels(olga):
    board = create_board(actor=web(olga), title="Launch")
    assert not List.objects.filter(board=board).exists()
    assert not Label.objects.filter(board=board).exists()
