"""Cap how often an account may do something in a time. The uses are rows, so nothing but time makes room."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from boards.models import Counted, Use

if TYPE_CHECKING:
    from accounts.models import User

HOUR, DAY = timedelta(hours=1), timedelta(days=1)  # uses older than a day are tidied away


def is_used_up(account: "User", what: Counted, most: Mapping[timedelta, int]) -> timedelta | None:
    """Return the first of these times in which the account has done this as often as it may; None if there is none.

    The account must be locked until `use` is called, or parallel calls could exceed the numbers.
    """
    now, uses = timezone.now(), Use.objects.filter(user=account, what=what)
    return next((time for time, number in most.items() if uses.filter(at__gt=now - time).count() >= number), None)


def use(account: "User", what: Counted) -> None:
    Use.objects.create(user=account, what=what)
