"""Only one process at a time prepares a data folder. Without Redis only one process at a time uses it."""

import fcntl
from typing import IO

from django.conf import settings

from taskboard.serving.refusal import CannotStart

LOCK = "serve.lock"  # holds the address of the service while it is locked


def hold_data_folder() -> IO[str]:
    """Return the lock file of the data folder, locked until it is closed or the process ends in any way.

    Without Redis live updates and limits are in the memory of one process, so a second process is refused: raises
    CannotStart, which says whether a service or a command is in the way. With Redis a second process waits until the first has
    prepared database and static files.
    """
    try:
        settings.DATA.mkdir(parents=True, exist_ok=True)
        lock = (settings.DATA / LOCK).open("a+")
    except OSError as error:
        raise CannotStart(f"The data folder {settings.DATA} cannot be written to: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if settings.REDIS_URL else fcntl.LOCK_NB))
    except BlockingIOError as error:
        lock.close()
        raise CannotStart(what_holds_it()) from error
    lock.truncate(0)
    return lock


def what_holds_it() -> str:
    """Say what holds the data folder, and what to do: a service leaves its address there, a command does not."""
    if (settings.DATA / LOCK).read_text():
        return (
            f"The service is running already on the data folder {settings.DATA}. Stop it first, "
            "or set TASKBOARD_DATA to another folder. For several processes see docs/running/growing.md."
        )
    return (
        f"A command prepares the data folder {settings.DATA}. Try again when it has ended, "
        "or set TASKBOARD_DATA to another folder."
    )


def leave_address(lock: IO[str]) -> None:
    """Say in the data folder where the service is, for commands that print its address."""
    lock.write(settings.BASE_URL)
    lock.flush()


def address_of_the_service() -> str:
    """Return where the service that holds this data folder is; without one, where it would be by the settings."""
    try:
        with (settings.DATA / LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return (settings.DATA / LOCK).read_text() or settings.BASE_URL
    except OSError:
        pass
    return str(settings.BASE_URL)
