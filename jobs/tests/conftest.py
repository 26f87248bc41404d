import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest
from django.db import connection

from boards.actions.change import ON_CHANGE
from boards.models import Activity
from jobs.followers import FOLLOWERS, follow, meet_followers
from jobs.models import Follower


class Recorder:
    """A follower that remembers what it was handed, and raises while it `fails`."""

    def __init__(self) -> None:
        self.batches: list[tuple[UUID, list[int]]] = []
        self.fails = False

    def __call__(self, board_id: UUID, changes: list[Activity]) -> None:
        if self.fails:
            raise RuntimeError("the follower is broken")
        self.batches.append((board_id, [change.version for change in changes]))

    def versions(self, board_id: UUID) -> list[int]:
        return [version for board, versions in self.batches if board == board_id for version in versions]


Follow = Callable[..., Recorder]


@pytest.fixture
def following(db: None) -> Iterator[Follow]:
    """Begins followers, beside which there are no others: following("mail", whole_history=True)."""
    others, notes = dict(FOLLOWERS), list(ON_CHANGE)
    FOLLOWERS.clear()
    ON_CHANGE.clear()

    def begin(name: str = "recorder", **options: bool) -> Recorder:
        recorder = Recorder()
        follow(name, recorder, **options)
        meet_followers()
        return recorder

    yield begin
    FOLLOWERS.clear()
    FOLLOWERS.update(others)
    ON_CHANGE[:] = notes
    Follower.objects.exclude(name__in=others).delete()  # the other ones are there for all tests


def in_threads(*calls: Callable[[], object]) -> list[object]:
    """Start all calls in the same moment, each with a database connection of its own; return their results."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        start.wait(30)
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))
