"""The migration that makes whole days of due dates which a bare date had set."""

from datetime import UTC, date, datetime
from importlib import import_module

from django.apps import apps

from accounts.models import User
from boards.actions.cards.card import create_card
from boards.models import Card
from conftest import web

migration = import_module("boards.migrations.0011_whole_days")
END_IN_TOKYO = datetime(2026, 12, 1, 14, 59, 59, tzinfo=UTC)


def migrated(user, todo, **fields):
    card = create_card(actor=web(user), list_id=todo.pk, title="Old", **fields)
    migration.mark(apps, None)
    return Card.objects.get(pk=card.pk)


def test_the_last_second_of_a_day_for_who_made_the_card_becomes_that_day(todo, ed):
    User.objects.filter(pk=ed.pk).update(time_zone="Asia/Tokyo")
    card = migrated(ed, todo, due_at=END_IN_TOKYO, recurrence="weekly")
    assert (card.due_day, card.due_at) == (date(2026, 12, 1), END_IN_TOKYO)
    assert card.recurrence_anchor == datetime(2026, 12, 1, tzinfo=UTC)


def test_any_other_time_stays_a_moment(todo, ed):
    for due_at in (END_IN_TOKYO, END_IN_TOKYO.replace(hour=23, second=0), None):
        assert migrated(ed, todo, due_at=due_at).due_day is None
