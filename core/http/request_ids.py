"""The id of the request that is being answered. The answer, the log lines and the tasks of the request carry it."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

WELL_FORMED = re.compile(r"[\w-]{1,200}", re.ASCII)

request_id: ContextVar[str] = ContextVar("request_id", default="")


def begin(given: str) -> str:
    """Set the id of the request that begins: the given one where it is well-formed, otherwise a new one. Return it."""
    chosen = given if WELL_FORMED.fullmatch(given) else secrets.token_hex(8)
    request_id.set(chosen)
    return chosen


def end(**signal: object) -> None:
    """Forget the id; a receiver of Django's `request_finished`."""
    request_id.set("")


@contextmanager
def working_for(given: object) -> Iterator[None]:
    """Run the block under the id of an earlier request; under none where the given one is not well-formed."""
    is_one = isinstance(given, str) and WELL_FORMED.fullmatch(given)
    before = request_id.set(str(given) if is_one else "")
    try:
        yield
    finally:
        request_id.reset(before)
