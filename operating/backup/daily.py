"""The clock's part of kept copies: a process of its own makes each, as its memory is not given back otherwise."""

import os
import subprocess
import sys
from datetime import timedelta

from django.conf import settings
from django_tasks import task

from jobs.clock import every
from operating.backup.kept import is_copy_due
from operating.backup.trouble import BackupTrouble

COMMAND = [sys.executable, "-P", "-m", "operating.backup.process"]


def are_kept() -> bool:
    """Tell whether copies are made, without a look into the folder: a network disk that hangs must not hold up the clock."""
    return bool(settings.BACKUPS)


@every(timedelta(hours=1), "kept backups", only_if=are_kept)
@task(tries=1, keep=timedelta(0))
def keep_copy() -> None:
    """Raise BackupTrouble, which is logged, and seen by bin/manage doctor; the next hour tries again."""
    if not is_copy_due():
        return
    # In the folder of this process, as settings may name others relative to it
    modules = os.pathsep.join(filter(None, [str(settings.BASE_DIR), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": modules}
    process = subprocess.Popen(  # noqa: S603  our own command
        COMMAND, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    with process:
        said = process.stderr.read()  # type: ignore[union-attr]  # it is a pipe
    if process.returncode:
        raise BackupTrouble((said.splitlines() or [f"the process that copies ended with {process.returncode}"])[-1])
