"""Measure what telling many followers costs, on PostgreSQL and on SQLite, in one process and without HTTP.

.venv/bin/python -m benchmarks.notifications [followers] [changes]

A board that everybody follows is changed, on a card each time; then the follower tells them, at once and in the batches that
a worker would see while the changes come in. Then the reminders of as many cards as there were changes.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from benchmarks import servers
from benchmarks.export import embedded_database

BATCH = 10  # changes, when they come in one after another


@contextmanager
def measured(what: str) -> Iterator[None]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    wall, cpu = time.perf_counter(), time.process_time()
    with CaptureQueriesContext(connection) as captured:
        yield
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"  {what:44} {wall:7.2f} s, {cpu:.2f} s of this process, {len(captured)} statements", flush=True)


def measure(followers: int, changes: int) -> None:
    import django

    django.setup()
    from django.db import transaction
    from django.utils import timezone

    from accounts.models import User
    from boards.actions.boards.board import create_board
    from boards.actions.cards.card import create_card, update_card
    from boards.actor import Actor
    from boards.models import Activity, Board, Membership
    from notifications.events.follower import tell_changes
    from notifications.models import Burst, Follow, Level, Notification, ReminderClock
    from notifications.reminders.reminders import remind

    olga = User.objects.create_user("olga@example.com", plan_id="pro")
    board = create_board(actor=Actor(olga), title="Launch", template="kanban")
    cards = [
        create_card(actor=Actor(olga), list_id=board.lists.first().pk, title=f"Card {number}")
        for number in range(changes)
    ]
    people = User.objects.bulk_create(User(email=f"p{number}@example.com") for number in range(followers))
    Membership.objects.bulk_create(Membership(board=board, user=user, role="viewer") for user in people)
    Follow.objects.bulk_create(
        Follow(user=user, board_id=board.pk, level=Level.BOARD, subject_id=board.pk, chose="follow") for user in people
    )
    version = Board.objects.get(pk=board.pk).version
    due = timezone.now() + timedelta(hours=1)
    with measured(f"{changes} changes"):
        for card in cards:
            update_card(actor=Actor(olga), card_id=card.pk, due_at=due)
    found = list(Activity.objects.filter(board=board, version__gt=version).order_by("version"))
    for size in (changes, BATCH):
        Notification.objects.all().delete()
        Burst.objects.all().delete()
        with measured(f"{followers} followers told, {size} changes a batch"):
            for start in range(0, changes, size):
                with transaction.atomic():
                    tell_changes(board.pk, found[start : start + size])
        print(f"    {Notification.objects.count()} rows")
    ReminderClock.objects.update_or_create(name="due", defaults={"at": due - timedelta(days=1, minutes=1)})
    Notification.objects.all().delete()
    with measured(f"{followers} followers reminded of {changes} cards"):
        remind.func()
    print(f"    {Notification.objects.count()} rows")


def main(amounts: list[int]) -> None:
    for kind in ("PostgreSQL", "SQLite"):  # each with settings of its own, so in a process of its own
        print(kind, flush=True)
        command = [sys.executable, "-m", "benchmarks.notifications", *map(str, amounts), kind]
        subprocess.run(command, cwd=servers.ROOT, check=True, env=os.environ)


if __name__ == "__main__":
    amounts = [int(number) for number in sys.argv[1:3]] + [10_000, 100][len(sys.argv[1:3]) :]
    if len(sys.argv) > 3:
        with servers.database() if sys.argv[3] == "PostgreSQL" else embedded_database():
            measure(*amounts)
    else:
        main(amounts)
