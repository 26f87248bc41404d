"""Holders of an invitation link may join, once, as long as it works; nobody else can."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.actions.boards.board import archive_board, delete_board, restore_board
from boards.actions.people.handover import accept_offer, offer_board
from boards.actions.people.members import change_role, remove_member
from boards.actions.sharing.invitation_links import (
    MOST_LINKS,
    create_invitation_link,
    join_by_link,
    withdraw_invitation_link,
)
from boards.errors import Conflict, Invalid, LimitReached, NotAllowed, NotFound
from boards.models import InvitationLink, Membership
from boards.models.invitation_link import digest_of
from boards.reading.history import lines
from boards.tests.world import history, last
from conftest import join, person, web


@pytest.fixture
def make(board, olga):
    def make(*, days=7.0, by=olga, **values):
        until = timezone.now() + timedelta(days=days)
        return create_invitation_link(actor=web(by), board_id=board.pk, expires_at=until, **values)

    return make


def follow(made, user):
    """Tell whether they joined by it, and were no member before."""
    (link, key), actor = made, web(user)
    assert join_by_link(actor=actor, link_id=link.pk, digest=digest_of(key)) == link
    return bool(actor.changes)


def role_on(board, user):
    return Membership.objects.filter(board=board, user=user).values_list("role", flat=True).first()


def sentence(board):
    return lines(board.activities.order_by("-version")[:1])[0].text


def test_whoever_has_the_link_joins_with_its_role_and_the_history_says_by_whom(make, board, stan):
    assert follow(made := make(role="editor", uses=3, name="Team"), stan)
    assert role_on(board, stan) == "editor"
    assert InvitationLink.objects.get().uses_left == 2
    assert InvitationLink.objects.get().last_used_at is not None
    assert last(board).data["link_id"] == [None, str(made[0].pk)]
    assert sentence(board) == "Stan joined as Editor with an invitation link from Olga"


def test_the_history_says_that_a_link_was_made_and_withdrawn_and_never_its_key(make, board, olga):
    link, key = make(name="Team")
    assert sentence(board) == "Olga created the invitation link Team with the role Viewer"
    withdraw_invitation_link(actor=web(olga), link_id=link.pk)
    assert sentence(board) == "Olga withdrew the invitation link Team"
    assert key not in str([(line.data, line.subject, line.removed) for line in history(board)])


def test_the_key_has_256_bits_and_only_its_digest_is_kept(make):
    link, key = make()
    assert len(key) == 43
    kept = InvitationLink.objects.filter(pk=link.pk).values().get()
    assert key not in str(kept)
    assert (kept["digest"], kept["last_four"]) == (digest_of(key), key[-4:])


@pytest.mark.parametrize("uses", [1, None])
def test_a_link_works_as_often_as_it_says(make, stan, uses):
    made = make(uses=uses)
    follow(made, stan)
    assert InvitationLink.objects.get().uses_left == (0 if uses else None)
    if uses:
        with pytest.raises(NotFound):
            follow(made, person("sue"))
    else:
        assert follow(made, person("sue"))


def test_a_member_spends_no_use_and_keeps_their_role(make, board, ed, vera):
    made = make(role="editor", uses=1)
    for user, role in ((ed, "editor"), (vera, "viewer")):
        assert follow(made, user) is False
        assert role_on(board, user) == role
    assert InvitationLink.objects.get().uses_left == 1


def test_a_wrong_key_joins_nobody(make, board, stan):
    link, _key = make()
    for digest in (digest_of("wrong"), "", link.last_four):
        with pytest.raises(NotFound):
            join_by_link(actor=web(stan), link_id=link.pk, digest=digest)
    assert role_on(board, stan) is None


def test_the_key_of_another_link_joins_nobody(make, stan):
    first, (_second, key) = make()[0], make()
    with pytest.raises(NotFound):
        join_by_link(actor=web(stan), link_id=first.pk, digest=digest_of(key))


def expire(board, olga, made):
    InvitationLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def withdraw(board, olga, made):
    withdraw_invitation_link(actor=web(olga), link_id=made[0].pk)


def archive(board, olga, made):
    archive_board(actor=web(olga), board_id=board.pk)


def archive_and_restore(board, olga, made):
    archive(board, olga, made)
    restore_board(actor=web(olga), board_id=board.pk)


def hand_over(board, olga, made):
    ed = Membership.objects.get(board=board, role="editor").user
    offer_board(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    accept_offer(actor=web(ed), board_id=board.pk)


def deactivate(board, olga, made):
    olga.is_active = False
    olga.save()


def delete(board, olga, made):
    delete_board(actor=web(olga), board_id=board.pk)


ENDS = [expire, withdraw, archive, archive_and_restore, hand_over, deactivate, delete]


@pytest.mark.parametrize("end", ENDS)
def test_a_link_ends_and_the_answer_is_always_the_same(make, board, olga, stan, end):
    made = make(uses=5)
    end(board, olga, made)
    with pytest.raises(NotFound) as ended:
        follow(made, stan)
    with pytest.raises(NotFound) as unknown:
        join_by_link(actor=web(stan), link_id=stan.pk, digest="")
    assert str(ended.value) == str(unknown.value)
    assert not Membership.objects.filter(user=stan).exists()


def test_who_was_removed_needs_a_newer_link_and_who_left_does_not(make, board, olga, stan):
    made = make()
    follow(made, stan)
    remove_member(actor=web(stan), board_id=board.pk, user_id=stan.pk)
    assert follow(made, stan)
    remove_member(actor=web(olga), board_id=board.pk, user_id=stan.pk)
    with pytest.raises(NotFound):
        follow(made, stan)
    assert follow(make(), stan)


def test_the_former_owner_cannot_make_links(make, board, olga, ed):
    hand_over(board, olga, None)
    with pytest.raises(NotAllowed):
        make(by=olga)
    assert make(by=ed)


@pytest.mark.parametrize(
    "values", [{"role": "owner"}, {"role": "admin"}, {"uses": 0}, {"uses": 101}, {"name": "x" * 51}]
)
def test_what_is_out_of_bounds_is_refused(make, values):
    with pytest.raises(Invalid) as refusal:
        make(**values)
    assert refusal.value.field in values
    assert not InvitationLink.objects.exists()


@pytest.mark.parametrize("days", [-1, 0, 90.1, 5000])
def test_a_link_works_for_ninety_days_at_most(make, days):
    with pytest.raises(Invalid, match="within the next 90 days"):
        make(days=days)
    assert make(days=89.9)


def test_a_board_has_so_many_links(make, olga, monkeypatch):
    monkeypatch.setattr("boards.actions.sharing.invitation_links.MOST_LINKS", 2)
    first, _key = make()
    make()
    with pytest.raises(LimitReached, match=r"2 invitation links\. Withdraw one"):
        make()
    withdraw_invitation_link(actor=web(olga), link_id=first.pk)
    assert make()
    InvitationLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert make()
    assert MOST_LINKS == 20


def test_the_same_form_makes_one_link(make, board):
    form = person("form").pk
    make(form=form)
    with pytest.raises(Conflict, match="already sent"):
        make(form=form)
    assert InvitationLink.objects.get().pk == form


def test_with_mail_only_confirmed_people_make_links_and_join(make, olga, stan, settings):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    with pytest.raises(NotAllowed, match="Confirm your email address"):
        make()
    EmailAddress.objects.create(user=olga, email=olga.email, verified=True)
    made = make(uses=1)
    with pytest.raises(NotAllowed, match="Confirm your email address"):
        follow(made, stan)
    assert InvitationLink.objects.get().uses_left == 1
    EmailAddress.objects.create(user=stan, email=stan.email, verified=True)
    assert follow(made, stan)


def test_a_changed_role_is_not_changed_back_by_the_link(make, board, olga, stan):
    made = make(role="editor")
    follow(made, stan)
    change_role(actor=web(olga), board_id=board.pk, user_id=stan.pk, role="viewer")
    follow(made, stan)
    assert role_on(board, stan) == "viewer"


def test_joining_takes_as_many_statements_with_many_members_and_links(make, stan, board):
    statements = []
    for user in (stan, person("sue")):
        made = make()
        with CaptureQueriesContext(connection) as captured:
            follow(made, user)
        statements.append(len(captured))
        for name in "abc":
            join(person(f"{name}{user.name}"), board, "viewer")
    assert statements[0] == statements[1] < 16
