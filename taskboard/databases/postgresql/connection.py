"""A connection that notices when PostgreSQL is frozen or gone, however long its statements may take otherwise."""

import logging
import select
import socket
from collections.abc import Generator
from contextlib import suppress
from typing import Any, NamedTuple

import psycopg
from psycopg_pool import ConnectionPool

from core.outage import Outage, one_line

SILENCE = 6  # tenths of a second without an answer to a statement, after which the server is asked whether it is there
ANSWER = 1.0  # seconds that it has to say so
SSL_REQUEST = bytes.fromhex("0000000804d2162f")  # answered with one byte by every server, before it asks who is there
GONE = "PostgreSQL does not answer."

log = logging.getLogger(__name__)
outage = Outage()  # of the one server that this process uses


def begin_outage(error: Exception) -> None:
    if outage.begin():
        log.error("PostgreSQL is away, and requests are refused until it is back: %s", one_line(error))


def end_outage() -> None:
    if outage.end():
        log.warning("PostgreSQL answers again")


class Address(NamedTuple):
    host: str  # or the folder of a Unix socket
    port: int

    def answers(self) -> bool:
        """Tell whether a PostgreSQL takes a connection here and answers to it."""
        try:
            with self._connected() as asking:
                asking.sendall(SSL_REQUEST)
                return bool(asking.recv(1))
        except OSError:
            return False

    def _connected(self) -> socket.socket:
        if not self.host.startswith("/"):
            return socket.create_connection(self, ANSWER)
        local = socket.socket(socket.AF_UNIX)
        local.settimeout(ANSWER)
        local.connect(f"{self.host}/.s.PGSQL.{self.port}")
        return local


class Connection(psycopg.Connection[Any]):
    """While a statement takes long, the server is asked again and again whether it is there.

    A time limit could not tell a frozen server from a statement that has a lot to do, such as a migration, an export or
    a wait for a lock. The limit would also be the server's own, which counts nothing while it is frozen.
    """

    def wait(self, gen: Any, *args: Any, **options: Any) -> Any:
        return super().wait(self._watched(gen), *args, **options)

    def _watched(self, gen: Any) -> Generator[Any, Any, Any]:
        """Pass on what `gen` and psycopg's loop tell each other. The loop says 0 every tenth of a second of silence."""
        silent = 0
        try:
            wait_for = next(gen)
            while True:
                ready = yield wait_for
                silent = 0 if ready else silent + 1
                if silent >= SILENCE:
                    self._require_server()
                    silent = 0
                wait_for = gen.send(ready)
        except StopIteration as end:
            return end.value

    def _require_server(self) -> None:
        if not self.address.answers():
            self.close()
            begin_outage(gone := psycopg.OperationalError(GONE))
            raise gone

    @property
    def address(self) -> Address:
        return Address(self.info.hostaddr or self.info.host, self.info.port)

    def is_dead(self, *, ask: bool) -> bool:
        """Tell whether the connection was closed by the server. Only if `ask`, spend a round trip on it.

        A server that closes says so, and so does the system for one that was killed: then there is something to read.
        """
        if not ask and not self._has_something_to_read():
            return False
        try:
            ConnectionPool.check_connection(self)
        except psycopg.Error:
            with suppress(psycopg.Error):
                self.close()
            return True
        return False

    def _has_something_to_read(self) -> bool:
        poll = select.poll()
        poll.register(self.pgconn.socket, select.POLLIN)
        return bool(poll.poll(0))
