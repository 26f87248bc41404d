"""The cache that processes share: Redis, or the memory of each process for as long as Redis does not answer.

Counters and limits go on without Redis, for each process by itself. Values are kept as JSON rather than Django's
pickles, so that an intruder in Redis cannot make the service run code.
"""

import json
import logging
from typing import Any

from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis import RedisError
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Lost
from redis.retry import Retry

from core.outage import Outage, one_line

PATIENCE = 0.5  # seconds to wait for Redis, once for each outage

log = logging.getLogger(__name__)
outage = Outage()  # of the one Redis that this process uses


class JSONSerializer:
    def dumps(self, value: Any) -> bytes:
        return json.dumps(value, separators=(",", ":")).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


class Cache(BaseCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        client = {
            "serializer": JSONSerializer,
            "socket_timeout": PATIENCE,
            "socket_connect_timeout": PATIENCE,
            "retry": Retry(NoBackoff(), 1, (Lost,)),  # a connection that Redis closed meanwhile is no outage
        }
        self._redis = RedisCache(server, {**params, "OPTIONS": client})
        self._memory = LocMemCache(f"without Redis: {self.key_prefix}", params)

    def add(self, *args: Any, **options: Any) -> bool:
        return self._call("add", *args, **options)

    def get(self, *args: Any, **options: Any) -> Any:
        return self._call("get", *args, **options)

    def set(self, *args: Any, **options: Any) -> None:
        self._call("set", *args, **options)

    def touch(self, *args: Any, **options: Any) -> bool:
        return self._call("touch", *args, **options)

    def delete(self, *args: Any, **options: Any) -> bool:
        return self._call("delete", *args, **options)

    def incr(self, *args: Any, **options: Any) -> int:
        return self._call("incr", *args, **options)

    def clear(self) -> None:
        self._call("clear")

    def _call(self, method: str, *args: Any, **options: Any) -> Any:
        if outage.may_try():
            try:
                found = getattr(self._redis, method)(*args, **options)
            except RedisError as error:
                if outage.begin():
                    log.error("Redis is away; each process counts by itself until it is back: %s", one_line(error))
            else:
                if outage.is_on and outage.end():
                    log.warning("Redis answers again")
                return found
        return getattr(self._memory, method)(*args, **options)
