import pytest

from accounts.models import User
from boards import hints
from boards.tests.world import World


@pytest.fixture
def world(olga: User, ed: User, vera: User, stan: User) -> World:
    return World(olga, ed, vera, stan)


@pytest.fixture
def pushed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict]]:
    """What went out to the channel layer, as (group, message)."""
    sent: list[tuple[str, dict]] = []

    class Layer:
        def publish(self, group: str, message: dict) -> None:
            sent.append((group, message))

    monkeypatch.setattr(hints, "get_channel_layer", Layer)
    return sent
