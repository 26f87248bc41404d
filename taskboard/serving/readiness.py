"""Checks before a process answers requests or runs a command that does not prepare the service itself."""

import logging
import os
import sys
import time
from typing import NoReturn

import django
from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from core.outage import AWAY, one_line
from core.text.command_lines import for_this_installation
from taskboard.config_file import notice
from taskboard.house import HERE, ROOMS
from taskboard.logs import tell
from taskboard.migration_names import applied_migrations, known_migrations
from taskboard.serving.data_folder import hold_data_folder
from taskboard.serving.database import name_of_database, prepare_database, reach, require_no_newer
from taskboard.serving.refusal import CannotStart, NotYet

BOOT_FAILED = 3  # gunicorn gives up on this exit code, where it would start a worker anew on others
WITHOUT_TABLES = {  # our commands that need none, and why
    "backup": "it saves what is there and makes nothing",
    "doctor": "it says what is missing",
    "mcpdocs": "it writes the docs from the code",
    "migrate": "it makes them",
    "restore": "it makes those of the backup",
    "sendtestemail": "it asks the mail server alone",
    "serve": "it makes them",
    "live": "it waits for them",
    "web": "it waits for them",
}
OWN_COMMANDS = frozenset(path.stem for room in ROOMS for path in HERE.glob(f"{room}/management/commands/[!_]*.py"))
COMMANDS = OWN_COMMANDS - WITHOUT_TABLES.keys()  # those that read or write tables
WORKERS = ("work", "worker")
SERVICES = (*WORKERS, "live", "serve", "web")  # they run until they are stopped, so what they say belongs to the log
PATIENCE = 60.0  # seconds that a process waits for the one that migrates

log = logging.getLogger(__name__)


def set_up() -> None:
    """Load the settings and the apps if nobody has; end the process with a sentence if it cannot run.

    bin/serve has loaded them. A second time would give each logger its filters twice, and of two that count lines the
    second would drop what the first lets through.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")
    try:
        if not apps.ready:
            django.setup(set_prefix=False)
            tell(notice(settings.CONFIG_FILE))
        require_ready()
    except (ImproperlyConfigured, CannotStart) as error:
        refuse(str(error))


def refuse(sentence: str, code: int = BOOT_FAILED) -> NoReturn:
    """End the process with a sentence, in the form of the log if the settings could be read."""
    if apps.ready:
        tell(f"{sentence}\n", logging.CRITICAL)
    else:
        sys.stderr.write(f"{sentence}\n")
        sys.stderr.flush()
    sys.exit(code)


def require_ready() -> None:
    """Raise CannotStart without tables or static files of this version. A database that is away may come back: go on."""
    if not settings.DEBUG and not static_files_are_collected():
        raise CannotStart(
            for_this_installation(
                f"The static files are not in {settings.STATIC_ROOT}. Run bin/manage collectstatic --noinput first."
            )
        )
    try:
        require_migrated()
    except AWAY as error:
        log.warning("the tables could not be checked: %s", one_line(error))
    finally:
        connection.close()
        if settings.POSTGRESQL:
            connection.close_pool()  # type: ignore[attr-defined]  # gunicorn forks after this, and a fork has none of the pool's threads


def static_files_are_collected() -> bool:
    """Tell whether they were there when this process started, for that is when it reads their names."""
    return not isinstance(staticfiles_storage, ManifestFilesMixin) or bool(staticfiles_storage.hashed_files)


def require_migrated() -> None:
    """Raise CannotStart unless the database has exactly the tables that this version needs, or more of a package's."""
    applied = applied_migrations()
    require_no_newer(applied)
    if known_migrations() - applied:
        raise NotYet(
            for_this_installation("The database does not have this version's tables yet. Run bin/manage migrate first.")
        )


def wait_for_tables() -> None:
    """Return when the database answers and has the tables of this version: one of several containers makes them.

    Raise CannotStart after PATIENCE seconds, and at once for a newer database.
    """
    deadline = time.monotonic() + PATIENCE
    said = ""
    while True:
        try:
            reach()
            return require_migrated()
        except NotYet as error:
            if time.monotonic() > deadline:
                raise
            if str(error) != said:
                said = str(error)
                tell(f"{said} Waiting for that, at most {PATIENCE:.0f} seconds ...\n")
        finally:
            connection.close()
        time.sleep(0.5)


def tell_settings(command: str) -> None:
    """Have a service name its file of settings, and a command the database that it writes to: it may be another than the service's."""
    if command in WORKERS:
        tell(notice(settings.CONFIG_FILE))
    elif command != "export":
        sys.stderr.write(f"Working on {name_of_database()}.\n")


def require_tables(command: str) -> None:
    """Raise CannotStart where a command would not find its tables. A SQLite database that nobody serves gets them now.

    A worker may start before its database, as systems begin their services in any order.
    """
    try:
        reach()
    except CannotStart:
        if command in WORKERS:
            return None
        raise
    try:
        require_migrated()
    except CannotStart:
        if connection.vendor != "sqlite":
            if command not in WORKERS:
                raise
            return wait_for_tables()
        with hold_data_folder():
            prepare_database()
