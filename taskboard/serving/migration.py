"""Migrate in a process of its own, whose memory is free again afterwards."""

import os
import subprocess
import sys
import threading

import django
from django.conf import settings
from django.core.management import call_command

from core.outage import one_line

COMMAND = [sys.executable, "-m", "taskboard.serving.migration"]


class Failed(Exception):
    """The migrations failed, with this error message."""


def migrate() -> None:
    """Apply the migrations that are missing; raise Failed.

    The process does not hear Ctrl-C. It ends with this one, however that ends, as it then reads the end of its input.
    """
    process = subprocess.Popen(  # noqa: S603  our own command
        COMMAND, cwd=settings.BASE_DIR, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    with process:
        try:
            said = process.stderr.read()  # type: ignore[union-attr]  # it is a pipe
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        lines = said.splitlines() or [f"the process that migrates ended with {process.returncode}"]
        raise Failed(lines[-1])
    sys.stderr.write(said)


def end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    threading.Thread(target=end_with_parent, daemon=True).start()
    django.setup()
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except Exception as error:  # a migration may raise anything
        sys.exit(one_line(error))


if __name__ == "__main__":
    main()
