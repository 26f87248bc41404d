"""Open pages while their database is restarted or dies: all are told to come back, do, and miss nothing."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from taskboard.tests.own_services import OwnPostgreSQL, own_postgresql, own_redis
from taskboard.tests.pages import OpenPage, coming_pages, open_pages
from taskboard.tests.people import Person
from taskboard.tests.prepared import prepared_cluster, prepared_data
from taskboard.tests.processes import DAPHNE, GUNICORN, Process, processes
from taskboard.tests.servers import serving
from taskboard.tests.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.usefixtures("own_services"), pytest.mark.timeout(300)]

PAGES = 40


@pytest.fixture(scope="module")
def postgresql() -> Iterator[OwnPostgreSQL]:
    with own_postgresql(prepared_cluster()[0]) as own:
        yield own


@pytest.fixture(scope="module")
def environment(postgresql: OwnPostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    data = prepared_data(tmp_path_factory.mktemp("data"))
    return {"DATABASE_URL": postgresql.url, "TASKBOARD_DATA": str(data), "TASKBOARD_LIMITS": "off"}


@pytest.fixture(scope="module")
def cast() -> dict[str, Any]:
    return prepared_cluster()[1]


@contextmanager
def one_process(environment: dict[str, str], logs: Path) -> Iterator[tuple[str, str]]:
    with serving(environment) as running:
        yield running.url, running.url


@contextmanager
def daphne_beside_gunicorn(environment: dict[str, str], logs: Path) -> Iterator[tuple[str, str]]:
    """Run what docs/running/growing.md says for production, with the Redis that brings the hints from one to the other."""
    with own_redis() as redis:
        shared = environment | {"REDIS_URL": redis.url}
        http, sockets = Process(GUNICORN, shared, logs / "gunicorn"), Process(DAPHNE, shared, logs / "daphne")
        with processes(http, sockets):
            yield http.url, sockets.url
        assert "Traceback" not in sockets.log.read_text()


@pytest.fixture(scope="module", params=[one_process, daphne_beside_gunicorn], ids=["bin/serve", "Daphne"])
def olga(
    request: pytest.FixtureRequest,
    environment: dict[str, str],
    cast: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Person]:
    with (
        request.param(environment, tmp_path_factory.mktemp("logs")) as (url, socket_url),
        closing(Person(url, **cast["olga"], socket_url=socket_url, name="olga")) as olga,
    ):
        yield olga


def write(olga: Person, board: dict[str, Any], title: str) -> str:
    """Create a card, with as many attempts as it takes; return its id."""

    def created() -> str:
        answer = olga.script.post("/api/v1/cards", json={"boardId": board["id"], "title": title})
        assert answer.status_code in (201, 503), answer.text
        return answer.json()["card"]["id"] if answer.status_code == 201 else ""

    return wait_until(created, "The service did not come back.")


def test_forty_open_pages_get_every_change_after_a_restart_of_their_database(postgresql, olga):
    board = olga.new_board()

    async def story() -> None:
        async with open_pages(olga, board, PAGES) as pages:
            before = await asyncio.to_thread(write, olga, board, "Before")
            await all_are(pages, lambda page: page.cards == {before})
            meanwhile = asyncio.create_task(asyncio.to_thread(write_many, olga, board, "Meanwhile"))
            await asyncio.to_thread(postgresql.restart)
            later = await asyncio.to_thread(write_many, olga, board, "After")
            written = {before, *later, *await meanwhile}
            await all_are(pages, lambda page: page.cards >= written)
            assert all_codes(pages) <= {4500}, all_losses(pages)

    asyncio.run(story())


def test_forty_open_pages_are_told_to_come_back_when_their_database_stays_away(postgresql, olga):
    """The first to notice are the regular checks of access, half a minute after the page was opened."""
    board = olga.new_board()

    async def story() -> None:
        async with open_pages(olga, board, PAGES) as pages:
            await asyncio.to_thread(postgresql.kill)
            try:
                await all_are(pages, lambda page: page.codes)
            finally:
                await asyncio.to_thread(postgresql.start)
            card = await asyncio.to_thread(write, olga, board, "After")
            await all_are(pages, lambda page: page.cards == {card})
            assert all_codes(pages) == {4500}, all_losses(pages)

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
                assert all_codes(pages) == {4500}, all_losses(pages)
        finally:
            if not postgresql.answers():
                postgresql.start()

    asyncio.run(story())


def write_many(olga: Person, board: dict[str, Any], title: str) -> list[str]:
    return [write(olga, board, f"{title} {number}") for number in range(20)]


def all_codes(pages: list[OpenPage]) -> set[int]:
    """Return the codes with which the sockets of these pages were closed. 1006 is a connection that was lost."""
    return {code for page in pages for code in page.codes}


def all_losses(pages: list[OpenPage]) -> list[str]:
    return [loss for page in pages for loss in page.losses]


async def all_are(pages: list[OpenPage], so: Callable[[OpenPage], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        for page in pages:
            await page.becomes(so)
