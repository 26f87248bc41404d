from collections.abc import Callable, Iterator
from uuid import UUID

import pytest

from boards.actions.change import ON_CHANGE
from boards.models import Activity
from jobs.followers import FOLLOWERS, follow, meet_followers


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
def following() -> Iterator[Follow]:
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
