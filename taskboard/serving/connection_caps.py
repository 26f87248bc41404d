"""Lets in no more connections than there are open files for, and only a part of them from one address."""

from collections import Counter
from typing import Any

from django.conf import settings
from twisted.protocols.policies import WrappingFactory

from core.http.addresses import network_of
from core.limits.open_files import file_limit

RESERVED = 100  # open files for the database, static files, logs and connections to other services
AT_LEAST, AT_MOST, AT_MOST_EACH = 50, 10_000, 2_000
# Seconds after which an idle connection is closed while more than half of the places are taken: browsers would keep those
# that sockets leave for pages for a minute each
HASTE = 5


class ConnectionCaps(WrappingFactory):
    """Twisted's way to count connections. A proxy's address stands for many clients and has no cap of its own."""

    def __init__(self, wrapped: Any, most: int | None = None, most_each: int | None = None) -> None:
        super().__init__(wrapped)
        self.most = most or min(AT_MOST, max(AT_LEAST, file_limit() - RESERVED))
        self.most_each = most_each or (self.most if settings.TRUSTED_PROXIES else min(AT_MOST_EACH, self.most // 2))
        self.connections: Counter[str] = Counter()

    def buildProtocol(self, addr: Any) -> Any:
        """Return None, which closes the connection at once, if there is no place for it."""
        network = network_of(addr.host)
        if self.connections.total() >= self.most or self.connections[network] >= self.most_each:
            return None
        built: Any = super().buildProtocol(addr)
        if self.connections.total() > self.most // 2:
            built.wrappedProtocol.timeOut = HASTE
        built.network = network
        return built

    def registerProtocol(self, p: Any) -> None:
        super().registerProtocol(p)
        self.connections[p.network] += 1

    def unregisterProtocol(self, p: Any) -> None:
        super().unregisterProtocol(p)
        self.connections[p.network] -= 1
        if not self.connections[p.network]:
            del self.connections[p.network]
