"""Live sockets inside one process: how they react to hints, with a fake database whose answers the tests choose."""

import asyncio
import contextlib
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
from boards.reader import MEMBERS, Reader
from core.bus import MemoryBus, bus
from core.bus.access_check import ACCESS_CHECK, user_group
from taskboard.tests.waiting import PATIENCE, becomes
from web.live import consumer, hub, pages, threads
from web.live.backlog import Backlog, Send
from web.live.catchup import Update
from web.live.cursor import Cursor
from web.live.routing import websockets
from web.live.socket import TRY_AGAIN
from web.live.threads import Threads
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
        return self.refusal or Visitor(self.reader, {BOARD: Cursor(self.version)}, {})

    def changes_since(self, board_id: UUID, since: int, language: str, *also: object) -> Update:
        self.readings.append((since, language))
        version = self.version
        self.may_read.wait(PATIENCE)
        if self.failures:
            raise self.failures.pop()
        text = "" if since == version else json.dumps({"since": since, "version": version})
        return Update(version, None, text, frozenset({self.person} if self.members is None else self.members))

    def change(self) -> None:
        self.version += 1
        hint(BOARD, self.version)

    async def change_and_begin_to_read(self) -> None:
        self.change()
        await becomes(lambda: self.readings)


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Database:
    own = MemoryBus()
    monkeypatch.setattr(bus, "publish", own.publish)
    monkeypatch.setattr(consumer, "hub", hub.Hub(own))
    monkeypatch.setattr(consumer, "CHECKS_EVERY", 3600)  # so that what pages are told comes by a hint
    monkeypatch.setattr(
        threads, "close_old_connections", lambda: None
    )  # tests before may have left some in these threads
    return Database(monkeypatch)


class Daphnes(Backlog):
    """A backlog as it is with Daphne, where messages are sent past ASGI."""

    def __init__(self, send: Send, emptied: Callable[[], None]) -> None:
        super().__init__(send, emptied)
        self.by_asgi = send

    def send(self, text: str) -> bool:
        sending = self.by_asgi({"type": "websocket.send", "text": text})
        with contextlib.suppress(StopIteration):
            sending.send(None)  # type: ignore[attr-defined]  # it never waits
        return True


@pytest.fixture(params=["by ASGI", "at once"], autouse=True)
def at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Run each test with and without what sends updates past the task of the socket. Tell whether it is with it."""
    if request.param == "at once":
        monkeypatch.setattr(consumer, "Backlog", Daphnes)
    return request.param == "at once"


class Page:
    def __init__(self, communicator: WebsocketCommunicator) -> None:
        self.communicator = communicator

    async def message(self) -> tuple[int, int]:
        message = json.loads(await self.communicator.receive_from(timeout=30))
        return message["since"], message["version"]

    async def close_code(self) -> int:
        """Return the code that the socket is closed with. Skip the messages before."""
        output: dict[str, Any] = {}
        while output.get("type") != "websocket.close":
            output = await asyncio.wait_for(self.communicator.output_queue.get(), 30)
        return output["code"]

    @property
    def socket(self) -> consumer.LiveConsumer | None:
        """Return the server's end, once it listens."""
        headers = self.communicator.scope["headers"]
        return next((one for one in consumer.hub._pages if one.scope["headers"] is headers), None)

    async def is_quiet(self) -> bool:
        """Tell whether the socket sends nothing before a message that it sends after all that was asked of it."""
        socket = await becomes(lambda: self.socket)
        asyncio.get_running_loop().call_soon(socket.show_presence, LAST)
        return await self.communicator.receive_from(timeout=30) == LAST


LAST = "the last message"
OWN_HEADERS = [(b"origin", b"http://localhost"), (b"host", b"localhost")]


@asynccontextmanager
async def opened(since: int | str = 1, session: bytes = b"x", *more: tuple[bytes, bytes]) -> Any:
    headers = [*OWN_HEADERS, (b"cookie", b"sessionid=" + session), *more]
    communicator = WebsocketCommunicator(websockets, f"/ws/board/{BOARD}?since={since}", headers)
    accepted, _protocol = await communicator.connect(timeout=30)
    assert accepted
    page = Page(communicator)
    try:
        yield page
    finally:
        if not communicator.future.done():
            await communicator.disconnect(timeout=30)


@asynccontextmanager
async def settled(since: int = 1, session: bytes = b"x", *more: tuple[bytes, bytes]) -> Any:
    """A page that has joined its groups and finished its first check. `more` are headers."""
    async with opened(since, session, *more) as page:
        await becomes(lambda: page.socket and page.socket.next_check)
        assert await page.is_quiet()
        yield page


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(60):
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


def test_a_stream_of_hints_does_not_postpone_the_periodic_check(database):
    async def story() -> None:
        async with settled() as page:
            timer = page.socket.next_check
            for version in range(1, 11):
                database.change()
                assert await page.message() == (version, version + 1)
            assert page.socket.next_check is timer
            assert not timer.cancelled()

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
    found = Visitor(database.reader, {BOARD: Cursor(1)}, {})

    def check_while_something_changes(session: str, board_ids: list[UUID]) -> Visitor:
        database.change()
        return found

    monkeypatch.setattr(consumer, "check_access", check_while_something_changes)

    async def story() -> None:
        async with opened(since=1) as page:
            assert await page.message() == (1, 2)

    run(story)


def test_five_hundred_hints_while_a_page_is_busy_cost_one_more_reading(database, at_once):
    async def story() -> None:
        async with settled() as page:
            database.may_read.clear()
            await database.change_and_begin_to_read()
            for _number in range(500):
                database.change()
            database.may_read.set()
            if at_once:
                assert await page.message() == (1, 2)
                assert await page.message() == (2, 502)
            else:
                assert await page.message() == (1, 502)
            assert await page.is_quiet()
            assert len(database.readings) == 2

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


def waits(task: "asyncio.Task[Any]") -> bool:
    """Tell whether the task has begun, and waits for something."""
    return task.get_coro().cr_await is not None


def reading(wanted: int) -> "asyncio.Task[Update | None]":
    return asyncio.create_task(consumer.hub.changes(BOARD, Cursor(1), "en", wanted, MEMBERS))


def test_an_update_read_too_early_is_read_once_more_for_all_pages_that_want_a_later_one(database):
    async def story() -> None:
        database.version = 2
        database.may_read.clear()
        early = reading(2)
        await becomes(lambda: database.readings)
        database.version = 3
        late = [reading(3) for _number in range(3)]
        await becomes(lambda: all(map(waits, late)))
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
        await becomes(lambda: database.readings and all(map(waits, both)))
        leaving, staying = both[leaver], both[1 - leaver]
        leaving.cancel()
        await asyncio.wait([leaving])
        database.may_read.set()
        assert (await staying).version == 2

    run(story)


@pytest.mark.parametrize(
    ("failure", "told_by"), [(OperationalError("away"), "web.live.threads"), (ValueError("a bug"), "web.live.socket")]
)
def test_a_failed_reading_closes_the_page_which_can_reconnect(database, caplog, failure, told_by):
    async def story() -> None:
        async with settled() as page:
            database.failures.append(failure)
            database.change()
            assert await page.close_code() == TRY_AGAIN
        async with opened(since=1) as page:
            assert await page.message() == (1, 2)

    run(story)
    assert [record.name for record in caplog.records] == [told_by]


def test_an_outage_that_closes_many_pages_is_one_line_of_the_log(database, caplog):
    async def story() -> None:
        since = database.version
        async with settled(since) as first, settled(since) as second, settled(since) as third:
            database.failures.append(OperationalError("connection refused\n\tIs the server running?"))
            database.change()
            assert [await page.close_code() for page in (first, second, third)] == [TRY_AGAIN] * 3

    run(story)
    run(story)  # the database answers again, and then there is another outage
    line = "live pages are closed, and come back when the database answers: connection refused Is the server running?"
    assert [record.getMessage() for record in caplog.records] == [line] * 2


def the_serving_task() -> "asyncio.Task[None]":
    [task] = [task for task in asyncio.all_tasks() if task.get_coro().__name__ == "serve_and_close"]
    return task


def test_a_socket_whose_serving_task_is_cancelled_is_closed(database):
    async def story() -> None:
        async with settled() as page:
            the_serving_task().cancel()
            assert await page.close_code() == TRY_AGAIN

    run(story)


def test_a_socket_whose_application_is_cancelled_is_closed(database):
    """This is how Daphne ends."""

    async def story() -> None:
        async with settled() as page:
            page.communicator.future.cancel()
            assert await page.close_code() == TRY_AGAIN

    run(story)


def fail(*args: object) -> None:
    raise RuntimeError("a bug")


@pytest.mark.parametrize("failing", ["asked", "beat"])
def test_a_socket_with_a_fault_anywhere_is_closed(database, monkeypatch, failing):
    monkeypatch.setattr(pages.BoardConsumer, failing, fail)

    async def story() -> None:
        async with opened(since="1&beats") as page:
            assert await page.close_code() == TRY_AGAIN

    run(story)


def test_a_socket_whose_message_cannot_be_taken_is_closed_and_the_server_is_told_the_fault(database, monkeypatch):
    monkeypatch.setattr(pages.BoardConsumer, "websocket_receive", fail)

    async def story() -> None:
        page = Page(WebsocketCommunicator(websockets, f"/ws/board/{BOARD}", OWN_HEADERS))
        await page.communicator.connect(timeout=30)
        await page.communicator.send_to("x")
        assert await page.close_code() == TRY_AGAIN
        with pytest.raises(RuntimeError, match="a bug"):
            await page.communicator.wait()

    run(story)


def test_a_socket_that_cannot_be_closed_ends_its_application_in_an_error(database, monkeypatch):
    """Daphne closes the sockets of applications that raise."""

    async def close(socket: consumer.LiveConsumer, code: int) -> None:
        raise ValueError("no such code")

    monkeypatch.setattr(consumer.LiveConsumer, "close", close)

    async def story() -> None:
        async with opened() as page:
            database.failures.append(OperationalError("the database is away"))
            database.change()
            with pytest.raises(ValueError, match="no such code"):
                await page.communicator.wait(30)

    run(story)


def test_work_that_waits_fails_together_with_the_work_that_finds_the_database_away():
    threads, may_fail = Threads(1, "test"), threading.Event()

    def fail() -> None:
        may_fail.wait(PATIENCE)
        raise OperationalError("the database is away")

    def answer() -> int:
        return 42

    async def story() -> None:
        asked = [asyncio.create_task(threads.run(work)) for work in (fail, answer, answer)]
        await becomes(lambda: all(map(waits, asked)))
        may_fail.set()
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(error) for error in found] == [OperationalError] * 3
        assert await threads.run(answer) == 42

    run(story)


def test_work_that_waits_does_not_fail_together_with_a_bug():
    threads, may_fail = Threads(1, "test"), threading.Event()

    def fail() -> None:
        may_fail.wait(PATIENCE)
        raise ValueError("a bug")

    async def story() -> None:
        failing, waiting = asyncio.create_task(threads.run(fail)), asyncio.create_task(threads.run(lambda: 42))
        await becomes(lambda: waits(waiting))
        may_fail.set()
        assert await waiting == 42
        with pytest.raises(ValueError, match="a bug"):
            await failing

    run(story)


def test_a_user_who_is_no_longer_a_member_is_sent_nothing(database):
    """The message about their removal may arrive later than changes made after it."""

    async def story() -> None:
        async with settled() as page:
            database.members, database.refusal = set(), NO_ACCESS
            database.change()
            first = await page.communicator.receive_output(timeout=30)
            assert (first["type"], first.get("code")) == ("websocket.close", NO_ACCESS)

    run(story)


def test_an_update_during_which_access_is_checked_is_sent_once(database, monkeypatch):
    checks = []
    monkeypatch.setattr(consumer, "check_access", lambda *asked: checks.append(asked) or database.check_access(*asked))

    async def story() -> None:
        async with settled() as page:
            database.may_read.clear()
            await database.change_and_begin_to_read()
            bus.publish(user_group(database.person), ACCESS_CHECK)
            await becomes(lambda: len(checks) == 2)
            database.may_read.set()
            assert await page.message() == (1, 2)
            assert await page.is_quiet()
        assert len(database.readings) == 1

    run(story)


def test_an_update_that_was_read_too_slowly_is_not_sent_any_more(database, monkeypatch):
    may_end = threading.Event()

    def changes_since(board_id: UUID, since: int, language: str, *also: object) -> Update:
        update = database.changes_since(board_id, since, language, *also)
        if language == "en":
            may_end.wait(PATIENCE)
        return update

    monkeypatch.setattr(hub, "changes_since", changes_since)

    async def story() -> None:
        async with settled() as page:
            await database.change_and_begin_to_read()
            database.language = "de"  # the page's next check reads anew in that language, and overtakes
            bus.publish(user_group(database.person), ACCESS_CHECK)
            assert await page.message() == (1, 2)
            may_end.set()
            await becomes(lambda: all(reading.done() for reading in consumer.hub._updates.values()))
            assert await page.is_quiet()

    run(story)


def test_a_page_that_asks_for_beats_gets_the_first_when_it_is_up_to_date_and_then_more(database, monkeypatch):
    monkeypatch.setattr(consumer, "BEATS_EVERY", 0.05)

    async def story() -> None:
        database.version = 2
        async with opened(since="1&beats") as page:
            assert await page.message() == (1, 2)
            for _beat in range(3):
                beat = json.loads(await page.communicator.receive_from(timeout=30))
                assert beat == {"beat": 0.05, "spread": 0, "user": str(database.person)}

    run(story)


def test_a_page_that_does_not_ask_for_beats_gets_none(database):
    async def story() -> None:
        async with settled() as page:
            assert not page.socket.next_beat

    run(story)


def test_a_page_that_cannot_be_read_gets_no_beat(database):
    async def story() -> None:
        database.version = 2
        database.failures.append(OperationalError("the database is away"))
        async with opened(since="1&beats") as page:
            assert await page.communicator.output_queue.get() == {"type": "websocket.close", "code": TRY_AGAIN}

    run(story)


def test_beats_say_over_how_long_the_pages_of_this_process_should_spread_when_they_come_back(database, monkeypatch):
    monkeypatch.setattr(consumer, "ARRIVALS", 1)

    async def story() -> None:
        async with settled(), settled(), opened(since="1&beats") as page:
            assert json.loads(await page.communicator.receive_from(timeout=30))["spread"] == 3

    run(story)


def test_a_page_at_another_change_of_the_same_number_is_read_anew(database, monkeypatch):
    mine, theirs = uuid7(), uuid7()
    present = Visitor(database.reader, {BOARD: Cursor(1, theirs)}, {})
    monkeypatch.setattr(consumer, "check_access", lambda session, board_ids: present)

    def changes_since(board_id: UUID, since: int, language: str, change: UUID | None, *also: object) -> Update:
        return Update(1, theirs, json.dumps({"since": since, "version": str(change)}), frozenset({database.person}))

    monkeypatch.setattr(hub, "changes_since", changes_since)

    async def story() -> None:
        async with opened(since=f"1&change={mine}") as page:
            assert await page.message() == (1, str(mine))
            bus.publish(board_group(BOARD), None)
            assert await page.is_quiet()
        async with opened(since=f"1&change={theirs}") as page:
            assert await page.is_quiet()

    run(story)


def test_an_update_is_kept_for_less_long_than_it_takes_to_restore_a_backup(database, monkeypatch):
    monkeypatch.setattr(hub, "KEPT_FOR", 0.05)

    async def story() -> None:
        async with settled():
            await consumer.hub.changes(BOARD, Cursor(1), "en", 1, MEMBERS)
            assert consumer.hub.kept == 1
            await becomes(lambda: not consumer.hub.kept)

    run(story)


class Lagging:
    full = False

    def __init__(self, send: Send, emptied: Callable[[], None]) -> None:
        self.emptied = emptied

    def send(self, text: str) -> bool:
        return False


def test_a_lagging_page_is_sent_the_sum_of_what_it_missed(database, monkeypatch):
    monkeypatch.setattr(consumer, "Backlog", Lagging)

    async def story() -> None:
        async with settled() as page:
            backlog = page.socket.backlog
            backlog.full = True
            for _number in range(3):
                database.change()
            await becomes(
                lambda: page.socket.wanted == {BOARD: 4} and page.socket.waits and not page.socket.wake.is_set()
            )
            assert database.readings == []
            backlog.full = False
            backlog.emptied()
            assert await page.message() == (1, 4)
            assert await page.is_quiet()

    run(story)


def test_a_lagging_page_is_closed_like_others(database, monkeypatch):
    monkeypatch.setattr(consumer, "Backlog", Lagging)

    async def story() -> None:
        async with settled() as page:
            page.socket.backlog.full = True
            database.refusal = NO_ACCESS
            bus.publish(user_group(database.person), ACCESS_CHECK)
            assert await page.close_code() == NO_ACCESS

    run(story)


def test_a_closed_page_leaves_nothing_behind(database):
    async def story() -> None:
        async with settled() as page:
            database.change()
            await page.message()
        await becomes(lambda: asyncio.all_tasks() == {asyncio.current_task()})  # its place is given back, in a thread
        assert not consumer.hub.groups

    run(story)


def test_a_limited_number_of_updates_is_kept(database):
    async def story() -> None:
        async with settled():
            for since in range(2 * hub.KEPT):
                await consumer.hub.changes(BOARD, Cursor(since), "en", 1, MEMBERS)
            assert consumer.hub.kept == hub.KEPT

    run(story)


OTHER = uuid7()


class TwoBoards(consumer.LiveConsumer):
    """A page that shows two boards."""

    def asked(self) -> dict[UUID, Cursor]:
        return {BOARD: Cursor(1), OTHER: Cursor(1)}


class Boards:
    """A fake for two boards, each at a version, with one reader."""

    def __init__(self) -> None:
        self.reader = Reader(User(pk=uuid7(), language="en"))
        self.versions, self.refused = {BOARD: 1, OTHER: 1}, {}

    def check_access(self, session: str, board_ids: list[UUID]) -> Visitor:
        seen = {pk: Cursor(self.versions[pk]) for pk in board_ids if pk not in self.refused}
        return Visitor(self.reader, seen, {pk: self.refused[pk] for pk in board_ids if pk in self.refused})

    def changes_since(self, board_id: UUID, since: int, language: str, *also: object) -> Update:
        version = self.versions[board_id]
        text = json.dumps({"board": str(board_id), "since": since, "version": version})
        return Update(version, None, text, frozenset({self.reader.user.pk}))

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
    connected, _protocol = await communicator.connect(timeout=30)
    assert connected
    try:
        await becomes(lambda: any(page.next_check for page in consumer.hub._pages))
        yield communicator
    finally:
        await communicator.disconnect(timeout=30)


def test_a_page_of_two_boards_gets_a_message_for_each(boards):
    async def story() -> None:
        async with page_of_two() as page:
            for board_id, since in ((BOARD, 1), (OTHER, 1), (OTHER, 2)):
                boards.change(board_id)
                message = json.loads(await page.receive_from(timeout=30))
                assert message == {"board": str(board_id), "since": since, "version": since + 1}

    run(story)


def test_a_page_of_two_boards_goes_on_with_one_when_it_loses_access_to_the_other(boards):
    async def story() -> None:
        async with page_of_two() as page:
            boards.lose(OTHER)
            message = json.loads(await page.receive_from(timeout=30))
            assert (message["board"], message["changed"]) == (str(OTHER), [])
            assert message["removed"] == [{"kind": "board", "id": str(OTHER)}]
            boards.change(OTHER)
            boards.change(BOARD)
            assert json.loads(await page.receive_from(timeout=30))["board"] == str(BOARD)
            boards.lose(BOARD)
            output = await page.receive_output(timeout=30)
            assert (output["type"], output["code"]) == ("websocket.close", NO_ACCESS)

    run(story)
