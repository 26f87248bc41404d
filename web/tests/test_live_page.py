"""Live sockets inside one process: how they react to hints, with a fake database whose answers the tests choose."""

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest
from channels.sessions import CookieMiddleware
from channels.testing import WebsocketCommunicator
from django.db import OperationalError
from uuid_utils.compat import uuid7

from accounts.models import User
from boards.hints import board_group, hint
from boards.reader import Reader
from core.bus import MemoryBus, bus
from core.groups import ACCESS_CHECK, user_group
from web.live import consumer, hub
from web.live.catchup import Update
from web.live.routing import websockets
from web.live.visitors import NO_ACCESS, NOT_SIGNED_IN, Visitor

BOARD = uuid7()


class Database:
    """A fake for a board at a version. It records each reading, and replaces the access checks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.version, self.person, self.language = 1, uuid7(), "en"
        self.members: set[UUID] | None = None
        self.refusal: int | None = None
        self.readings: list[tuple[int, str]] = []
        self.failures: list[Exception] = []
        self.may_read = threading.Event()
        self.may_read.set()
        monkeypatch.setattr(consumer, "user_of", lambda session: self.person)
        monkeypatch.setattr(consumer, "check_access", self.check_access)
        monkeypatch.setattr(hub, "changes_since", self.changes_since)

    @property
    def reader(self) -> Reader:
        return Reader(User(pk=self.person, language=self.language))

    def check_access(self, session: str, board_ids: list[UUID]) -> Visitor | int:
        if self.refusal == NO_ACCESS:
            return Visitor(self.reader, {}, {BOARD: NO_ACCESS})
        return self.refusal or Visitor(self.reader, {BOARD: self.version}, {})

    def changes_since(self, board_id: UUID, since: int, language: str) -> Update:
        self.readings.append((since, language))
        version = self.version
        self.may_read.wait(10)
        if self.failures:
            raise self.failures.pop()
        text = "" if since == version else json.dumps({"since": since, "version": version})
        return Update(version, text, frozenset({self.person} if self.members is None else self.members))

    def change(self) -> None:
        self.version += 1
        hint(BOARD, self.version)


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Database:
    own = MemoryBus()
    monkeypatch.setattr(bus, "publish", own.publish)
    monkeypatch.setattr(consumer, "hub", hub.Hub(own))
    return Database(monkeypatch)


class Page:
    def __init__(self, communicator: WebsocketCommunicator) -> None:
        self.communicator = communicator

    async def message(self) -> tuple[int, int]:
        message = json.loads(await self.communicator.receive_from(timeout=5))
        return message["since"], message["version"]

    async def close_code(self) -> int:
        """Return the code that the socket is closed with. Skip the messages before."""
        output: dict[str, Any] = {}
        while output.get("type") != "websocket.close":
            output = await self.communicator.receive_output(timeout=5)
        return output["code"]

    async def is_quiet(self) -> bool:
        return await self.communicator.receive_nothing(timeout=0.1)


@asynccontextmanager
async def opened(since: int = 1) -> Any:
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost"), (b"cookie", b"sessionid=x")]
    communicator = WebsocketCommunicator(websockets, f"/ws/board/{BOARD}?since={since}", headers)
    accepted, _protocol = await communicator.connect(timeout=5)
    assert accepted
    page = Page(communicator)
    try:
        yield page
    finally:
        await communicator.disconnect(timeout=5)


@asynccontextmanager
async def settled(since: int = 1) -> Any:
    """A page that has joined its groups and finished its first check."""
    async with opened(since) as page:
        while not consumer.hub.groups:
            await asyncio.sleep(0.001)
        assert await page.is_quiet()
        yield page


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(20):
            await story()

    asyncio.run(limited())


def test_doubled_and_late_hints_read_and_send_nothing_twice(database):
    async def story() -> None:
        async with settled() as page:
            for _number in range(2):
                database.change()
            while (await page.message())[1] < 3:
                pass
            readings = len(database.readings)
            for version in (3, 2, 3, 1):
                hint(BOARD, version)
            assert await page.is_quiet()
            assert len(database.readings) == readings

    run(story)


def test_the_periodic_check_makes_up_for_a_lost_hint(database, monkeypatch):
    monkeypatch.setattr(consumer, "CHECKS_EVERY", 0.05)

    async def story() -> None:
        async with settled() as page:
            database.version = 2
            assert await page.message() == (1, 2)
            database.version = 3
            assert await page.message() == (2, 3)

    run(story)


def test_the_periodic_check_notices_access_that_ended_without_a_message(database, monkeypatch):
    monkeypatch.setattr(consumer, "CHECKS_EVERY", 0.05)

    async def story() -> None:
        async with settled() as page:
            database.refusal = NOT_SIGNED_IN
            assert await page.close_code() == NOT_SIGNED_IN

    run(story)


def test_a_stream_of_hints_does_not_postpone_the_periodic_check(database, monkeypatch):
    monkeypatch.setattr(consumer, "CHECKS_EVERY", 0.2)

    async def keep_changing() -> None:
        while True:
            database.change()
            await asyncio.sleep(0.02)

    async def story() -> None:
        async with settled() as page:
            database.refusal = NOT_SIGNED_IN
            changing = asyncio.create_task(keep_changing())
            assert await page.close_code() == NOT_SIGNED_IN
            changing.cancel()

    run(story)


def test_a_message_to_a_users_group_makes_their_pages_check_access(database):
    async def story() -> None:
        async with settled() as page:
            bus.publish(user_group(uuid7()), ACCESS_CHECK)
            bus.publish(user_group(database.person), ACCESS_CHECK)
            assert await page.is_quiet()
            database.refusal = NO_ACCESS
            bus.publish(user_group(database.person), ACCESS_CHECK)
            assert await page.close_code() == NO_ACCESS

    run(story)


def test_every_page_checks_its_version_when_hints_may_have_been_lost(database):
    async def story() -> None:
        async with settled() as page:
            database.version = 2
            bus.publish(board_group(BOARD), None)
            assert await page.message() == (1, 2)

    run(story)


def test_a_change_during_the_first_check_is_not_missed(database, monkeypatch):
    """The page subscribes before it checks."""
    found = Visitor(database.reader, {BOARD: 1}, {})

    def check_while_something_changes(session: str, board_ids: list[UUID]) -> Visitor:
        database.change()
        return found

    monkeypatch.setattr(consumer, "check_access", check_while_something_changes)

    async def story() -> None:
        async with opened(since=1) as page:
            assert await page.message() == (1, 2)

    run(story)


def test_five_hundred_hints_while_a_page_is_busy_cost_one_more_reading(database):
    async def story() -> None:
        async with settled() as page:
            database.may_read.clear()
            database.change()
            while not database.readings:
                await asyncio.sleep(0.001)
            for _number in range(500):
                database.change()
            database.may_read.set()
            assert await page.message() == (1, 2)
            assert await page.message() == (2, 502)
            assert await page.is_quiet()
            assert database.readings == [(1, "en"), (2, "en")]

    run(story)


def test_pages_at_one_cursor_in_one_language_share_a_reading(database):
    async def story() -> None:
        async with settled() as first, settled() as second, settled() as third:
            database.language = "de"
            async with settled() as german:
                database.change()
                for page in (first, second, third, german):
                    assert await page.message() == (1, 2)
        assert sorted(database.readings) == [(1, "de"), (1, "en")]

    run(story)


def reading(wanted: int) -> "asyncio.Task[Update | None]":
    return asyncio.create_task(consumer.hub.changes(BOARD, 1, "en", wanted))


def test_an_update_read_too_early_is_read_once_more_for_all_pages_that_want_a_later_one(database):
    async def story() -> None:
        database.version = 2
        database.may_read.clear()
        early = reading(2)
        while not database.readings:
            await asyncio.sleep(0.001)
        database.version = 3
        late = [reading(3) for _number in range(3)]
        await asyncio.sleep(0)
        database.may_read.set()
        assert [update.version for update in await asyncio.gather(early, *late)] == [2, 3, 3, 3]
        assert len(database.readings) == 2

    run(story)


@pytest.mark.parametrize("leaver", [0, 1])
def test_a_page_that_disconnects_does_not_cancel_a_shared_reading(database, leaver):
    async def story() -> None:
        database.version = 2
        database.may_read.clear()
        both = [reading(2), reading(2)]
        while not database.readings:
            await asyncio.sleep(0.001)
        leaving, staying = both[leaver], both[1 - leaver]
        leaving.cancel()
        await asyncio.wait([leaving])
        database.may_read.set()
        assert (await staying).version == 2

    run(story)


@pytest.mark.parametrize("failure", [OperationalError("the database is away"), ValueError("a bug")])
def test_a_failed_reading_closes_the_page_which_can_reconnect(database, caplog, failure):
    async def story() -> None:
        async with settled() as page:
            database.failures.append(failure)
            database.change()
            assert await page.close_code() == consumer.TRY_AGAIN
        async with opened(since=1) as page:
            assert await page.message() == (1, 2)

    run(story)
    assert [record.name for record in caplog.records] == ["web.live.consumer"]


def test_a_user_who_is_no_longer_a_member_is_sent_nothing(database):
    """The message about their removal may arrive later than changes made after it."""

    async def story() -> None:
        async with settled() as page:
            database.members, database.refusal = set(), NO_ACCESS
            database.change()
            assert await page.close_code() == NO_ACCESS

    run(story)


class Lagging:
    def __init__(self, emptied: Callable[[], None], full: bool = False) -> None:
        self.emptied, self.full = emptied, full


def test_a_lagging_page_is_sent_the_sum_of_what_it_missed(database, monkeypatch):
    made = []
    monkeypatch.setattr(consumer, "Backlog", lambda send, emptied: made.append(Lagging(emptied)) or made[-1])

    async def story() -> None:
        async with settled() as page:
            [backlog] = made
            backlog.full = True
            for _number in range(3):
                database.change()
            assert await page.is_quiet()
            backlog.full = False
            backlog.emptied()
            assert await page.message() == (1, 4)
            assert await page.is_quiet()

    run(story)


def test_a_lagging_page_is_closed_like_others(database, monkeypatch):
    monkeypatch.setattr(consumer, "Backlog", lambda send, emptied: Lagging(emptied, full=True))

    async def story() -> None:
        async with settled() as page:
            database.refusal = NO_ACCESS
            bus.publish(user_group(database.person), ACCESS_CHECK)
            assert await page.close_code() == NO_ACCESS

    run(story)


def test_a_closed_page_leaves_nothing_behind(database):
    async def story() -> None:
        async with settled() as page:
            database.change()
            await page.message()
        await asyncio.sleep(0)
        assert not consumer.hub.groups
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run(story)


def test_a_limited_number_of_updates_is_kept(database):
    async def story() -> None:
        async with settled():
            for since in range(2 * hub.KEPT):
                await consumer.hub.changes(BOARD, since, "en", 1)
            assert consumer.hub.kept == hub.KEPT

    run(story)


OTHER = uuid7()


class TwoBoards(consumer.LiveConsumer):
    """A page that shows two boards."""

    def asked(self) -> dict[UUID, int]:
        return {BOARD: 1, OTHER: 1}


class Boards:
    """A fake for two boards, each at a version, with one reader."""

    def __init__(self) -> None:
        self.reader = Reader(User(pk=uuid7(), language="en"))
        self.versions, self.refused = {BOARD: 1, OTHER: 1}, {}

    def check_access(self, session: str, board_ids: list[UUID]) -> Visitor:
        seen = {pk: self.versions[pk] for pk in board_ids if pk not in self.refused}
        return Visitor(self.reader, seen, {pk: self.refused[pk] for pk in board_ids if pk in self.refused})

    def changes_since(self, board_id: UUID, since: int, language: str) -> Update:
        version = self.versions[board_id]
        text = json.dumps({"board": str(board_id), "since": since, "version": version})
        return Update(version, text, frozenset({self.reader.user.pk}))

    def change(self, board_id: UUID) -> None:
        self.versions[board_id] += 1
        hint(board_id, self.versions[board_id])

    def lose(self, board_id: UUID) -> None:
        self.refused[board_id] = NO_ACCESS
        bus.publish(user_group(self.reader.user.pk), ACCESS_CHECK)


@pytest.fixture
def boards(database, monkeypatch) -> Boards:
    boards = Boards()
    monkeypatch.setattr(consumer, "user_of", lambda session: boards.reader.user.pk)
    monkeypatch.setattr(consumer, "check_access", boards.check_access)
    monkeypatch.setattr(hub, "changes_since", boards.changes_since)
    return boards


@asynccontextmanager
async def page_of_two() -> Any:
    communicator = WebsocketCommunicator(CookieMiddleware(TwoBoards.as_asgi()), "/ws/two")
    connected, _protocol = await communicator.connect(timeout=5)
    assert connected
    try:
        while not consumer.hub.groups:
            await asyncio.sleep(0.001)
        assert await communicator.receive_nothing(0.1)
        yield communicator
    finally:
        await communicator.disconnect(timeout=5)


def test_a_page_of_two_boards_gets_a_message_for_each(boards):
    async def story() -> None:
        async with page_of_two() as page:
            for board_id, since in ((BOARD, 1), (OTHER, 1), (OTHER, 2)):
                boards.change(board_id)
                message = json.loads(await page.receive_from(timeout=5))
                assert message == {"board": str(board_id), "since": since, "version": since + 1}

    run(story)


def test_a_page_of_two_boards_goes_on_with_one_when_it_loses_access_to_the_other(boards):
    async def story() -> None:
        async with page_of_two() as page:
            boards.lose(OTHER)
            message = json.loads(await page.receive_from(timeout=5))
            assert (message["board"], message["changed"]) == (str(OTHER), [])
            assert message["removed"] == [{"kind": "board", "id": str(OTHER)}]
            boards.change(OTHER)
            boards.change(BOARD)
            assert json.loads(await page.receive_from(timeout=5))["board"] == str(BOARD)
            boards.lose(BOARD)
            output = await page.receive_output(timeout=5)
            assert (output["type"], output["code"]) == ("websocket.close", NO_ACCESS)

    run(story)
