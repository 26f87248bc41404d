"""A running service with people, and shells in which they use the client."""

from collections.abc import Iterator
from typing import Any

import pytest

from clients.tests.gardening import whole
from clients.tests.shell import Shell
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import Running, serving


@pytest.fixture(scope="module")
def environment(processes: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {"TASKBOARD_DATA": str(prepared_data(tmp_path_factory.mktemp("data"))), "TASKBOARD_LIMITS": "off"}


@pytest.fixture(scope="module")
def running(environment) -> Iterator[Running]:
    with serving(environment) as running:
        yield running


@pytest.fixture(scope="module")
def people(running, environment) -> Iterator[dict[str, Person]]:
    with settle(environment, running.url, "olga", "ed", "vera") as people:
        yield people


@pytest.fixture
def shell(processes, tmp_path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture
def olga(people) -> Person:
    return people["olga"]


@pytest.fixture
def signed_in(shell, running, olga) -> Shell:
    shell.sign_in(running.url, olga.token)
    return shell


@pytest.fixture
def board(olga) -> dict[str, Any]:
    return whole(olga, olga.new_board("Garden"))


@pytest.fixture
def garden(signed_in, board) -> Shell:
    """A shell in which the board Garden is the one that is meant."""
    signed_in.environment["TASKBOARD_BOARD"] = board["id"]
    return signed_in
