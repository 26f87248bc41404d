"""Runs database work in threads, away from the event loop. A thread holds a connection only while it works.

asgiref's sync_to_async would run the work of all sockets in one thread.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")

# After a restart every socket checks access at once. Reading what changed has threads of its own, so that it never
# waits behind those checks.
CHECKING = ThreadPoolExecutor(2, thread_name_prefix="live-checking")
READING = ThreadPoolExecutor(2, thread_name_prefix="live-reading")


async def in_thread(executor: Executor, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    def work() -> T:
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(executor, work)
