"""Subscribe to groups at Redis from an event loop: one connection per process, reconnected whenever it is lost.

Why not simply `PubSub.listen()`: the hub has to know when Redis has confirmed a subscription, as messages before that
are lost, and a connection that was dropped silently has to be noticed. Until it is, the pages of this process get no
hints and catch up only with their checks every 30 seconds.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Lost

from core.bus.publisher import PREFIX

RETRY_AFTER = 1.0  # seconds
PING_EVERY = 15.0  # seconds; keeps proxies from closing an idle connection
SILENT_FOR = 40.0  # seconds without any data, not even the answer to a ping: the connection is dead

log = logging.getLogger(__name__)


class Subscriber:
    """Calls `heard(group, message)` for each message, and `heard(group, None)` when Redis confirms a subscription.

    Redis confirms again after each reconnection, so `None` also stands for every message that was lost in between.
    """

    def __init__(self, url: str, heard: Callable[[str, dict[str, Any] | None], None]) -> None:
        self._url, self._heard = url, heard
        self._groups: set[str] = set()
        self._changed = asyncio.Event()
        self._lost = False
        self._task = asyncio.get_running_loop().create_task(self._run())

    def join(self, group: str) -> None:
        self._groups.add(group)
        self._changed.set()

    def leave(self, group: str) -> None:
        self._groups.discard(group)
        self._changed.set()

    async def _run(self) -> None:
        """Connect again and again until the task is cancelled.

        Each connection is a task of its own: the error that cutting it off may end with would hide the cancellation.
        """
        while True:
            connection = asyncio.create_task(self._connected())
            connection.add_done_callback(_take_error)
            try:
                await asyncio.wait([connection])
            finally:
                connection.cancel()
            error = connection.exception()
            if error is not None:
                self._say_lost(error.exceptions[0] if isinstance(error, ExceptionGroup) else error)
            await asyncio.sleep(RETRY_AFTER)

    async def _connected(self) -> None:
        """Connect, subscribe and receive; raise an ExceptionGroup when the connection is lost."""
        async with Redis.from_url(self._url, retry=Retry(NoBackoff(), 0)) as redis, redis.pubsub() as pubsub:
            await pubsub.connect()
            self._say_back()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._keep_joined(pubsub))
                tasks.create_task(self._keep_listening(pubsub))

    def _say_lost(self, error: BaseException) -> None:
        if not self._lost:
            log.warning("no live hints are heard until Redis answers again: %s", error)
        self._lost = True

    def _say_back(self) -> None:
        if self._lost:
            log.warning("Redis answers again; live hints are heard")
        self._lost = False

    async def _keep_joined(self, pubsub: PubSub) -> None:
        joined: set[str] = set()
        while True:
            self._changed.clear()
            wanted = set(self._groups)
            if new := wanted - joined:
                await pubsub.subscribe(*(PREFIX + group for group in new))
            if old := joined - wanted:
                await pubsub.unsubscribe(*(PREFIX + group for group in old))
            joined = wanted
            try:
                async with asyncio.timeout(PING_EVERY):
                    await self._changed.wait()
            except TimeoutError:
                await pubsub.ping()

    async def _keep_listening(self, pubsub: PubSub) -> None:
        while True:
            message = await pubsub.get_message(timeout=SILENT_FOR)
            if message is None:
                raise Lost("it has fallen silent")
            group = _text(message["channel"]).removeprefix(PREFIX)
            if message["type"] == "subscribe":
                self._heard(group, None)
            elif message["type"] == "message":
                with contextlib.suppress(ValueError):  # not published by us
                    self._heard(group, json.loads(message["data"]))


def _take_error(connection: "asyncio.Task[None]") -> None:
    """Keep asyncio from logging the error with which a connection ended when nobody waits for it any more."""
    if not connection.cancelled():
        connection.exception()


def _text(name: bytes | str | None) -> str:
    return name.decode() if isinstance(name, bytes) else name or ""
