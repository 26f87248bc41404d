"""When a recurring card is due again."""

from datetime import UTC, datetime, timedelta
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
MEAN_YEAR = timedelta(days=365.2425)
MEAN_LENGTHS = {
    Recurrence.DAILY: timedelta(days=1),
    Recurrence.WEEKLY: timedelta(weeks=1),
    Recurrence.BIWEEKLY: timedelta(weeks=2),
    Recurrence.MONTHLY: MEAN_YEAR / 12,
    Recurrence.YEARLY: MEAN_YEAR,
}


def next_due(rule: Recurrence, anchor: datetime, due: datetime, after: datetime, zone: ZoneInfo) -> datetime | None:
    """The first moment of the series, in UTC, later than both `due` and `after`; None when year 9999 ends before it.

    The series is `anchor` and every whole number of steps after it, counted on the clocks of `zone`: it keeps its
    wall time when they change, and the 31st (or February 29) where a month between was shorter. A wall time that the
    clocks skip moves forward by the gap, one that comes twice is the first.
    """
    limit = max(due, after)
    if anchor > limit:
        return anchor.astimezone(UTC)
    # No step strays from the mean by as much as one step, so the answer is this one or one of the next few.
    number = max(1, (limit - anchor) // MEAN_LENGTHS[rule] - 1)
    try:
        first = anchor.astimezone(zone).replace(tzinfo=None, fold=0)
        while (moment := _moment(first + STEPS[rule] * number, zone)) <= limit:
            number += 1
    except (ValueError, OverflowError):  # dateutil raises the one, datetime the other
        return None
    return moment


def _moment(wall: datetime, zone: ZoneInfo) -> datetime:
    return wall.replace(tzinfo=zone).astimezone(UTC)
