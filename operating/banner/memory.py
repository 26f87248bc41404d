"""The banner as each process remembers it, so that no page asks the database for it."""

import time
from contextlib import suppress

from django.db import Error
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from operating.models import Banner

READ_EVERY = 5.0  # seconds: after a change the other processes show the former banner so long


class Memory:
    """Reads the banner again once READ_EVERY has passed: one statement then, by whoever comes first, and none meanwhile."""

    def __init__(self) -> None:
        self._banner: Banner | None = None
        self._next = 0.0

    def banner(self) -> Banner | None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + READ_EVERY  # first, so that the others do not read as well
            with suppress(Error):  # the page may be the one that says so
                self._banner = Banner.objects.first()
        return self._banner

    def forget(self) -> None:
        """Read at the next page."""
        self._next = 0.0

    def assume_none(self) -> None:
        """Take it that there is none until `forget`. For tests that count statements."""
        self._banner, self._next = None, float("inf")


MEMORY = Memory()


@receiver([post_save, post_delete], sender=Banner)
def show_at_once(**signal: object) -> None:
    """Show the operator who changed the banner what it is now, where the same process answers."""
    MEMORY.forget()
