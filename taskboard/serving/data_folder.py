"""Only one process at a time prepares a data folder. Without Redis only one process at a time uses it."""

import fcntl
from typing import IO

from django.conf import settings

from taskboard.serving.refusal import CannotStart


def hold_data_folder() -> IO[str]:
    """Return the lock file of the data folder, locked until it is closed or the process ends in any way.

    Without Redis live updates and limits are in the memory of one process, so a second process is refused: raises
    CannotStart. With Redis a second process waits until the first has prepared database and static files.
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
