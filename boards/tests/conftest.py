import pytest

from accounts.models import User
from boards.tests.world import World
from core.bus import bus


@pytest.fixture
def world(olga: User, ed: User, vera: User, stan: User) -> World:
    return World(olga, ed, vera, stan)


@pytest.fixture
def pushed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict]]:
    """The messages that are published on the bus, as (group, message); none of them is delivered."""
    sent: list[tuple[str, dict]] = []
    monkeypatch.setattr(bus, "publish", lambda group, message: sent.append((group, message)))
    return sent
