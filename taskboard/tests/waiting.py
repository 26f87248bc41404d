"""Wait for a condition, never for a time: the one place where tests pause between two looks.

The deadline only ends what hangs. It says nothing about speed, so it is long, and the same for all: a first start beside two
other tests took 60 seconds of a slow machine.
"""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 100  # seconds until a condition that never comes fails the test
PAUSE = 0.01  # seconds between two looks

T = TypeVar("T")


def wait_until(condition: Callable[[], T], what: str | Callable[[], object] = "") -> T:
    """Return the condition's first true value. `what` tells, if it never comes, what was there instead."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, told(what)
        time.sleep(PAUSE)
    return value


async def becomes(condition: Callable[[], T], what: str | Callable[[], object] = "") -> T:
    """Like `wait_until`, while the event loop goes on."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, told(what)
        await asyncio.sleep(PAUSE)
    return value


def wait_on_page(page: "Page", condition: Callable[[], T], what: str | Callable[[], object] = "") -> T:
    """Like `wait_until`, while the events of this page are handled."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, told(what)
        page.wait_for_timeout(PAUSE * 1000)
    return value


def told(what: str | Callable[[], object]) -> str:
    return str(what() if callable(what) else what) or "It did not happen in time."
