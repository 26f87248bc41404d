"""Publish to Redis from synchronous code.

A thread does the sending. Why not publish in the request: while Redis is down, every write would take as long as the
timeout. The thread starts with the first message, and anew after a fork, as threads do not survive one
(docs/decisions/live.md).
"""

import atexit
import json
import logging
import os
import threading
import time
from functools import partial
from typing import Any

from redis import ConnectionPool, RedisError
from redis.backoff import NoBackoff
from redis.connection import ConnectionInterface
from redis.retry import Retry

PREFIX = "taskboard."
RETRY_AFTER = 1.0  # seconds
REST = 0.01  # seconds after each sending: what is published meanwhile goes out together, one message per group
FLUSH_AT_EXIT = 1.0  # seconds for which a process that exits waits for unsent messages

log = logging.getLogger(__name__)


class Publisher:
    """Sends messages in the background. While Redis is down, it keeps one message per group.

    That is the one with the highest `version`, or the latest if they have none. One is enough, because a hint only says
    that there is something to read, and so a long outage needs no more memory than there are groups.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._begin()
        os.register_at_fork(after_in_child=self._begin)
        atexit.register(self.flush, FLUSH_AT_EXIT)

    def _begin(self) -> None:
        self._waiting: dict[str, dict[str, Any]] = {}
        self._sending = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def publish(self, group: str, message: dict[str, Any]) -> None:
        with self._changed:
            earlier = self._waiting.get(group)
            if earlier is None or earlier.get("version", 0) <= message.get("version", 0):
                self._waiting[group] = message
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def flush(self, timeout: float) -> None:
        """Wait until all messages are sent, or for `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting and not self._sending, timeout)

    def _run(self) -> None:
        line = ConnectionPool.from_url(self._url, socket_timeout=5, socket_connect_timeout=5).make_connection()
        again = Retry(NoBackoff(), 1)
        reachable = True
        while True:
            batch = self._take()
            try:
                again.call_with_retry(partial(_send, line, batch), lambda _error: line.disconnect())
            except (RedisError, OSError) as error:
                if reachable:
                    log.warning("live hints wait until Redis answers again: %s", error)
                reachable = False
                line.disconnect()
                time.sleep(RETRY_AFTER)
                self._put_back(batch)
            else:
                if not reachable:
                    log.warning("Redis answers again; the live hints that waited are sent")
                reachable = True
                self._done()
                time.sleep(REST)

    def _take(self) -> dict[str, dict[str, Any]]:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting)
            batch, self._waiting, self._sending = self._waiting, {}, True
            return batch

    def _put_back(self, batch: dict[str, dict[str, Any]]) -> None:
        for group, message in batch.items():
            self.publish(group, message)

    def _done(self) -> None:
        with self._changed:
            self._sending = False
            self._changed.notify_all()


def _send(line: ConnectionInterface, batch: dict[str, dict[str, Any]]) -> None:
    """Publish on a connection of its own: redis-py's commands, which find one for each call, cost twice as much."""
    messages = [("PUBLISH", PREFIX + group, json.dumps(message)) for group, message in batch.items()]
    line.send_packed_command(line.pack_commands(messages))
    for _message in messages:
        line.read_response()
