"""One process at a time prepares a data folder; without Redis one process at a time uses it."""

import fcntl
from typing import IO

from django.conf import settings

from taskboard.serving.refusal import CannotStart


def hold_data_folder() -> IO[str]:
    """A lock that lasts until the file is closed or the process ends, however it ends; raises CannotStart.

    Without Redis live updates and limits live in the memory of one process, so a second one is turned away. With it a
    second one waits until the first has prepared database and static files, and lets go then.
    """
    try:
        settings.DATA.mkdir(parents=True, exist_ok=True)
        lock = (settings.DATA / "serve.lock").open("w")
    except OSError as error:
        raise CannotStart(f"The data folder {settings.DATA} cannot be written to: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if settings.REDIS_URL else fcntl.LOCK_NB))
    except BlockingIOError as error:
        lock.close()
        raise CannotStart(
            f"The service is running already on the data folder {settings.DATA}. Stop it first, "
            "or set TASKBOARD_DATA to another folder. For several processes see docs/running.md."
        ) from error
    return lock
