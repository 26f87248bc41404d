"""The bus carries tiny messages to groups: `bus.publish(group, message)`, from any thread to every subscribed process.

A message may be lost or delivered twice. A subscriber is called with `heard(group, None)` when messages may have been
lost. Why not Channels' layers: they give each socket a queue and a subscription of its own. Here a process subscribes
once for all of its sockets, and synchronous code publishes without an event loop (docs/decisions/live.md).
"""

from django.conf import settings

from core.bus.memory import Bus, MemoryBus
from core.bus.redis import RedisBus

__all__ = ["Bus", "MemoryBus", "bus"]


bus: Bus = RedisBus(settings.REDIS_URL) if settings.REDIS_URL else MemoryBus()
