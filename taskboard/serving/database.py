"""Reach the database and bring it up to date before the service accepts requests."""

import time
from collections.abc import Iterator, Set
from contextlib import AbstractContextManager, contextmanager, nullcontext

from django.apps import apps
from django.core.management import call_command
from django.db import connection

from boards.word_index import keep_word_index
from core.outage import one_line
from taskboard.house import ROOMS
from taskboard.migration_names import Name, applied_migrations, known_migrations
from taskboard.serving.refusal import CannotStart, NotYet
from taskboard.version import VERSION

MIGRATING = 7_461_736  # key of the advisory lock: any number, the same in every process of this service
PATIENCE = 5  # seconds to wait for a database that does not answer


def prepare_database(meanwhile: AbstractContextManager[None] | None = None) -> None:
    """Apply the migrations that are missing, in the block `meanwhile`; raises CannotStart."""
    reach()
    try:
        with one_at_a_time():
            applied = applied_migrations()
            require_no_newer(applied)
            if known_migrations() - applied:
                with meanwhile or nullcontext():
                    call_command("migrate", interactive=False, verbosity=0)
            keep_word_index()  # SQLite may have been another one so far
    except CannotStart:
        raise
    except Exception as error:  # a migration may raise anything
        raise CannotStart(f"The database could not be brought up to date: {one_line(error)}") from error


def reach() -> None:
    """Connect once without the pool, which would retry for long before it reports the error; raise NotYet."""
    plain = connection.copy()
    options = {name: value for name, value in plain.settings_dict["OPTIONS"].items() if name != "pool"}
    if connection.vendor == "postgresql":
        options["connect_timeout"] = PATIENCE
    plain.settings_dict = {**plain.settings_dict, "OPTIONS": options}
    try:
        plain.connect()
    except Exception as error:  # wrong addresses raise more than the driver's own errors
        raise NotYet(unreachable(error)) from error
    plain.close()


def unreachable(error: Exception) -> str:
    if connection.vendor == "sqlite":
        name = connection.settings_dict["NAME"]
        return f"The database file {name} cannot be opened: {one_line(error)}. May this user write to its folder?"
    return f"The database that DATABASE_URL names cannot be reached. Is it running? {one_line(error)}"


def name_of_database() -> str:
    """Return what the operator knows the database by, without user and password."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"the SQLite database {given['NAME']}"
    place = given["HOST"] or given["OPTIONS"].get("host") or "this machine"
    return f"the PostgreSQL database {given['NAME']} on {place}" + (f", port {given['PORT']}" if given["PORT"] else "")


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let one process at a time migrate a PostgreSQL database; the others wait. SQLite is used by one process only."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        while not _ask(cursor, "SELECT pg_try_advisory_lock(%s)"):
            time.sleep(0.2)
        try:
            yield
        finally:
            _ask(cursor, "SELECT pg_advisory_unlock(%s)")


def _ask(cursor, statement: str) -> bool:  # type: ignore[no-untyped-def]
    cursor.execute(statement, [MIGRATING])
    return bool(cursor.fetchone()[0])


def require_no_newer(applied: Set[Name]) -> None:
    """Raise CannotStart for a database of a newer version: this one must not write to tables that it does not know."""
    ours = {config.label for config in apps.get_app_configs() if config.name.partition(".")[0] in ROOMS}
    newer = sorted(f"{app}.{name}" for app, name in applied - known_migrations() if app in ours)
    if newer:
        raise CannotStart(
            f"The database belongs to a newer version of Taskboard: it has {newer[-1]}, which this version, {VERSION}, does not "
            "know. Nothing was changed. Start the newer version again, or restore the backup from before it."
        )
