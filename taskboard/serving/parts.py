"""One part of a service of several processes: it waits for its tables, collects its static files, and becomes its server."""

import os
import sys
from pathlib import Path

from django.conf import settings
from django.db import connection

from taskboard.config_file import notice
from taskboard.house import HERE
from taskboard.logs import tell
from taskboard.serving.data_folder import hold_data_folder
from taskboard.serving.readiness import wait_for_tables
from taskboard.serving.refusal import CannotStart
from taskboard.serving.static_files import prepare_static_files


def become(part: str, program: str, *arguments: str) -> None:
    """Replace this process by a program of this environment, which gets its signals. Raise CannotStart if it cannot serve."""
    tell(notice(settings.CONFIG_FILE))
    if not settings.REDIS_URL or not settings.POSTGRESQL:
        raise CannotStart(
            f"The part {part!r} needs DATABASE_URL of a PostgreSQL and REDIS_URL. Everything in one process is: serve"
        )
    wait_for_tables()
    connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's
    with hold_data_folder():
        prepare_static_files()
    sys.stderr.flush()
    os.chdir(HERE)  # both programs find modules in the folder that they are started in
    script = str(Path(sys.prefix, "bin", program))
    os.execv(script, [script, *arguments])  # noqa: S606  our own command
