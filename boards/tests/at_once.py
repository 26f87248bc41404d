"""Run many calls at the same moment, each in a thread with its own connection."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

from taskboard.tests.waiting import wait_until


def at_once(calls: Iterable[Callable[[], Any]]) -> list[Any]:
    """Start all calls at the same moment; return the result or exception of each, in order."""
    calls = list(calls)
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait(30)
        try:
            return call()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def outcome(results: Iterable[Any]) -> Counter:
    """Count the exceptions by type, and the successful calls under None."""
    return Counter(type(result) if isinstance(result, Exception) else None for result in results)


def wait_until_somebody_waits_for_a_lock() -> None:
    """Return as soon as a connection waits for a lock."""
    wait_until(somebody_waits_for_a_lock, "nobody waits for a lock")


def somebody_waits_for_a_lock() -> bool:
    """Within a transaction PostgreSQL repeats the same snapshot of the statistics until it is cleared."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(waiting)
        return cursor.fetchone()[0] > 0
