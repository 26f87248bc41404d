"""One person and one address may have so many sockets, with the fake database of test_live_page.py."""

import asyncio

import pytest
from uuid_utils.compat import uuid7

from core.limits.concurrency_caps import ConcurrencyCaps
from core.outage import Throttle
from taskboard import settings as defaults
from taskboard.tests.waiting import PATIENCE, becomes
from web.live import gate
from web.live.gate import TOO_MANY
from web.live.routing import gate as the_gate
from web.live.silence import SENDS
from web.live.socket import TRY_AGAIN
from web.tests.test_live_page import database, opened, run, settled

__all__ = ["database"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch, settings):
    monkeypatch.setattr(gate, "PAUSE", 0)
    monkeypatch.setattr(gate, "concurrency_caps", ConcurrencyCaps(settings.REDIS_URL))
    settings.SOCKETS_PER_PERSON, settings.SOCKETS_PER_ADDRESS = 3, 5


async def code_of(*options) -> int:
    async with opened(*options) as page:
        return await page.close_code()


def test_one_socket_too_many_of_a_person_is_turned_away_and_the_others_go_on(database):
    async def story() -> None:
        async with settled() as first, settled(), settled():
            assert await code_of() == TOO_MANY
            database.change()
            assert await first.message() == (1, 2)

    run(story)


def test_a_closed_socket_makes_room_for_the_next(database):
    async def story() -> None:
        async with settled(), settled():
            for _number in range(5):
                async with settled() as page:
                    assert await page.is_quiet()

    run(story)


def test_people_behind_one_address_have_room_up_to_the_cap_of_the_address(database):
    async def story() -> None:
        async with settled(), settled(), settled():
            database.person = uuid7()
            async with settled(), settled():
                database.person = uuid7()
                assert await code_of() == TOO_MANY

    run(story)


def test_behind_a_proxy_the_address_is_the_one_that_the_proxy_saw_and_ipv6_counts_by_its_network(database, settings):
    settings.TRUSTED_PROXIES, settings.SOCKETS_PER_ADDRESS = 1, 1

    def seen(address: bytes) -> tuple[object, ...]:
        return 1, b"x", (b"x-forwarded-for", b"198.51.100.1"), (b"x-forwarded-for", address)

    async def story() -> None:
        async with settled(*seen(b"2001:db8::1")), settled(*seen(b"2001:db8:0:1::1")):
            assert await code_of(*seen(b"2001:db8::2")) == TOO_MANY

    run(story)


def test_a_socket_beyond_the_rate_of_its_address_is_turned_away_before_anybody_is_looked_up(
    database, settings, monkeypatch
):
    settings.LIMITS = {**settings.LIMITS, "live-address": "2/d"}
    looked_up: list[str] = []
    monkeypatch.setattr("web.live.consumer.user_of", lambda session: looked_up.append(session) or database.person)

    async def story() -> None:
        for _number in range(2):
            async with settled():
                pass
        looked_up.clear()
        assert await code_of() == TOO_MANY
        assert looked_up == []

    run(story)


def test_a_session_beyond_its_rate_is_turned_away_and_another_is_not(database, settings):
    settings.LIMITS = {**settings.LIMITS, "live-session": "2/d"}

    async def story() -> None:
        for _number in range(2):
            async with settled():
                pass
        assert await code_of() == TOO_MANY
        async with settled(session=b"another"):
            pass

    run(story)


def test_sockets_leave_room_for_pages_in_the_open_files(database, monkeypatch, settings, caplog):
    """Four of five: with five open files a fifth socket is turned away, and it is said in the log."""
    monkeypatch.setattr(gate, "file_limit", lambda: 5)
    monkeypatch.setattr(gate, "full", Throttle(60))
    settings.SOCKETS_PER_PERSON = settings.SOCKETS_PER_ADDRESS = 10

    async def story() -> None:
        async with settled(), settled(), settled(), settled():
            for _time in range(2):
                assert await code_of() == TOO_MANY

    run(story)
    assert [line.levelname for line in caplog.records if "open files" in line.message] == ["WARNING"]


def test_without_limits_nobody_is_turned_away(database, settings):
    settings.LIMITS = None

    async def story() -> None:
        async with settled(), settled(), settled(), settled() as fourth:
            assert await fourth.is_quiet()

    run(story)


def test_a_client_that_sends_something_is_closed(database):
    async def story() -> None:
        async with settled() as page:
            await page.communicator.send_to(text_data="hello")
            assert await page.close_code() == SENDS

    run(story)


def test_while_redis_is_away_nobody_is_turned_away_for_it(database, settings, monkeypatch):
    monkeypatch.setattr(
        "core.limits.concurrency_caps.REFRESH", 3600
    )  # later tests would find the thread's warnings in their logs
    monkeypatch.setattr(gate, "concurrency_caps", ConcurrencyCaps("redis://127.0.0.1:1/0"))

    async def story() -> None:
        async with settled(), settled(), settled():
            assert await code_of() == TOO_MANY
        async with settled():
            pass

    run(story)


def test_ten_tabs_of_a_person_and_five_of_a_hundred_people_behind_one_address_have_room():
    assert defaults.SOCKETS_PER_PERSON >= 10
    assert defaults.SOCKETS_PER_ADDRESS >= 100 * 5
    assert (
        int(defaults.LIMITS["live-address"].partition("/")[0]) >= 100 * 5 * 2
    )  # all of them come back twice in a minute


def test_a_server_that_ends_waits_for_all_of_its_sockets(database, monkeypatch):
    monkeypatch.setattr(gate, "FAREWELL", 0)
    monkeypatch.setattr(gate, "CLOSING_WITHIN", PATIENCE)
    leave, left = gate.SocketPlaces.leave, []

    async def story() -> None:
        may_leave = asyncio.Semaphore(0)

        async def leave_when_allowed(place: gate.SocketPlaces) -> None:
            await may_leave.acquire()
            await leave(place)
            left.append(place)

        monkeypatch.setattr(gate.SocketPlaces, "leave", leave_when_allowed)
        async with settled() as first, settled() as second:
            tasks = {*the_gate.open}
            closing = asyncio.create_task(the_gate.close_all())
            may_leave.release()
            await becomes(lambda: any(task.done() for task in tasks))
            assert not closing.done()
            may_leave.release()
            await closing
            assert len(left) == 2
            assert [await page.close_code() for page in (first, second)] == [TRY_AGAIN] * 2

    run(story)
