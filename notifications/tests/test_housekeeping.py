"""Tokens that expire, old rows, and what other rooms tell."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts.tokens import create_token, narrow_token
from boards.actions.boards.board import delete_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, delete_card
from boards.actions.sharing.invitations import invite_member, withdraw_invitation
from boards.reader import Reader
from conftest import run_jobs, web
from notifications.events.telling import tell
from notifications.housekeeping import tell_of_expiring_tokens, tidy_notifications
from notifications.inbox.entries import unread_count
from notifications.inbox.lines import told
from notifications.inbox.piles import Pile, in_pile
from notifications.kinds import Kind
from notifications.mail.invited import tell_invited
from notifications.models import Burst, Follow, Notification, Way
from notifications.tests.conftest import texts

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


def test_a_token_is_told_a_week_and_a_day_before_it_expires_each_once(ed):
    with time_machine.travel(NOW, tick=False) as clock:
        tell_of_expiring_tokens.func()
        create_token(ed, "Claude", expires_at=NOW + timedelta(days=30))
        counts = []
        for days in (22, 23, 23, 28, 29, 29, 31):
            clock.move_to(NOW + timedelta(days=days, minutes=1))
            tell_of_expiring_tokens.func()
            counts.append(Notification.objects.filter(user=ed).count())
        assert counts == [0, 1, 1, 1, 2, 2, 2]
        assert texts(ed)[0] == "Your API token Claude expires on Dec\xa023, 12:00\xa0PM"


@pytest.mark.parametrize("lives, told", [(timedelta(days=7), 1), (timedelta(days=7, seconds=1), 2), (timedelta(1), 0)])
def test_a_token_is_told_only_of_what_is_shorter_than_its_life(ed, lives, told):
    with time_machine.travel(NOW, tick=False) as clock:
        tell_of_expiring_tokens.func()
        clock.move_to(NOW + timedelta(minutes=30))
        token, _value = create_token(ed, "Claude", expires_at=NOW + timedelta(minutes=30) + lives)
        for hours in range(1, 24 * 8):
            clock.move_to(NOW + timedelta(hours=hours))
            tell_of_expiring_tokens.func()
    assert Notification.objects.filter(user=ed, subject_id=token.pk).count() == told


def test_a_token_that_was_given_less_time_is_told_a_day_before(ed):
    with time_machine.travel(NOW, tick=False) as clock:
        tell_of_expiring_tokens.func()
        token, _value = create_token(ed, "Claude")
        clock.move_to(NOW + timedelta(days=1))
        narrow_token(token, expires_at=NOW + timedelta(days=5))
        counts = []
        for hours in (25, 95, 97, 98):
            clock.move_to(NOW + timedelta(hours=hours))
            tell_of_expiring_tokens.func()
            counts.append(Notification.objects.filter(user=ed).count())
    assert counts == [0, 0, 1, 1]


def test_a_revoked_token_is_not_told(ed):
    with time_machine.travel(NOW, tick=False) as clock:
        tell_of_expiring_tokens.func()
        token, _value = create_token(ed, "Claude", expires_at=NOW + timedelta(days=8))
        token.revoked_at = NOW
        token.save()
        clock.move_to(NOW + timedelta(days=2))
        tell_of_expiring_tokens.func()
    assert not Notification.objects.exists()


def test_other_rooms_tell_once_for_each_key(ed):
    words = {"what": "export", "state": "done", "name": "Launch", "link": "/settings/data"}
    assert tell(ed.pk, Kind.FINISHED, "export:1", words)
    assert not tell(ed.pk, Kind.FINISHED, "export:1", words)
    assert texts(ed) == ["Your export of Launch is finished"]
    Way.objects.create(user=ed, kind=Kind.FINISHED, in_app=False)
    assert not tell(ed.pk, Kind.FINISHED, "export:2", words)


def test_a_link_to_another_site_is_not_followed(ed):
    tell(ed.pk, Kind.FINISHED, "export:1", {"what": "export", "state": "done", "name": "x", "link": "//evil.example"})
    assert [line.link for line in told(in_pile(Reader(ed), Pile.ALL))] == ["/"]


def test_an_invited_account_is_told_until_the_invitation_ends(board, olga, stan):
    invitation = invite_member(actor=web(olga), board_id=board.pk, email=stan.email)
    tell_invited.func(str(invitation.pk))
    tell_invited.func(str(invitation.pk))
    assert texts(stan) == ["Olga invited you to Launch"]
    withdraw_invitation(actor=web(olga), invitation_id=invitation.pk)
    assert texts(stan) == []
    assert unread_count(Reader(stan)) == 0


def test_an_address_without_account_tells_nobody(board, olga):
    invitation = invite_member(actor=web(olga), board_id=board.pk, email="nobody@example.com")
    tell_invited.func(str(invitation.pk))
    assert not Notification.objects.exists()


def test_old_rows_go(board, card, olga, ed):
    complete_card(actor=web(ed), card_id=card.pk)
    run_jobs()
    row = Notification.objects.get(user=olga, kind=Kind.CHANGE)
    Notification.objects.exclude(pk=row.pk).delete()
    with time_machine.travel(row.told_at + timedelta(days=89)):
        tidy_notifications.func()
        assert Notification.objects.exists()
    with time_machine.travel(row.told_at + timedelta(days=91)):
        tidy_notifications.func()
    assert not Notification.objects.exists()
    assert not Burst.objects.exists()


def test_with_the_card_and_the_board_go_what_was_followed_and_told(board, card, olga, ed):
    complete_card(actor=web(ed), card_id=card.pk)
    archive_card(actor=web(olga), card_id=card.pk)
    run_jobs()
    tidy_notifications.func()
    assert Follow.objects.filter(subject_id=card.pk).exists()
    delete_card(actor=web(olga), card_id=card.pk)
    tidy_notifications.func()
    assert not Follow.objects.filter(subject_id=card.pk).exists()
    assert Notification.objects.exists()
    delete_board(actor=web(olga), board_id=board.pk)
    assert texts(olga) == []
    tidy_notifications.func()
    assert not Notification.objects.exclude(board_id=None).exists()
