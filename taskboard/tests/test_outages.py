"""PostgreSQL and Redis are really frozen, killed and restarted, below gunicorn as docs/running.md starts it."""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace

import httpx
import pytest
from redis import Redis

from taskboard.tests.own_services import Own, OwnPostgreSQL, OwnRedis, own_postgresql, own_redis
from taskboard.tests.people import Person
from taskboard.tests.prepared import prepared_data, start_for_the_first_time
from taskboard.tests.processes import GUNICORN, Process, processes
from taskboard.tests.servers import PLAIN_HTTP

pytestmark = [pytest.mark.once, pytest.mark.own_services, pytest.mark.timeout(300)]

PROMISED = 2  # seconds that a service which is away may cost a request, and that it takes until all is well again
BUSY = 4  # seconds: where each request waits for the processor too
BACK = 10  # seconds: the same, for what takes several requests


@pytest.fixture(scope="module")
def postgresql() -> Iterator[OwnPostgreSQL]:
    with own_postgresql() as own:
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
    process.cast = json.loads(start_for_the_first_time(TASKBOARD_DATA=str(data), DATABASE_URL=postgresql.url))
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


def wait_until_well(gunicorn: Process) -> float:
    """Return how many seconds it took."""
    began = time.monotonic()
    while httpx.get(f"{gunicorn.url}/healthz", **PLAIN_HTTP).text != '{"status": "ok"}':
        assert time.monotonic() - began < BACK
        time.sleep(0.1)
    return time.monotonic() - began


def timed(ask: Callable[[], httpx.Response]) -> tuple[httpx.Response, float]:
    began = time.monotonic()
    answer = ask()
    return answer, time.monotonic() - began


def at_once(number: int, ask: Callable[[], httpx.Response]) -> tuple[set[int], float]:
    """Return the statuses of `number` simultaneous requests, and how long the slowest took."""
    with ThreadPoolExecutor(number) as threads:
        done = [future.result() for future in [threads.submit(timed, ask) for _number in range(number)]]
    return {answer.status_code for answer, _seconds in done}, max(seconds for _answer, seconds in done)


@dataclass
class Freeze:
    statuses: set[int]
    cost: float  # seconds that the slowest request took
    usual: float  # seconds that it took just before
    back: float  # seconds until all was well again


def freezes(own: Own, olga: Person) -> list[Freeze]:
    """Freeze the service three times for three rounds of four simultaneous calls."""
    return [_freeze(own, olga) for _time in range(3)]


def _freeze(own: Own, olga: Person) -> Freeze:
    at_once(4, me(olga))  # connections that have been used
    _statuses, usual = at_once(4, me(olga))
    with own.frozen():
        rounds = [at_once(4, me(olga)) for _round in range(3)]
    statuses = set.union(*(statuses for statuses, _slowest in rounds))
    return Freeze(statuses, max(slowest for _statuses, slowest in rounds), usual, wait_until_well(olga))


def hold_the_promise(found: list[Freeze]) -> None:
    """Assert that no freeze cost much, and the best of them what is promised and what such a request takes anyway.

    Other work on the machine can only make a freeze cost more.
    """
    assert all(freeze.cost < BUSY and freeze.back < BACK for freeze in found), found
    assert any(freeze.cost < PROMISED + freeze.usual for freeze in found), found
    assert any(freeze.back < PROMISED + freeze.usual for freeze in found), found


def me(olga: Person) -> Callable[[], httpx.Response]:
    headers = {"Authorization": f"Bearer {olga.token}"}
    return lambda: httpx.get(f"{olga.url}/api/v1/me", headers=headers, **PLAIN_HTTP)


def test_a_frozen_postgresql_costs_no_request_long(healthy, postgresql, olga):
    found = freezes(postgresql, olga)
    assert all(freeze.statuses == {503} for freeze in found)
    hold_the_promise(found)
    assert me(olga)().status_code == 200


def test_a_frozen_postgresql_is_told_at_once_by_healthz(healthy, postgresql, olga):
    at_once(4, me(olga))
    with postgresql.frozen():
        assert me(olga)().status_code == 503
        health, seconds = timed(lambda: httpx.get(f"{olga.url}/healthz", **PLAIN_HTTP))
    assert (health.status_code, seconds < 1.5) == (503, True)


def test_while_postgresql_is_frozen_the_request_that_tries_again_asks_once(healthy, postgresql, olga):
    at_once(4, me(olga))  # each leaves a connection in the pool
    postgresql.freeze()
    at_once(1, me(olga))
    ends = time.monotonic() + 6
    while time.monotonic() < ends:
        statuses, slowest = at_once(1, me(olga))
        assert statuses == {503}
        assert slowest < 3  # a second where nothing else runs


def test_a_killed_postgresql_is_a_page_that_says_so_and_a_sentence_of_the_api(healthy, postgresql, olga):
    postgresql.kill()
    page, seconds = timed(lambda: olga.browser.get("/", headers={"Accept-Language": "en"}))
    assert (page.status_code, page.headers["Retry-After"]) == (503, "1")
    assert "Temporarily unavailable" in page.text
    assert seconds < BUSY
    call = me(olga)()
    assert (call.status_code, call.headers["Retry-After"]) == (503, "1")
    assert call.json()["error"].startswith("The service cannot reach its database")
    assert httpx.get(f"{olga.url}/sign-in", **PLAIN_HTTP).status_code == 200  # asks nothing of the database
    assert httpx.get(f"{olga.url}/livez", **PLAIN_HTTP).status_code == 200


def test_an_outage_writes_a_line_a_second_at_most(healthy, postgresql, olga, new_lines):
    postgresql.kill()
    began = time.monotonic()
    for _repeat in range(20):
        assert olga.browser.get("/").status_code == me(olga)().status_code == 503
    seconds = time.monotonic() - began
    lines = new_lines()
    assert not [line for line in lines if "Traceback" in line or line.startswith(" ")]
    assert 0 < len(lines) <= 3 * seconds + 5  # the outage, the refused requests


def test_connections_that_a_restart_cut_are_noticed_before_they_are_used(healthy, postgresql, olga):
    at_once(8, me(olga))
    postgresql.restart()
    assert [me(olga)().status_code for _repeat in range(20)] == [200] * 20


def test_a_frozen_redis_costs_no_request_long_and_people_sign_in(healthy, redis, olga):
    found = freezes(redis, olga)
    assert all(freeze.statuses == {200} for freeze in found)
    hold_the_promise(found)
    with redis.frozen(), olga.elsewhere() as again:
        assert again.browser.get("/settings/profile").status_code == 200


def test_without_redis_people_sign_in_and_the_service_says_that_it_is_away(healthy, redis, olga):
    redis.kill()
    with olga.elsewhere() as again:
        assert again.browser.get("/settings/profile").status_code == 200
    assert httpx.get(f"{olga.url}/healthz", **PLAIN_HTTP).json() == {"status": "degraded", "redis": False}


def test_without_redis_people_sign_up(healthy, redis, olga):
    redis.kill()
    with closing(replace(olga, email="nora@example.com", session="")) as nora:
        nora.post("/sign-up", email=nora.email, password1="plum tart on sunday", language="en")
        assert nora.at_present().browser.get("/settings/profile").status_code == 200


def test_what_is_kept_in_redis_is_text_and_no_pickle(healthy, redis, olga):
    with olga.elsewhere(), Redis(port=redis.port) as asked:
        kept = [asked.get(key) for key in asked.scan_iter() if asked.type(key) == b"string"]
    assert kept
    assert all(json.loads(value) is not None for value in kept)
