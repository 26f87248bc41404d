"""The cast of the running service of `served.py`. Import the fixtures into a test file to use them."""

from collections.abc import Iterator

import pytest

from taskboard.tests.people import Person, settle
from taskboard.tests.servers import Running
from taskboard.tests.settle import CAST


@pytest.fixture(scope="module")
def people(running: Running, environment: dict[str, str]) -> Iterator[dict[str, Person]]:
    with settle(environment, running.url, *CAST) as people:
        yield people


@pytest.fixture(scope="module")
def olga(people: dict[str, Person]) -> Person:
    return people["olga"]


@pytest.fixture(scope="module")
def ed(people: dict[str, Person]) -> Person:
    return people["ed"]


@pytest.fixture(scope="module")
def vera(people: dict[str, Person]) -> Person:
    return people["vera"]


@pytest.fixture(scope="module")
def stan(people: dict[str, Person]) -> Person:
    return people["stan"]
