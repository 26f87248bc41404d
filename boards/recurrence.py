"""The due dates of recurring cards."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta
from django.db import models
from django.utils.translation import gettext_lazy as _


class Recurrence(models.TextChoices):
    DAILY = "daily", _("Daily")
    WEEKLY = "weekly", _("Weekly")
    BIWEEKLY = "biweekly", _("Every two weeks")
    MONTHLY = "monthly", _("Monthly")
    YEARLY = "yearly", _("Yearly")


STEPS = {
    Recurrence.DAILY: relativedelta(days=1),
    Recurrence.WEEKLY: relativedelta(weeks=1),
    Recurrence.BIWEEKLY: relativedelta(weeks=2),
    Recurrence.MONTHLY: relativedelta(months=1),
    Recurrence.YEARLY: relativedelta(years=1),
}
UTC_ZONE = ZoneInfo("UTC")
MEAN_YEAR = timedelta(days=365.2425)
MEAN_LENGTHS = {
    Recurrence.DAILY: timedelta(days=1),
    Recurrence.WEEKLY: timedelta(weeks=1),
    Recurrence.BIWEEKLY: timedelta(weeks=2),
    Recurrence.MONTHLY: MEAN_YEAR / 12,
    Recurrence.YEARLY: MEAN_YEAR,
}


def next_due(rule: Recurrence, anchor: datetime, due: datetime, after: datetime, zone: ZoneInfo) -> datetime | None:
    """Return the first time of the series, in UTC, that is later than both `due` and `after`.

    Returns None when that would be after the year 9999. The series is `anchor` plus any whole number of steps, counted
    in the local time of `zone`: it keeps its local time when the clocks change, and its 31st (or February 29) after a
    shorter month. A local time that the clocks skip moves forward by the gap; of one that occurs twice, the first is
    taken.
    """
    limit = max(due, after)
    if anchor > limit:
        return anchor.astimezone(UTC)
    # Start from an estimate: the series never deviates from its mean by a whole step, so the loop runs a few times
    # only.
    number = max(1, (limit - anchor) // MEAN_LENGTHS[rule] - 1)
    try:
        first = anchor.astimezone(zone).replace(tzinfo=None, fold=0)
        while (moment := _moment(first + STEPS[rule] * number, zone)) <= limit:
            number += 1
    except (ValueError, OverflowError):  # after the year 9999 dateutil raises the former, datetime the latter
        return None
    return moment


def next_day(rule: Recurrence, anchor: datetime, due: date, today: date) -> date | None:
    """Return the first day of a series of whole days that is later than `due` and not before `today`.

    `anchor` is the `day_anchor` of the first day. No time zone has a part in this.
    """
    found = next_due(rule, anchor, day_anchor(due), day_anchor(today) - timedelta(days=1), UTC_ZONE)
    return found.date() if found else None


def day_anchor(day: date) -> datetime:
    """Return the moment that stands for a whole day as the anchor of a series."""
    return datetime.combine(day, time(), UTC)


def _moment(wall: datetime, zone: ZoneInfo) -> datetime:
    return wall.replace(tzinfo=zone).astimezone(UTC)
