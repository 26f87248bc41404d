"""A running service with people, and shells in which they use the client."""

from typing import Any

import pytest

from clients.tests.gardening import whole
from clients.tests.shell import Shell
from taskboard.tests.served import environment_on_sqlite, running
from taskboard.tests.served_people import olga, people

__all__ = ["environment_on_sqlite", "olga", "people", "running"]


@pytest.fixture
def shell(processes, tmp_path) -> Shell:
    return Shell(tmp_path)


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
