"""Give started servers what a first start makes: a migrated database and collected static files.

Both are made once for a run of the tests, in a folder that all workers share. It is new for each run and removed at the
end, so nothing in it can be older than the code. The first worker that needs a part makes it while the others wait.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from taskboard.tests.servers import ROOT, bare_environment, create_database, drop_database, on_postgresql, same_services

FOLDER = "PYTEST_TASKBOARD_PREPARED"  # the environment variable that tells the workers where the folder is
FIRST_START = """
import django
django.setup()
from django.db import connection
from taskboard.serving.database import prepare_database
from taskboard.serving.static_files import prepare_static_files
prepare_database()
connection.close()
prepare_static_files()
"""


def begin_run() -> None:
    os.environ[FOLDER] = tempfile.mkdtemp(prefix="taskboard-prepared-")


def end_run() -> None:
    folder = Path(os.environ.pop(FOLDER))
    if (template := folder / "template").exists():
        drop_database(template.read_text())
    shutil.rmtree(folder, ignore_errors=True)


def prepared_data(data: Path) -> Path:
    """Make `data` the folder that a first start on SQLite leaves. The database is a copy, the static files are shared."""
    made = made_data()
    data.mkdir(exist_ok=True)
    shutil.copy(made / "taskboard.sqlite3", data)
    for name in ("static", "static.collected"):
        (data / name).symlink_to(made / name)
    return data


def prepared_static_files() -> Path:
    return made_data() / "static"


def prepared_services() -> AbstractContextManager[dict[str, str]]:
    """Like `same_services`, but a PostgreSQL database is migrated already; the SQLite one comes with `prepared_data`."""
    return same_services(made_template() if on_postgresql() else None)


def made_data() -> Path:
    with in_turn() as folder:
        data = folder / "data"
        if not data.exists():
            start_for_the_first_time(TASKBOARD_DATA=str(folder / "unfinished"))
            (folder / "unfinished").rename(data)
    return data


def made_template() -> str:
    """Return the name of the PostgreSQL database that the others are copied from."""
    data = made_data()
    with in_turn() as folder:
        template = folder / "template"
        if not template.exists():
            name, address = create_database()
            try:
                start_for_the_first_time(TASKBOARD_DATA=str(data), DATABASE_URL=address)
            except BaseException:
                drop_database(name)
                raise
            template.write_text(name)
    return template.read_text()


@contextmanager
def in_turn() -> Iterator[Path]:
    folder = Path(os.environ[FOLDER])
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def start_for_the_first_time(**environment: str) -> None:
    surroundings = bare_environment() | environment | {"DJANGO_SETTINGS_MODULE": "taskboard.settings"}
    subprocess.run([sys.executable, "-c", FIRST_START], cwd=ROOT, env=surroundings, check=True)
