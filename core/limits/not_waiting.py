"""`with not_waiting():` makes optional writes give up at once instead of waiting for SQLite's lock.

Only SQLite has one lock for all writes, which something may hold for long (taskboard/databases/sqlite/base.py).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_is_on = ContextVar("impatient", default=False)


@contextmanager
def not_waiting() -> Iterator[None]:
    """Have transactions that begin in this block raise OperationalError rather than wait for the write lock."""
    token = _is_on.set(True)
    try:
        yield
    finally:
        _is_on.reset(token)


def is_impatient() -> bool:
    return _is_on.get()
