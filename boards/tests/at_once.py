"""Run many calls at the same moment, each in a thread with its own connection."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

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
