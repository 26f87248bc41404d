"""Runs database work in threads, away from the event loop. A thread holds a connection only while it works.

asgiref's sync_to_async would run the work of all sockets in one thread.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections

from core.outage import Outage, one_line

LOST = (OperationalError, InterfaceError)  # what the database raises when it is away

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)
outage = Outage()  # of the database, as live pages of this process see it


class Threads:
    """A few threads. When the database fails one piece of work, all that wait fail with it.

    Why not let each find out by itself: it would wait for the database as long as settings allow, a few at a time, and
    the last of many pages would hear minutes later that it should come back.
    """

    def __init__(self, number: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(number, thread_name_prefix=name)
        self._failure: tuple[float, Exception] | None = None  # when, on the monotonic clock

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        asked = time.monotonic()

        def work() -> T:
            if self._failure is not None and self._failure[0] > asked:
                raise OperationalError(str(self._failure[1]))
            close_old_connections()
            try:
                done = function(*args, **kwargs)
            except LOST as error:
                self._failure = time.monotonic(), error
                if outage.begin():
                    log.warning("live pages are closed, and come back when the database answers: %s", one_line(error))
                raise
            else:
                outage.end()
                return done
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._executor, work)


# After a restart every socket checks access at once. Reading what changed has threads of its own, so that it never
# waits behind those checks.
CHECKING = Threads(2, "live-checking")
READING = Threads(2, "live-reading")
