"""Word reminders that are told late, as in a daily mail: a card due tomorrow may be due today by then."""

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from accounts.models import User
from boards.models import Card
from core.text.dates import local_time
from notifications.concerned import reminding
from notifications.kinds import Kind
from notifications.models import Notification

# Sentences that are wrong a quarter of an hour later, and how long before the due date they are right
SOON: Final = {"hour": timedelta(hours=1), "minutes": timedelta(minutes=10)}
FRESH = timedelta(minutes=12)


def still_due(user: User, rows: list[Notification]) -> list[Notification]:
    """Return the user's rows without reminders of cards that are done, archived (also with their list or board), have
    another date, or do not concern the user any more, the others in words that are right now.

    One statement, if there are reminders. The active time zone is that of the user.
    """
    ids = {row.card_id for row in rows if row.kind == Kind.DUE}
    open_ones = Card.objects.filter(archived_at=None, list__archived_at=None, board__archived_at=None)
    cards = open_ones.filter(reminding(user)).in_bulk([pk for pk in ids if pk]) if ids else {}
    return [row for row in rows if row.kind != Kind.DUE or _says_when(row, cards.get(row.card_id))]  # type: ignore[arg-type]


def _says_when(row: Notification, card: Card | None) -> bool:
    """Set what the sentence says; return False if there is nothing to say any more."""
    if card is None or card.due_at is None or card.completed_at:
        return False
    now = timezone.now()
    when, told = when_due(card, now), row.data.get("when", "")
    if when == "morning" and told in SOON and row.told_at >= now - FRESH and card.due_at <= row.told_at + SOON[told]:
        when = told
    if not when:
        return False
    row.data = {**row.data, "when": when}
    return True


def when_due(card: Card, moment: datetime) -> str:
    """Return what is right to say of the card at this moment; "" if it has no due date, or is due after the next day."""
    if card.due_at is None:
        return ""
    today = timezone.localdate(moment)
    day = card.due_day or local_time(card.due_at).date()
    if day < today or (card.due_day is None and card.due_at <= moment):
        return "due"
    return {today: "morning", today + timedelta(days=1): "day"}.get(day, "")
