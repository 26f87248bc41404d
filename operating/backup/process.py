"""The process that makes one copy for operating/backup/daily.py. It ends with its parent, and says why it failed."""

import os
import sys
import threading

import django
from django.conf import settings

from core.outage import one_line


def end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    threading.Thread(target=end_with_parent, daemon=True).start()
    os.nice(10)
    django.setup()
    from operating.backup.kept import make_copy  # its models need the apps that were just set up

    try:
        if settings.BACKUPS:
            make_copy(settings.BACKUPS)
    except Exception as error:  # also what the database or the disk says
        sys.exit(one_line(error))


if __name__ == "__main__":
    main()
