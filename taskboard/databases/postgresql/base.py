"""Django's PostgreSQL backend, for a server that may be away: requests fail fast, and go on as soon as it is back."""

import time
from functools import lru_cache
from typing import Any, cast

import psycopg
from django.db.backends.postgresql import base, operations
from psycopg.adapt import AdaptersMap, Loader
from psycopg.types.datetime import TimestamptzLoader
from psycopg_pool import PoolTimeout

from core.measures import POOL_WAIT
from taskboard.databases.postgresql.connection import GONE, Address, Connection, begin_outage, end_outage, outage

BUSY_FOR = 10  # seconds to wait for a connection of the pool while PostgreSQL answers


class PreparedCursor(psycopg.Cursor[Any]):
    prepares = True  # one statement at a time: two in one text cannot be prepared


@lru_cache
def adapters_with_fast_times(adapters: AdaptersMap, timezone: Any) -> AdaptersMap:
    """Return Django's adapters, but with times read by psycopg itself, which does that in C.

    Django's own loader gives them the zone of the connection, which they have already. It is made anew for each cursor, and
    that takes longer than all else of reading a row. A class of ours is needed because Django asks it for its `timezone`.
    """
    quick = psycopg.adapters.get_loader(psycopg.adapters.types["timestamptz"].oid, TimestamptzLoader.format)

    class TimeLoader(TimestamptzLoader):
        def __new__(cls, oid: int, context: Any = None) -> Loader:  # type: ignore[misc]
            return cast(Any, quick)(oid, context)

    TimeLoader.timezone = timezone  # type: ignore[attr-defined]
    adapters = AdaptersMap(adapters)
    adapters.register_loader("timestamptz", TimeLoader)
    return adapters


class DatabaseOperations(operations.DatabaseOperations):
    def last_executed_query(self, cursor: Any, sql: str, params: Any) -> str:
        """Return the text of a statement for the log of tests, also where psycopg has forgotten it: once it is prepared."""
        if isinstance(cursor, PreparedCursor):
            return self.compose_sql(sql, params)
        return super().last_executed_query(cursor, sql, params)


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
    address: Address | None = None  # where the server gave this process its first connection

    def __init__(self, settings_dict: dict[str, Any], *args: Any, **options: Any) -> None:
        super().__init__(settings_dict, *args, **options)
        if pool := settings_dict["OPTIONS"].get("pool"):
            pool["connection_class"] = Connection

    def get_connection_params(self) -> dict[str, Any]:
        params = super().get_connection_params()
        return {**params, "context": adapters_with_fast_times(params["context"], self.timezone)}

    def prepared_cursor(self) -> Any:
        """Return a cursor that has PostgreSQL parse and plan a statement once for the life of the connection.

        Django's own cursors put the parameters into the text of the statement, which is then a new one each time.
        """
        if self.connection is None:
            self.ensure_connection()
        return self._prepare_cursor(PreparedCursor(self.connection))  # type: ignore[attr-defined]

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if self.pool is None:
            return super().get_new_connection(conn_params)
        if not outage.may_try():
            raise psycopg.OperationalError(GONE)
        if outage.is_on and self.address is not None and not self.address.answers():
            begin_outage(gone := psycopg.OperationalError(GONE))  # the pool would try each of its connections
            raise gone
        began = time.monotonic()
        while True:
            try:
                connection = self._living(conn_params)
                break
            except psycopg.OperationalError as error:
                if self.address is None or not self.address.answers():
                    begin_outage(error)
                    raise
                if not isinstance(error, PoolTimeout) or outage.is_on or time.monotonic() > began + BUSY_FOR:
                    raise  # it is there; when the pool has no connection to spare, wait for one, unless it only starts
        POOL_WAIT.observe(time.monotonic() - began)
        end_outage()
        if self.address is None:
            type(self).address = connection.address
        return connection

    def _living(self, conn_params: dict[str, Any]) -> Connection:
        """Return a connection of the pool that the server has not closed, as it does when it is restarted."""
        while True:
            connection = cast(Connection, super().get_new_connection(conn_params))
            if not connection.is_dead(ask=outage.is_on):
                return connection
            self.pool.putconn(connection)
