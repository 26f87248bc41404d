from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import ApiToken
from accounts.tokens import create_token, reserve_slot, revoke_token
from boards.actions.cards.card import create_card
from boards.actor import Actor
from boards.models import Activity
from boards.models.verbs import Door
from operating.tidying import tidy


def ago(days: int):
    return timezone.now() - timedelta(days=days)


@pytest.fixture
def olga(olga):
    olga.plan_id = "pro"
    olga.save()
    return olga


def test_tokens_are_kept_for_ninety_days_after_they_were_revoked(olga):
    for days in (89, 91):
        token, _value = create_token(olga, f"revoked {days} days ago")
        revoke_token(token)
        ApiToken.objects.filter(pk=token.pk).update(revoked_at=ago(days))
    create_token(olga, "expired long ago", expires_at=ago(400))
    create_token(olga, "live")
    reserve_slot(olga, "waiting", timezone.now() + timedelta(minutes=10))
    reserve_slot(olga, "never fetched", ago(91))
    assert tidy()["API tokens"] == 2
    assert {token.name for token in ApiToken.objects.all()} == {
        "revoked 89 days ago",
        "expired long ago",
        "live",
        "waiting",
    }


def test_the_history_names_a_token_that_is_gone(olga, todo):
    token, _value = create_token(olga, "nightly report")
    create_card(actor=Actor(olga, Door.API, token.pk, token.name), list_id=todo.pk, title="Weather")
    revoke_token(token)
    ApiToken.objects.update(revoked_at=ago(91))
    tidy()
    assert not ApiToken.objects.exists()
    assert Activity.objects.filter(token_name="nightly report").count() == 1
