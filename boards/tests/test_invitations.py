"""An invitation becomes a membership when the invited person accepts, and tells the inviter nothing about accounts."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.actions.allowances import DAY, HOUR
from boards.actions.boards.board import archive_board, create_board, delete_board, restore_board
from boards.actions.people.members import remove_member
from boards.actions.sharing.invitations import (
    MOST_PENDING,
    MOST_SENT,
    accept_invitation,
    decline_invitation,
    invite_member,
    withdraw_invitation,
)
from boards.errors import Conflict, Invalid, LimitReached, NotAllowed, NotFound
from boards.models import Board, Counted, Invitation, Membership, Use
from boards.tests.world import last
from conftest import join, person, web


@pytest.fixture
def invite(board, olga):
    def invite(email="stan@example.com", role="editor", board=board):
        return invite_member(actor=web(olga), board_id=board.pk, email=email, role=role)

    return invite


def accept(invitation, user):
    return accept_invitation(actor=web(user), invitation_id=invitation.pk)


def is_member(user, board):
    return Membership.objects.filter(user=user, board=board).exists()


def test_an_invited_person_is_no_member_and_the_board_does_not_change(invite, board, stan):
    invitation = invite(" STAN@Example.com ", "viewer")
    assert (invitation.email, invitation.role) == ("stan@example.com", "viewer")
    assert not is_member(stan, board)
    assert Board.objects.get(pk=board.pk).version == board.version


def test_who_accepts_is_a_member_with_the_role_and_the_history_says_who_invited_them(invite, board, olga, stan):
    accept(invite(role="viewer"), stan)
    assert Membership.objects.get(user=stan).role == "viewer"
    assert (last(board).verb, last(board).user) == ("member.added", stan)
    assert last(board).data == {
        "member_id": [None, str(stan.pk)],
        "member": [None, "Stan"],
        "role": [None, "viewer"],
        "inviter_id": [None, str(olga.pk)],
        "inviter": [None, "Olga"],
    }
    assert not Invitation.objects.exists()


def test_of_two_invitations_the_chosen_one_is_accepted(invite, board, olga, stan):
    other = create_board(actor=web(olga), title="Other")
    first, second = invite(), invite(board=other)
    accept(second, stan)
    assert is_member(stan, other)
    assert not is_member(stan, board)
    decline_invitation(actor=web(stan), invitation_id=first.pk)


def test_nobody_else_accepts_or_declines(invite, board, stan, ed, olga):
    invitation = invite("new@example.com")
    for user in (stan, ed, olga):
        with pytest.raises(NotFound):
            accept(invitation, user)
        with pytest.raises(NotFound):
            decline_invitation(actor=web(user), invitation_id=invitation.pk)
    assert Invitation.objects.get().declined_at is None


@pytest.mark.parametrize("address", ["stan@example.com", "gone@example.com", "nobody@example.com"])
def test_inviting_takes_the_same_statements_and_says_the_same_whoever_has_the_address(invite, stan, address):
    person("gone", is_active=False)
    statements = []
    for email in (address, "reference@example.com"):
        with CaptureQueriesContext(connection) as captured:
            invitation = invite(email)
        assert str(invitation) == f"{email} · Editor"
        statements.append([re.sub(r"'[^']*'|_x\d+", "?", query["sql"]) for query in captured])
    assert statements[0] == statements[1]


def test_a_member_is_not_invited_and_the_owner_is_told_so(invite, board):
    for address in ("vera@example.com", "Olga@example.com"):
        with pytest.raises(Conflict, match="already a member"):
            invite(address)
    assert not Invitation.objects.exists()


def test_an_address_is_invited_once_until_the_invitation_is_withdrawn(invite, olga):
    first = invite("new@example.com", "viewer")
    with pytest.raises(Conflict, match="already invited"):
        invite("NEW@example.com", "editor")
    assert Invitation.objects.get().role == "viewer"
    withdraw_invitation(actor=web(olga), invitation_id=first.pk)
    assert invite("new@example.com", "editor").role == "editor"


def test_a_withdrawn_invitation_is_not_accepted(invite, olga, stan):
    invitation = invite()
    withdraw_invitation(actor=web(olga), invitation_id=invitation.pk)
    with pytest.raises(NotFound):
        accept(invitation, stan)


def test_a_declined_invitation_is_not_accepted_and_looks_pending_to_the_inviter(invite, stan):
    invitation = invite()
    decline_invitation(actor=web(stan), invitation_id=invitation.pk)
    with pytest.raises(NotFound):
        accept(invitation, stan)
    assert Invitation.objects.pending().get() == invitation
    with pytest.raises(Conflict, match="already invited"):
        invite()


def test_an_expired_invitation_is_not_accepted_and_may_be_sent_again(invite, board, stan):
    invitation = invite()
    assert timedelta(days=13) < invitation.expires_at - timezone.now() <= timedelta(days=14)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(NotFound):
        accept(invitation, stan)
    assert accept(invite(), stan).board == board


def test_archiving_ends_invitations_for_good(invite, board, olga, stan):
    invitation = invite()
    archive_board(actor=web(olga), board_id=board.pk)
    restore_board(actor=web(olga), board_id=board.pk)
    with pytest.raises(NotFound):
        accept(invitation, stan)


def test_the_invitation_of_a_deactivated_account_is_not_accepted(invite, olga, stan):
    invitation = invite()
    olga.is_active = False
    olga.save()
    with pytest.raises(NotFound):
        accept(invitation, stan)


def test_who_is_a_member_by_another_address_joins_no_second_time(invite, board, stan):
    join(stan, board, "viewer")
    invitation = invite("stan.new@example.com")
    stan.email = "stan.new@example.com"
    stan.save()
    accept(invitation, stan)
    assert Membership.objects.get(user=stan, board=board).role == "viewer"
    assert not Invitation.objects.exists()


def test_who_was_removed_needs_a_newer_invitation(invite, board, olga, stan):
    earlier = invite()
    join(stan, board, "editor")
    remove_member(actor=web(olga), board_id=board.pk, user_id=stan.pk)
    with pytest.raises(NotFound):
        accept(earlier, stan)
    assert not is_member(stan, board)
    withdraw_invitation(actor=web(olga), invitation_id=earlier.pk)
    accept(invite(), stan)
    assert is_member(stan, board)


def test_who_left_may_be_invited_again(invite, board, stan):
    join(stan, board)
    remove_member(actor=web(stan), board_id=board.pk, user_id=stan.pk)
    accept(invite(), stan)
    assert is_member(stan, board)


@pytest.mark.parametrize(
    "address",
    ["", "stan", "stan@", "@example.com", None, 7, "a@example.com, b@example.com", f"a@{'b' * 60}.{'c.' * 95}com"],
)
def test_an_invalid_address_is_refused(invite, address):
    with pytest.raises(Invalid) as refusal:
        invite(address)
    assert refusal.value.field == "email"


@pytest.fixture
def mail_server(settings):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}


def confirm(user, *, verified=True):
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": verified})


def test_with_mail_only_a_confirmed_address_accepts(invite, olga, stan, mail_server):
    confirm(olga)
    invitation = invite()
    for confirmed in (lambda: None, lambda: confirm(stan, verified=False)):
        confirmed()
        with pytest.raises(NotFound):
            accept(invitation, stan)
        with pytest.raises(NotFound):
            decline_invitation(actor=web(stan), invitation_id=invitation.pk)
    confirm(stan)
    assert accept(invitation, stan)


def test_a_confirmed_address_that_is_not_the_accounts_own_does_not_count(invite, olga, stan, mail_server):
    confirm(olga)
    EmailAddress.objects.create(user=stan, email="old@example.com", verified=True)
    with pytest.raises(NotFound):
        accept(invite(), stan)


def test_with_mail_only_a_confirmed_address_invites(invite, olga, mail_server):
    with pytest.raises(NotAllowed, match="Confirm your email address"):
        invite()
    confirm(olga)
    assert invite()


def spend(user, number, *, ago=timedelta()):
    at = timezone.now() - ago
    Use.objects.bulk_create(Use(user=user, what=Counted.INVITATION, at=at) for _ in range(number))


@pytest.mark.parametrize(("time", "said"), [(HOUR, "30 invitations per hour"), (DAY, "100 invitations in 24 hours")])
def test_an_account_sends_so_many_invitations_in_a_time(invite, olga, stan, time, said):
    Use.objects.filter(user=olga).delete()
    spend(olga, MOST_SENT[time] - 1, ago=time - timedelta(minutes=1))
    invite()
    with pytest.raises(LimitReached, match=said):
        invite("next@example.com")
    spend(stan, 1)
    Use.objects.filter(user=olga).update(at=timezone.now() - time)
    assert invite("next@example.com")


def test_withdrawing_and_deleting_boards_gives_no_invitations_back(olga):
    boards = [create_board(actor=web(olga), title=f"Board {number}") for number in range(3)]
    for number in range(MOST_SENT[HOUR]):
        invitation = invite_member(actor=web(olga), board_id=boards[number % 3].pk, email=f"new{number}@example.com")
        withdraw_invitation(actor=web(olga), invitation_id=invitation.pk)
    for board in boards[:2]:
        delete_board(actor=web(olga), board_id=board.pk)
    with pytest.raises(LimitReached, match="per hour"):
        invite_member(actor=web(olga), board_id=boards[2].pk, email="one@example.com")


def test_an_account_has_so_many_invitations_pending(invite, olga):
    other = create_board(actor=web(olga), title="Other")
    until = timezone.now() + DAY
    Invitation.objects.bulk_create(
        Invitation(board=other, email=f"{n}@example.com", role="viewer", invited_by=olga, expires_at=until)
        for n in range(MOST_PENDING)
    )
    with pytest.raises(LimitReached, match="You have 50 pending invitations"):
        invite()
    Invitation.objects.first().delete()
    assert invite()
