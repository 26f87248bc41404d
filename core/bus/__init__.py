"""The bus carries tiny messages to groups: `bus.publish(group, message)` from any thread, to every process that joined.

A message may be lost or come twice; `heard(group, None)` tells a listener that some may have been lost. The backends
stand in the place of Channels' layers, which give each socket a queue of its own (docs/decisions/live.md): here a process
subscribes once for all of its sockets, and synchronous code publishes without an event loop.
"""

from django.conf import settings

from core.bus.backends import Bus, MemoryBus, RedisBus

bus: Bus = RedisBus(settings.REDIS_URL) if settings.REDIS_URL else MemoryBus()

__all__ = ["Bus", "MemoryBus", "RedisBus", "bus"]
