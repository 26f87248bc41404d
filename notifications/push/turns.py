"""Note which notifications to push to which browser, in the transaction that makes them, so that a crash loses none."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef
from django_tasks import task

from jobs.clock import every
from notifications.models import Notification, PushBrowser, PushTurn, Way
from notifications.push.delivery import deliver, is_anything_due


def push_later(users: Iterable[UUID], since: datetime) -> None:
    """Have what these people were told since then pushed to their browsers, if they want so.

    Call it in the transaction that tells them. One statement where nobody among them has such a browser, four at most
    where somebody has, however many.
    """
    people = set(users)
    browsers = list(PushBrowser.objects.filter(user__in=people).values_list("pk", "user_id")) if people else []
    if not browsers:
        return
    wanted = Way.objects.filter(user=OuterRef("user"), kind=OuterRef("kind"), push=True)
    fresh = Notification.objects.filter(Exists(wanted), user__in={user for _pk, user in browsers}, told_at__gte=since)
    rows: dict[UUID, list[UUID]] = {}
    for pk, user in fresh.filter(read_at=None, later_until=None).order_by("told_at", "pk").values_list("pk", "user_id"):
        rows.setdefault(user, []).append(pk)
    turns = [
        PushTurn(browser_id=browser, notification_id=row, due_at=since)
        for browser, user in browsers
        for row in rows.get(user, ())
    ]
    if turns:
        unique = ["browser", "notification_id"]
        PushTurn.objects.bulk_create(turns, update_conflicts=True, unique_fields=unique, update_fields=["due_at"])
        send_pushes.enqueue()


@every(timedelta(seconds=30), "push", only_if=is_anything_due)  # what is tried again, and what a killed worker left
@task(tries=3, keep=timedelta(0))
def send_pushes() -> None:
    if deliver():
        send_pushes.enqueue()
