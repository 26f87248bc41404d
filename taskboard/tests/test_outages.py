"""PostgreSQL and Redis are really frozen, killed and restarted, below gunicorn as docs/running/growing.md starts it."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import httpx
import pytest
from redis import Redis

from taskboard.tests.own_services import Own, OwnPostgreSQL, OwnRedis, own_postgresql, own_redis
from taskboard.tests.people import Person
from taskboard.tests.prepared import prepared_cluster, prepared_data
from taskboard.tests.processes import GUNICORN, Process, processes
from taskboard.tests.servers import PLAIN_HTTP
from taskboard.tests.waiting import wait_until

pytestmark = [pytest.mark.usefixtures("own_services"), pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def postgresql() -> Iterator[OwnPostgreSQL]:
    with own_postgresql(prepared_cluster()[0]) as own:
        yield own


@pytest.fixture(scope="module")
def redis() -> Iterator[OwnRedis]:
    with own_redis() as own:
        yield own


@pytest.fixture(scope="module")
def gunicorn(postgresql, redis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    data = prepared_data(tmp_path_factory.mktemp("data"))
    environment = {"TASKBOARD_DATA": str(data), "DATABASE_URL": postgresql.url, "REDIS_URL": redis.url}
    environment["TASKBOARD_LIMITS"] = ",".join(f"{name}=99999/m" for name in ("me", "boards", "boards-read", "cards"))
    process = Process(GUNICORN, environment, tmp_path_factory.mktemp("logs") / "gunicorn")
    process.cast = prepared_cluster()[1]
    with processes(process):
        yield process


@pytest.fixture(scope="module")
def olga(gunicorn: Process) -> Iterator[Person]:
    with closing(Person(gunicorn.url, **gunicorn.cast["olga"], name="olga")) as olga:
        yield olga


@pytest.fixture
def healthy(gunicorn, postgresql, redis) -> Iterator[None]:
    """A service that has used its connections, and is well again after the test."""
    wait_until_well(gunicorn)
    yield
    for own in (postgresql, redis):
        own.thaw()
        if not own.answers():
            own.start()
    wait_until_well(gunicorn)


@pytest.fixture
def new_lines(gunicorn: Process) -> Callable[[], list[str]]:
    before = gunicorn.log.stat().st_size
    return lambda: gunicorn.log.read_text()[before:].splitlines()


def wait_until_well(gunicorn: Process | Person) -> None:
    wait_until(lambda: httpx.get(f"{gunicorn.url}/healthz", **PLAIN_HTTP).text == '{"status": "ok"}')


def at_once(number: int, ask: Callable[[], httpx.Response]) -> list[int]:
    """Return the statuses of `number` simultaneous requests."""
    with ThreadPoolExecutor(number) as threads:
        return [future.result().status_code for future in [threads.submit(ask) for _number in range(number)]]


def statuses_while_frozen(own: Own, olga: Person) -> set[int]:
    """Freeze the service for three rounds of four simultaneous calls, which end before it goes on. Return their statuses."""
    at_once(4, me(olga))  # connections that have been used
    with own.frozen():
        return {status for _round in range(3) for status in at_once(4, me(olga))}


def me(olga: Person) -> Callable[[], httpx.Response]:
    headers = {"Authorization": f"Bearer {olga.token}"}
    return lambda: httpx.get(f"{olga.url}/api/v1/me", headers=headers, **PLAIN_HTTP)


def test_no_request_waits_for_a_frozen_postgresql(healthy, postgresql, olga):
    assert statuses_while_frozen(postgresql, olga) == {503}
    wait_until_well(olga)
    assert me(olga)().status_code == 200


def test_healthz_does_not_wait_for_a_frozen_postgresql(healthy, postgresql, olga):
    with postgresql.frozen():
        assert httpx.get(f"{olga.url}/healthz", **PLAIN_HTTP).status_code == 503


def test_a_killed_postgresql_is_a_page_that_says_so_and_a_sentence_of_the_api(healthy, postgresql, olga):
    postgresql.kill()
    page = olga.browser.get("/", headers={"Accept-Language": "en"})
    assert (page.status_code, page.headers["Retry-After"]) == (503, "1")
    assert "Temporarily unavailable" in page.text
    call = me(olga)()
    assert (call.status_code, call.headers["Retry-After"]) == (503, "1")
    assert call.json()["error"].startswith("The service cannot reach its database")
    assert httpx.get(f"{olga.url}/sign-in", **PLAIN_HTTP).status_code == 200  # asks nothing of the database
    assert httpx.get(f"{olga.url}/livez", **PLAIN_HTTP).status_code == 200


def test_an_outage_is_told_without_tracebacks(healthy, postgresql, olga, new_lines):
    postgresql.kill()
    for _repeat in range(20):
        assert olga.browser.get("/").status_code == me(olga)().status_code == 503
    lines = new_lines()
    assert lines
    assert not [line for line in lines if "Traceback" in line or line.startswith(" ")]


def test_connections_that_a_restart_cut_are_noticed_before_they_are_used(healthy, postgresql, olga):
    at_once(8, me(olga))
    postgresql.restart()
    assert [me(olga)().status_code for _repeat in range(20)] == [200] * 20


def test_no_request_waits_for_a_frozen_redis_and_people_sign_in(healthy, redis, olga):
    assert statuses_while_frozen(redis, olga) == {200}
    with redis.frozen(), olga.elsewhere() as again:
        assert again.browser.get("/settings/profile").status_code == 200


def test_without_redis_people_sign_in_and_the_service_says_that_it_is_away(healthy, redis, olga):
    redis.kill()
    with olga.elsewhere() as again:
        assert again.browser.get("/settings/profile").status_code == 200
    assert httpx.get(f"{olga.url}/healthz", **PLAIN_HTTP).json() == {"status": "degraded", "redis": False}


def test_without_redis_people_sign_up(healthy, redis, olga, repetition):
    redis.kill()
    with closing(replace(olga, email=f"nora-{repetition}@example.com", session="")) as nora:
        nora.post("/sign-up", email=nora.email, password1="plum tart on sunday", language="en")
        assert nora.at_present().browser.get("/settings/profile").status_code == 200


def test_what_is_kept_in_redis_is_text_and_no_pickle(healthy, redis, olga):
    with olga.elsewhere(), Redis(port=redis.port) as asked:
        kept = [asked.get(key) for key in asked.scan_iter() if asked.type(key) == b"string"]
    assert kept
    assert all(json.loads(value) is not None for value in kept)
