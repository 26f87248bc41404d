"""A token that was good once and is still tried is a line of the security log; floods and unknown values are not."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tokens import revoke_token
from apiv1.tests.calls import token_of
from security.models import SecurityEvent

pytestmark = pytest.mark.django_db


def call(value: str):
    return Client(headers={"Authorization": f"Bearer {value}", "User-Agent": "curl"}).get("/api/v1/me")


def refusals():
    return SecurityEvent.objects.filter(kind="token-refused").order_by("id")


def revoke(olga):
    revoke_token(ApiToken.objects.get())


def deactivate(olga):
    User.objects.filter(pk=olga.pk).update(is_active=False)


def let_expire(olga):
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


@pytest.mark.parametrize(
    "end, why", [(revoke, "revoked"), (deactivate, "account deactivated"), (let_expire, "expired")]
)
def test_a_call_with_a_token_that_has_ended_is_logged_with_the_reason_and_answered_like_any_other(olga, end, why):
    value = token_of(olga, "laptop")
    end(olga)
    answer, unknown = call(value), call("tbk_unknown")
    assert (answer.status_code, answer.content) == (401, unknown.content)
    assert answer.headers == unknown.headers
    event = refusals().get()
    assert (event.user, event.by, event.details) == (olga, None, {"name": "laptop", "why": why})
    assert (event.address, event.browser) == ("127.0.0.1", "curl")


def test_neither_a_live_token_nor_an_unknown_value_is_logged(olga):
    assert call(token_of(olga)).status_code == 200
    for value in ("tbk_unknown", "", "unknown"):
        assert call(value).status_code == 401
    assert not refusals().exists()


def test_of_one_token_a_line_an_hour_is_written(olga):
    value = token_of(olga)
    revoke(olga)
    start = timezone.now()
    lines = []
    for minutes in (0, 0, 61):
        with time_machine.travel(start + timedelta(minutes=minutes), tick=False):
            call(value)
        lines.append(refusals().count())
    assert lines == [1, 1, 2]


@pytest.fixture
def values(olga) -> list[str]:
    """Thirty revoked tokens of Olga's."""
    made = []
    for number in range(30):
        made.append(token_of(olga, f"Token {number}"))
        revoke_token(ApiToken.objects.latest("id"))
    return made


def test_of_many_tokens_of_one_account_twenty_lines_an_hour_are_written(olga, ed, values):
    with time_machine.travel(timezone.now(), tick=False):
        for value in values:
            assert call(value).status_code == 401
        assert refusals().count() == 20
        other = token_of(ed)
        revoke_token(ApiToken.objects.get(user=ed))
        call(other)
    assert refusals().filter(user=ed).count() == 1


def test_a_refusal_that_is_logged_already_takes_one_statement_as_that_of_an_unknown_value(
    olga, django_assert_num_queries
):
    value = token_of(olga)
    revoke(olga)
    with time_machine.travel(timezone.now(), tick=False):
        call(value)
        with django_assert_num_queries(1):
            call(value)
    with django_assert_num_queries(1):
        call("tbk_unknown")
