"""Concurrent requests: one wins, and the others get an answer that is true."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tokens import TokenLimitReached, create_token
from boards.tests.at_once import at_once, outcome, wait_until_somebody_waits_for_a_lock
from cliauth import grants
from cliauth.grants import Gone, Outcome
from cliauth.models import Grant, GrantState
from conftest import person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def started(db) -> tuple[Grant, str]:
    return grants.start(client_name="laptop", address="192.0.2.7", browser="")


def test_twenty_pollers_get_one_token(started, olga):
    grant, device_code = started
    grants.approve(grant, olga)
    polls = at_once(lambda: grants.poll(device_code) for _poller in range(20))
    assert Counter(poll.outcome for poll in polls) == {Outcome.DELIVERED: 1, Outcome.GONE: 19}
    assert len([poll for poll in polls if poll.token]) == 1
    assert ApiToken.objects.live().count() == 1


def test_of_approving_and_denying_at_once_one_wins(started, olga):
    grant, device_code = started
    results = at_once([lambda: grants.approve(grant, olga), lambda: grants.deny(grant, olga)] * 5)
    assert outcome(results) == {None: 1, Gone: 9}
    grant.refresh_from_db()
    approved = results[::2].count(None) == 1
    assert grant.state == (GrantState.APPROVED if approved else GrantState.DENIED)
    assert ApiToken.objects.count() == approved
    assert grants.poll(device_code).outcome == (Outcome.DELIVERED if approved else Outcome.DENIED)


def test_of_two_people_approving_at_once_one_gets_the_token(started, olga, ed):
    grant, device_code = started
    results = at_once([lambda: grants.approve(grant, olga), lambda: grants.approve(grant, ed)])
    assert outcome(results) == {None: 1, Gone: 1}
    winner = (olga, ed)[results.index(None)]
    assert grants.poll(device_code).outcome == Outcome.DELIVERED
    assert ApiToken.objects.get().user == winner


def test_approving_at_the_tenth_minute_is_too_late(started, olga):
    grant, device_code = started
    Grant.objects.update(expires_at=timezone.now())
    with pytest.raises(Gone):
        grants.approve(grant, olga)
    assert not ApiToken.objects.exists()
    assert grants.poll(device_code).outcome == Outcome.GONE


def test_approving_and_expiring_at_once_leaves_no_token_without_a_grant(started, olga):
    grant, _device_code = started
    Grant.objects.update(expires_at=timezone.now() + timedelta(milliseconds=30))
    results = at_once(lambda: grants.approve(grant, olga) for _click in range(5))
    approved = results.count(None)
    assert approved + outcome(results)[Gone] == 5
    assert approved <= 1
    assert ApiToken.objects.count() == approved == Grant.objects.filter(state=GrantState.APPROVED).count()


def test_the_last_slot_goes_to_the_web_or_to_the_command_line(started, olga):
    grant, device_code = started
    results = at_once([lambda: create_token(olga, "Script"), lambda: grants.approve(grant, olga)] * 4)
    assert ApiToken.objects.taking_a_slot().count() == 1
    made = [result for result in results if not isinstance(result, Exception)]
    assert len(made) == 1
    assert all(isinstance(result, TokenLimitReached | Gone) for result in results if isinstance(result, Exception))
    if results[1::2].count(None):
        assert grants.poll(device_code).outcome == Outcome.DELIVERED
    else:
        assert grants.poll(device_code).outcome == Outcome.PENDING


def test_each_of_many_starts_at_once_gets_codes_of_its_own(db):
    results = at_once(lambda: grants.start(client_name="", address="", browser="") for _line in range(20))
    assert len({grant.user_code for grant, _code in results}) == len({code for _grant, code in results}) == 20


def test_a_password_change_and_a_poll_at_once_leave_no_undelivered_token(started, olga):
    grant, device_code = started
    grants.approve(grant, olga)
    poll, _changed = at_once([lambda: grants.poll(device_code), lambda: change_password(olga)])
    assert poll.outcome in (Outcome.DELIVERED, Outcome.GONE)
    assert ApiToken.objects.live().count() == (poll.outcome is Outcome.DELIVERED)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite locks the whole database, whatever a poll locks")
def test_a_poll_waits_for_a_password_change_that_has_begun_and_gets_no_token(started, olga):
    grant, device_code = started
    grants.approve(grant, olga)
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            change_password(olga)
            polling = threads.submit(at_once, [lambda: grants.poll(device_code)])
            wait_until_somebody_waits_for_a_lock()
        [poll] = polling.result()
    assert poll.outcome is Outcome.GONE
    assert not ApiToken.objects.live().exists()


def change_password(user: User) -> None:
    user.set_password("another one")
    user.save()


def test_only_approved_grants_take_a_slot(olga, db):
    """A grant that nobody has approved takes no slot."""
    paula = person("paula", plan_id="pro")
    for _line in range(25):
        grants.start(client_name="", address="", browser="")
    for _line in range(20):
        grants.approve(grants.start(client_name="", address="", browser="")[0], paula)
    with pytest.raises(TokenLimitReached):
        grants.approve(grants.start(client_name="", address="", browser="")[0], paula)
