"""`--stress N`: run each test N times with all cores kept busy, so that one which races fails here and not in CI.

Workers are two for each core, and at most four: with one each, what burns the cores had half of their time.
"""

import os
import subprocess
import sys

import pytest

from taskboard.tests.runs import is_xdist_worker

_burning: list["subprocess.Popen[bytes]"] = []


def pytest_configure(config: pytest.Config) -> None:
    if config.option.stress and not is_xdist_worker(config):
        for _core in range(os.cpu_count() or 1):
            _burning.append(subprocess.Popen([sys.executable, "-c", BURN, str(os.getpid())]))


@pytest.fixture(scope="session")
def repetition(request: pytest.FixtureRequest) -> int:
    """The number of the repetition under `--stress`. Fixtures that ask for it are made anew for each: services count calls."""
    return getattr(request, "param", 0)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if times := metafunc.config.option.stress:
        metafunc.fixturenames.append("repetition")
        metafunc.parametrize("repetition", range(times), indirect=True, scope="session")


def pytest_unconfigure() -> None:
    while _burning:
        process = _burning.pop()
        process.kill()
        process.wait()


# It ends with the run, however that ends.
BURN = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    for _ in range(1_000_000):
        pass
"""
