"""A request waits for PostgreSQL or Redis that do not answer once, and for less than the promised two seconds."""

from collections.abc import Generator
from unittest.mock import Mock

import psycopg
import pytest
from django.db import connection as django_connection

from core.outage import Outage
from taskboard import cache
from taskboard.databases.postgresql import base, connection
from taskboard.databases.postgresql.base import DatabaseWrapper
from taskboard.databases.postgresql.connection import ANSWER, SILENCE, Connection

PROMISED = 2  # seconds


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch) -> Outage:
    outage = Outage()
    for module in (base, connection):
        monkeypatch.setattr(module, "outage", outage)
    return outage


def test_what_a_request_waits_for_is_less_than_what_is_promised() -> None:
    assert SILENCE / 10 + ANSWER < PROMISED
    assert cache.PATIENCE < PROMISED


def statement() -> Generator[str, int, None]:
    """Stands in for psycopg, which waits for the answer to a statement."""
    while True:
        yield "wait"


def test_a_silent_server_is_asked_once_and_the_statement_ends(outage: Outage) -> None:
    waiting = Mock(**{"address.answers.return_value": False})
    waiting._require_server = lambda: Connection._require_server(waiting)
    silence = Connection._watched(waiting, statement())
    next(silence)
    for _tenth in range(SILENCE - 1):
        silence.send(0)
    waiting.address.answers.assert_not_called()
    with pytest.raises(psycopg.OperationalError, match="does not answer"):
        silence.send(0)
    waiting.address.answers.assert_called_once_with()
    assert outage.is_on


def test_the_request_that_tries_again_asks_once_and_leaves_the_connections_of_the_pool_alone(
    outage: Outage, monkeypatch: pytest.MonkeyPatch
) -> None:
    outage.begin()
    monkeypatch.setattr(outage, "_try_at", 0.0)  # it is time to try again
    request = Mock(**{"address.answers.return_value": False})
    for _request in range(2):  # the second one does not even ask
        with pytest.raises(psycopg.OperationalError, match="does not answer"):
            DatabaseWrapper.get_new_connection(request, {})
    request.address.answers.assert_called_once_with()
    request._living.assert_not_called()


@pytest.mark.usefixtures("services")
@pytest.mark.django_db
def test_the_server_gives_up_hosts_that_vanish() -> None:
    """A session that holds the lock of a board and stands still, and connections to a host that answers no more."""
    wanted = {
        "idle_in_transaction_session_timeout": "10s",
        "lock_timeout": "10s",
        "tcp_keepalives_idle": "10",
        "tcp_keepalives_interval": "5",
        "tcp_keepalives_count": "2",
        "tcp_user_timeout": "20000",
    }
    with django_connection.cursor() as cursor:
        cursor.execute("SELECT name, current_setting(name) FROM pg_settings WHERE name = ANY(%s)", [[*wanted]])
        assert dict(cursor.fetchall()) == wanted
