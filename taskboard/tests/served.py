"""A running service for the tests of a module: `environment` is what it was started with, `people` are its cast
(served_people.py). Import the fixtures into a test file, or its conftest.py, to use them.
"""

from collections.abc import Iterator

import pytest

from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.servers import Running, faults, serving


@pytest.fixture(scope="module")
def environment(any_database: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with prepared_services() as services:
        data = prepared_data(tmp_path_factory.mktemp("data"))
        yield {**services, "TASKBOARD_DATA": str(data), "TASKBOARD_LIMITS": "off"}


@pytest.fixture(scope="module", name="environment")
def environment_on_sqlite(processes: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Have the service on a SQLite file of its own, whatever the other tests run on: for what depends on no database."""
    return {"TASKBOARD_DATA": str(prepared_data(tmp_path_factory.mktemp("data"))), "TASKBOARD_LIMITS": "off"}


@pytest.fixture(scope="module")
def running(environment: dict[str, str]) -> Iterator[Running]:
    """A running server, which must not have logged an error after these tests."""
    with serving(environment) as running:
        yield running
        _code, _out, err = running.stop(15)
        assert (found := faults(err)) == [], found
