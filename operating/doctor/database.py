from collections.abc import Iterator
from datetime import timedelta

from django.db import connection
from django.utils import timezone

from core.text.sizes import size_in_words
from jobs.queue import Queue
from operating.admin.overview import database_size
from operating.doctor.finding import Finding, note, ok, wrong
from taskboard.migration_names import applied_migrations, known_migrations
from taskboard.serving.database import reach, require_no_newer
from taskboard.serving.refusal import CannotStart

OLDEST = 140_000  # PostgreSQL 14
LATE = timedelta(minutes=10)  # that is more than a restart takes


def check_database() -> Iterator[Finding]:
    try:
        reach()
    except CannotStart as error:
        yield wrong(str(error), "Start it, or mend DATABASE_URL. Checks of the database were left out.")
        return
    applied = applied_migrations()
    try:
        require_no_newer(applied)
    except CannotStart as error:
        yield wrong(str(error), "Until then nothing starts.")
        return
    missing = known_migrations() - applied
    yield from check_sqlite() if connection.vendor == "sqlite" else check_postgresql()
    if missing:
        yield wrong(
            f"{len(missing)} migrations are missing.", "Run bin/manage migrate, or start bin/serve, which does."
        )


def check_sqlite() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        if (mode := cursor.fetchone()[0]) != "wal":
            yield wrong(
                f"SQLite's journal mode is {mode} and not wal: readers wait for writers.",
                "Keep the data folder on a local disk: network file systems have no wal.",
            )
        cursor.execute("PRAGMA integrity_check(3)")
        found = [row[0] for row in cursor.fetchall()]
    if found != ["ok"]:
        yield wrong(
            f"The database file is damaged: {'; '.join(found)}.", "Stop the service and restore the newest backup."
        )
    else:
        yield ok(f"The SQLite database is intact, {size_in_words(database_size())}.")


def check_postgresql() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        version = int(cursor.fetchone()[0])
    if version < OLDEST:
        yield wrong(f"PostgreSQL is version {version // 10_000}.", "Upgrade it to 14 or newer.")
    else:
        yield ok(f"PostgreSQL {version // 10_000} answers, {size_in_words(database_size())}.")


def check_work() -> Iterator[Finding]:
    queue = Queue.now()
    if queue.overdue_since and timezone.now() - queue.overdue_since > LATE:
        yield wrong(
            f"Work has been waiting since {queue.overdue_since:%Y-%m-%d %H:%M} UTC: mails, reminders, tidying.",
            "Start bin/serve, which has a worker inside, or bin/manage worker.",
        )
    elif queue.last_turn is None:
        yield note(
            "No periodic task has run yet: a worker begins with them after its first minutes.",
            "bin/serve has a worker inside; with several processes start bin/manage worker.",
        )
    else:
        yield ok(f"A worker works: the last periodic task began {queue.last_turn:%Y-%m-%d %H:%M} UTC.")
    if queue.given_up:
        yield note(
            f"{queue.given_up} tasks were given up in the last 30 days.",
            "See Tasks in the admin; they can be tried again.",
        )
    if queue.failing:
        yield wrong(
            f"The history of {queue.failing} boards cannot be followed.",
            "See Follower cursors in the admin, and the log.",
        )
