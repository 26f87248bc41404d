"""Open pages while their database is restarted or dies: all of them come back and miss nothing."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from taskboard.tests.own_services import OwnPostgreSQL, own_postgresql
from taskboard.tests.pages import OpenPage, coming_pages, open_pages
from taskboard.tests.people import Person
from taskboard.tests.prepared import prepared_data, start_for_the_first_time
from taskboard.tests.servers import Running, serving

pytestmark = [pytest.mark.once, pytest.mark.own_services, pytest.mark.timeout(300)]

PAGES = 40
PATIENCE = 60  # seconds


@pytest.fixture(scope="module")
def postgresql() -> Iterator[OwnPostgreSQL]:
    with own_postgresql() as own:
        yield own


@pytest.fixture(scope="module")
def environment(postgresql: OwnPostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    data = prepared_data(tmp_path_factory.mktemp("data"))
    return {"DATABASE_URL": postgresql.url, "TASKBOARD_DATA": str(data), "TASKBOARD_LIMITS": "off"}


@pytest.fixture(scope="module")
def cast(environment: dict[str, str]) -> dict[str, Any]:
    return json.loads(start_for_the_first_time(**environment))


@pytest.fixture(scope="module")
def running(environment: dict[str, str], cast: dict[str, Any]) -> Iterator[Running]:
    with serving(environment) as running:
        yield running


@pytest.fixture(scope="module")
def olga(running: Running, cast: dict[str, Any]) -> Iterator[Person]:
    with closing(Person(running.url, **cast["olga"], name="olga")) as olga:
        yield olga


def write(olga: Person, board: dict[str, Any], title: str) -> str:
    """Create a card, with as many attempts as it takes; return its id."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        answer = olga.script.post("/api/v1/cards", json={"boardId": board["id"], "title": title})
        if answer.status_code == 201:
            return answer.json()["card"]["id"]
        assert answer.status_code == 503, answer.text
        time.sleep(0.1)
    raise AssertionError("The service did not come back.")


def test_forty_open_pages_get_every_change_after_a_restart_of_their_database(postgresql, olga):
    board = olga.new_board()

    async def story() -> None:
        async with open_pages(olga, board, PAGES) as pages:
            before = await asyncio.to_thread(write, olga, board, "Before")
            await all_reach(pages, 2)
            await asyncio.to_thread(postgresql.restart)
            later = [await asyncio.to_thread(write, olga, board, f"After {number}") for number in range(10)]
            await all_reach(pages, 12)
            assert all(page.cards == {before, *later} for page in pages)

    asyncio.run(story())


def test_pages_that_come_while_their_database_is_dead_are_closed_and_live_when_it_is_back(postgresql, olga):
    board = olga.new_board()

    async def story() -> None:
        await asyncio.to_thread(postgresql.kill)
        try:
            async with coming_pages(olga, board, PAGES) as pages:
                await all_are(pages, lambda page: page.codes)
                await asyncio.to_thread(postgresql.start)
                card = await asyncio.to_thread(write, olga, board, "After")
                await all_are(pages, lambda page: page.cards == {card})
                assert {code for page in pages for code in page.codes} == {4500}
        finally:
            if not postgresql.answers():
                postgresql.start()

    asyncio.run(story())


async def all_are(pages: list[OpenPage], so: Callable[[OpenPage], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        for page in pages:
            await page.becomes(so)


async def all_reach(pages: list[OpenPage], version: int) -> None:
    await all_are(pages, lambda page: page.version >= version)
