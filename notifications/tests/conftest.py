from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts.models import User
from accounts.tokens import create_token
from boards.actor import Actor
from boards.models import Board, Door
from boards.reader import Reader
from conftest import run_jobs
from notifications.inbox.lines import told
from notifications.inbox.piles import Pile, in_pile
from notifications.models import Notification
from notifications.tests.push_service import PushService, push_service

TELLS = "Write the announcement"


def texts(user: User, pile: Pile = Pile.ALL) -> list[str]:
    """What a person is told, the latest first, after the worker has done its work."""
    run_jobs()
    return [line.text for line in told(in_pile(Reader(user), pile))]


def agent(user: User, name: str = "Claude on laptop") -> Actor:
    token, _value = create_token(user, name)
    return Actor(user, Door.AGENT, token.pk, token.name)


@pytest.fixture
def quiet(board: Board) -> Callable[[], None]:
    """Forgets what was told until now."""

    def forget() -> None:
        run_jobs()
        Notification.objects.all().delete()

    forget()
    return forget


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    """A push service on this machine, which the settings allow."""
    with push_service() as service:
        settings.PUSH_SERVERS = [service.url]
        yield service
