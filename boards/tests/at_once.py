"""Run many calls at the same moment, each in a thread with its own connection."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection


def at_once(calls: Iterable[Callable[[], Any]]) -> list[Any]:
    """Start all calls in the same moment; each one's result or exception, in order."""
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
    """How many of each exception; None counts what went well."""
    return Counter(type(result) if isinstance(result, Exception) else None for result in results)


def wait_until_somebody_waits_for_a_lock() -> None:
    """Within one transaction PostgreSQL shows the same connections again and again, until it is told to look anew."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    for _look in range(500):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    pytest.fail("nobody waits for a lock")
