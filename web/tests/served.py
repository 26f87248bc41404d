"""A running service for the tests of a module: `environment` is what it was started with."""

from collections.abc import Iterator

import pytest

from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.servers import Running, faults, serving


@pytest.fixture(scope="module")
def environment(any_database: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with prepared_services() as services:
        data = prepared_data(tmp_path_factory.mktemp("data"))
        yield {**services, "TASKBOARD_DATA": str(data), "TASKBOARD_LIMITS": "off"}


@pytest.fixture(scope="module")
def running(environment: dict[str, str]) -> Iterator[Running]:
    """A running server, which must not have logged an error after these tests."""
    with serving(environment) as running:
        yield running
        _code, _out, err = running.stop(15)
        assert faults(err) == []
