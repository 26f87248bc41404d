"""The hourly tidy of `bin/serve`, in a thread of its own that never keeps the process from ending."""

import logging
import threading
import time

from django.db import connection

from taskboard.tidying import tidy

log = logging.getLogger(__name__)
FIRST = 5 * 60  # seconds after the start
EVERY = 60 * 60


def start_housekeeping() -> None:
    threading.Thread(target=keep_tidy, name="housekeeping", daemon=True).start()


def keep_tidy() -> None:
    pause = FIRST
    while True:
        time.sleep(pause)
        tidy_once()
        pause = EVERY


def tidy_once() -> None:
    """A failure is logged and tried again an hour later; the connection is not kept meanwhile."""
    try:
        tidy()
    except Exception:
        log.exception("tidying failed; it is tried again in an hour")
    finally:
        connection.close()
