"""Database work beside the event loop: in threads, each of which has a connection while it works."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")

LOOKING = ThreadPoolExecutor(2, thread_name_prefix="live-looking")  # who may stay; many at once after a restart
READING = ThreadPoolExecutor(2, thread_name_prefix="live-reading")  # what has changed; never waits behind the others


async def in_thread(executor: Executor, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    def work() -> T:
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(executor, work)
