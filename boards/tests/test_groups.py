"""Groups of the OpenID provider decide memberships, those alone that came from them."""

import pytest

from boards.actions import caps
from boards.actions.boards.board import archive_board, create_board, delete_board
from boards.actions.people.groups import follow_groups, give_group, readmit, settle_members, withdraw_group
from boards.actions.people.handover import accept_offer, offer_board
from boards.actions.people.members import change_role, remove_member
from boards.actor import Actor
from boards.errors import Conflict, LimitReached, NotAllowed, NotFound
from boards.models import Activity, BoardGroup, GroupMembership, Membership
from boards.models.verbs import Door
from boards.reading.history import lines
from boards.tests.at_once import at_once, outcome
from conftest import join, person, run_jobs, web
from core.bus.access_check import ACCESS_CHECK, user_group


def give(otto, board, group="crew", role="viewer") -> BoardGroup:
    return give_group(actor=admin(otto), board_id=board.pk, group=group, role=role)


def admin(otto) -> Actor:
    return Actor(otto, door=Door.ADMIN)


def role_of(user, board) -> str | None:
    return Membership.objects.filter(user=user, board=board).values_list("role", flat=True).first()


def newest(board) -> str:
    return lines(Activity.objects.filter(board=board).order_by("-version")[:1])[0].text


def test_somebody_in_the_group_joins_and_the_history_says_why(otto, board, stan):
    give(otto, board, role="editor")
    assert newest(board) == "Otto gave the group crew the role Editor"
    assert follow_groups(stan, ["crew", "other"]).done == {"joined": 1}
    assert role_of(stan, board) == "editor"
    assert newest(board) == "Stan joined as Editor by the group crew"


def test_nothing_happens_the_second_time(otto, board, stan):
    give(otto, board)
    follow_groups(stan, ["crew"])
    board.refresh_from_db()
    version = board.version
    assert not follow_groups(stan, ["crew"]).done
    board.refresh_from_db()
    assert board.version == version


def test_a_group_is_known_by_its_exact_name(otto, board, stan):
    give(otto, board)
    follow_groups(stan, ["Crew", "crew "])
    assert role_of(stan, board) is None


def test_of_several_groups_the_one_with_most_rights_decides(otto, board, stan):
    give(otto, board, "a", "viewer")
    give(otto, board, "b", "editor")
    for groups, role in ((["a"], "viewer"), (["a", "b"], "editor"), (["a"], "viewer"), ([], None)):
        follow_groups(stan, groups)
        assert role_of(stan, board) == role


def test_the_history_says_a_new_role_and_a_lost_membership(otto, board, stan):
    give(otto, board, "a", "viewer")
    give(otto, board, "b", "editor")
    follow_groups(stan, ["a"])
    follow_groups(stan, ["b"])
    assert newest(board) == "Stan got the role Editor by the group b"
    follow_groups(stan, [])
    assert newest(board) == "Stan lost the access that the group b gave"
    assert not GroupMembership.objects.exists()


def test_open_pages_of_somebody_who_lost_the_group_check_their_access(
    otto, board, stan, pushed, django_capture_on_commit_callbacks
):
    give(otto, board)
    follow_groups(stan, ["crew"])
    pushed.clear()
    with django_capture_on_commit_callbacks(execute=True):
        follow_groups(stan, [])
    assert (user_group(stan.pk), ACCESS_CHECK) in pushed


def test_members_by_invitation_are_not_touched(otto, board, vera):
    give(otto, board, role="editor")
    for groups in (["crew"], []):
        assert not follow_groups(vera, groups).done
        assert role_of(vera, board) == "viewer"


def test_the_owner_is_not_touched(otto, board, olga):
    give(otto, board)
    follow_groups(olga, ["crew"])
    follow_groups(olga, [])
    assert role_of(olga, board) == "owner"


def test_who_was_given_the_board_meanwhile_keeps_it(otto, board, olga, stan):
    give(otto, board)
    follow_groups(stan, ["crew"])
    offer_board(actor=web(olga), board_id=board.pk, user_id=stan.pk)
    accept_offer(actor=web(stan), board_id=board.pk)
    follow_groups(stan, [])
    assert role_of(stan, board) == "owner"


@pytest.mark.parametrize("who", ["olga", "stan"])
def test_who_left_by_hand_is_not_added_until_their_groups_change(otto, board, olga, stan, who):
    give(otto, board)
    give(otto, board, "deck")
    follow_groups(stan, ["crew"])
    remove_member(actor=web({"olga": olga, "stan": stan}[who]), board_id=board.pk, user_id=stan.pk)
    assert not follow_groups(stan, ["crew"]).done
    assert role_of(stan, board) is None
    follow_groups(stan, ["crew", "deck"])
    assert role_of(stan, board) == "viewer"


def test_who_left_by_hand_is_added_once_an_operator_says_so(otto, board, stan):
    give(otto, board)
    follow_groups(stan, ["crew"])
    note = GroupMembership.objects.get()
    with pytest.raises(Conflict):
        readmit(note.pk)
    remove_member(actor=web(stan), board_id=board.pk, user_id=stan.pk)
    readmit(note.pk)
    follow_groups(stan, ["crew"])
    assert role_of(stan, board) == "viewer"


def test_who_left_and_was_invited_later_is_a_member_by_invitation(otto, board, stan):
    give(otto, board)
    follow_groups(stan, ["crew"])
    remove_member(actor=web(stan), board_id=board.pk, user_id=stan.pk)
    join(stan, board, "editor")
    for groups in (["crew"], []):
        follow_groups(stan, groups)
        assert role_of(stan, board) == "editor"


def test_a_role_that_the_owner_set_stays_until_the_groups_give_another(otto, board, olga, stan):
    give(otto, board, "a", "editor")
    give(otto, board, "b", "viewer")
    follow_groups(stan, ["a"])
    change_role(actor=web(olga), board_id=board.pk, user_id=stan.pk, role="viewer")
    follow_groups(stan, ["a"])
    assert role_of(stan, board) == "viewer"
    follow_groups(stan, ["b"])
    follow_groups(stan, ["a"])
    assert role_of(stan, board) == "editor"


def test_a_changed_or_withdrawn_group_reaches_members_soon(otto, board, stan, ed):
    given = give(otto, board)
    follow_groups(stan, ["crew"])
    give(otto, board, role="editor")
    run_jobs()
    assert role_of(stan, board) == "editor"
    assert newest(board) == "Otto changed Stan's role to Editor"
    withdraw_group(actor=admin(otto), group_id=given.pk)
    run_jobs()
    assert role_of(stan, board) is None
    assert newest(board) == "Otto removed Stan from the board"
    assert role_of(ed, board) == "editor"


def test_nobody_joins_but_by_a_sign_in(otto, board, stan):
    give(otto, board)
    follow_groups(stan, ["crew"])
    remove_member(actor=web(stan), board_id=board.pk, user_id=stan.pk)
    GroupMembership.objects.update(groups=[])
    settle_members.call(str(board.pk), str(otto.pk))
    GroupMembership.objects.update(groups=["crew"])
    settle_members.call(str(board.pk), str(otto.pk))
    assert role_of(stan, board) is None


def test_an_inactive_account_joins_nothing(otto, board, stan):
    give(otto, board)
    type(stan).objects.filter(pk=stan.pk).update(is_active=False)
    assert not follow_groups(stan, ["crew"]).done
    assert role_of(stan, board) is None


def test_an_archived_board_takes_nobody_and_loses_those_who_lost_their_group(otto, board, olga, stan, ed):
    give(otto, board)
    follow_groups(stan, ["crew"])
    archive_board(actor=web(olga), board_id=board.pk)
    dora = person("dora")
    follow_groups(dora, ["crew"])
    follow_groups(stan, [])
    assert (role_of(dora, board), role_of(stan, board)) == (None, None)


def test_at_the_cap_a_board_refuses_and_the_next_one_does_not(otto, olga, board, stan, monkeypatch):
    other = create_board(actor=web(olga), title="Other")
    give(otto, board)
    give(otto, other)
    monkeypatch.setattr(caps, "MEMBERS", 3)
    found = follow_groups(stan, ["crew"])
    assert (role_of(stan, board), role_of(stan, other)) == (None, "viewer")
    assert list(found.refused) == [board.pk]
    assert "3 members" in found.refused[board.pk]
    assert not GroupMembership.objects.filter(board=board).exists()


def test_groups_of_a_board_and_boards_of_a_group_are_few(otto, olga, board, monkeypatch):
    give(otto, board)
    monkeypatch.setattr(caps, "GROUPS", 1)
    with pytest.raises(LimitReached):
        give(otto, board, "deck")
    monkeypatch.setattr(caps, "BOARDS_OF_GROUP", 1)
    with pytest.raises(LimitReached):
        give(otto, create_board(actor=web(olga), title="Other"))


def test_owners_and_operators_outside_of_the_admin_may_not_decide(otto, board, olga, stan):
    for user, error in ((olga, NotAllowed), (stan, NotFound), (otto, NotFound)):
        with pytest.raises(error):
            give_group(actor=web(user), board_id=board.pk, group="crew", role="viewer")


def test_a_deleted_board_takes_its_groups_along(otto, board, olga, stan):
    give(otto, board)
    follow_groups(stan, ["crew"])
    delete_board(actor=web(olga), board_id=board.pk, in_pieces=True)
    assert not BoardGroup.objects.exists()
    assert not GroupMembership.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_sign_ins_at_once_make_one_membership(otto, board, stan):
    give(otto, board)
    results = at_once([lambda: follow_groups(stan, ["crew"])] * 6)
    assert outcome(results) == {None: 6}
    assert sum(result.done["joined"] for result in results) == 1
    assert Membership.objects.filter(board=board, user=stan).count() == 1
    assert at_once([lambda: follow_groups(stan, [])] * 4).count(({"left": 1}, {})) == 1
    board.refresh_from_db()
    assert list(Activity.objects.filter(board=board).order_by("version").values_list("version", flat=True)) == [
        *range(1, board.version + 1)
    ]


@pytest.mark.django_db(transaction=True)
def test_sign_ins_at_once_do_not_exceed_the_cap(otto, board, monkeypatch):
    give(otto, board)
    monkeypatch.setattr(caps, "MEMBERS", 5)
    people = [person(f"p{number}") for number in range(6)]
    results = at_once([lambda user=user: follow_groups(user, ["crew"]) for user in people])
    assert sum(len(result.refused) for result in results) == 4
    assert Membership.objects.filter(board=board).count() == 5
