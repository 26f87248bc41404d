"""The bus delivers messages from any thread to the listening event loop, and over Redis from process to process."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from redis import Redis

from core.bus import MemoryBus
from core.bus.publisher import PREFIX, Publisher
from core.bus.redis import RedisBus
from core.bus.subscriber import Subscriber
from taskboard.tests.proxy import Proxy
from taskboard.tests.servers import ROOT
from taskboard.tests.waiting import PATIENCE, becomes

Heard = tuple[str, dict[str, Any] | None]


def test_in_one_process_messages_of_all_threads_arrive_on_the_listening_loop():
    bus = MemoryBus()
    heard: list[tuple[int, int]] = []

    def publish(first: int) -> None:
        for number in range(first, first + 100):
            bus.publish("group", {"number": number})

    async def story() -> None:
        bus.listen(lambda group, message: heard.append((message["number"], threading.get_ident())))
        threads = [threading.Thread(target=publish, args=[1000 * number]) for number in range(8)]
        for thread in threads:
            thread.start()
        await becomes(lambda: len(heard) == 800)
        assert {thread for _number, thread in heard} == {threading.get_ident()}

    asyncio.run(story())
    assert len({number for number, _thread in heard}) == 800


def test_in_one_process_publishing_works_without_a_listener():
    bus = MemoryBus()
    heard: list[Heard] = []

    async def listen() -> None:
        bus.listen(lambda *what: heard.append(what))

    bus.publish("group", {})
    asyncio.run(listen())
    bus.publish("group", {})  # its loop is closed
    assert heard == []


def test_a_cancelled_subscriber_ends_even_if_its_connection_ends_with_an_error(monkeypatch, caplog):
    """Otherwise the loop of its process never ends: it waits for all tasks that it has cancelled. Nothing is logged."""
    connections = []

    async def cut_off() -> None:
        connections.append("open")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ConnectionError("cut off") from None

    async def connected(_subscriber: Subscriber) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(cut_off())

    async def story() -> None:
        monkeypatch.setattr(Subscriber, "_connected", connected)
        task = Subscriber("redis://", lambda *_what: None)._task
        await becomes(lambda: connections)
        task.cancel()
        await becomes(task.done)

    asyncio.run(story())
    gc.collect()  # asyncio logs errors of tasks that nobody asked for when they are collected
    assert caplog.messages == []


def test_publishing_does_not_wait_while_redis_does_not_answer(monkeypatch):
    asked, answered = threading.Event(), threading.Event()

    def send(_line, _batch) -> None:
        asked.set()
        assert answered.wait(PATIENCE)

    monkeypatch.setattr("core.bus.publisher._send", send)
    publisher = Publisher("redis://nowhere")
    publisher.publish("group", {"version": 0})
    assert asked.wait(PATIENCE)
    for number in range(1000):
        publisher.publish(f"group.{number % 3}", {"version": number})
    assert len(publisher._waiting) == 3
    answered.set()
    publisher.flush(PATIENCE)


@pytest.mark.parametrize("versions", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_of_the_unsent_messages_to_a_group_the_highest_version_is_kept(monkeypatch, versions):
    """Hints are published after their commits, so two of them may arrive in either order."""
    publisher = Publisher("redis://nowhere")
    monkeypatch.setattr(publisher, "_run", lambda: None)
    for version in versions:
        publisher.publish("board.1", {"version": version})
    publisher.publish("user.1", {"type": "access.check"})
    publisher.publish("user.1", {"type": "access.check"})
    assert publisher._take() == {"board.1": {"version": 3}, "user.1": {"type": "access.check"}}


@pytest.fixture
def redis() -> Iterator[Proxy]:
    """The Redis of REDIS_URL behind a proxy, so that a test can cut the connection."""
    proxy = Proxy(os.environ["REDIS_URL"], 6379)
    yield proxy
    proxy.down()


class Listener:
    """Listens on a bus of its own and keeps what it receives."""

    def __init__(self, url: str) -> None:
        self.bus, self.heard = RedisBus(url), []
        self.bus.listen(lambda group, message: self.heard.append((group, message)))

    async def join(self, group: str) -> None:
        self.bus.join(group)
        await self.hears(group, None)

    async def hears(self, group: str, message: dict[str, Any] | None) -> None:
        await becomes(lambda: (group, message) in self.heard, lambda: self.heard)


def subscribers(group: str) -> int:
    with Redis.from_url(os.environ["REDIS_URL"]) as redis:
        return redis.pubsub_numsub(PREFIX + group)[0][1]


@pytest.mark.usefixtures("services")
def test_a_message_reaches_the_processes_that_joined_its_group(redis):
    async def story() -> None:
        group, other = f"board.{uuid4()}", f"board.{uuid4()}"
        listener, publisher = Listener(redis.url), RedisBus(redis.url)
        await listener.join(group)
        publisher.publish(other, {"version": 1})
        publisher.publish(group, {"version": 2})
        await listener.hears(group, {"version": 2})
        assert other not in {name for name, _message in listener.heard}

    asyncio.run(story())


@pytest.mark.usefixtures("services")
def test_what_is_published_while_the_publisher_rests_goes_out_as_one_message_to_each_group(redis, monkeypatch):
    resting, rested = threading.Event(), threading.Event()

    def rest(_seconds: float) -> None:
        resting.set()
        rested.wait(PATIENCE)

    monkeypatch.setattr("core.bus.publisher.time", SimpleNamespace(sleep=rest))

    async def story() -> None:
        group, other = f"board.{uuid4()}", f"board.{uuid4()}"
        listener = Listener(redis.url)
        await listener.join(group)
        await listener.join(other)
        listener.bus.publish(group, {"version": 1})
        await listener.hears(group, {"version": 1})
        await becomes(resting.is_set)
        listener.bus.publish(group, {"version": 2})
        listener.bus.publish(other, {"version": 7})
        listener.bus.publish(group, {"version": 3})
        rested.set()
        await listener.hears(group, {"version": 3})
        await listener.hears(other, {"version": 7})
        assert (group, {"version": 2}) not in listener.heard

    asyncio.run(story())


@pytest.mark.usefixtures("services")
def test_messages_to_a_group_that_was_left_do_not_arrive_until_it_is_joined_again(redis):
    async def story() -> None:
        group, witness = f"board.{uuid4()}", f"board.{uuid4()}"
        listener = Listener(redis.url)
        await listener.join(group)
        await listener.join(witness)
        listener.bus.leave(group)
        await becomes(lambda: subscribers(group) == 0)
        listener.bus.publish(group, {"version": 1})
        listener.bus.publish(witness, {"version": 1})
        await listener.hears(witness, {"version": 1})
        assert (group, {"version": 1}) not in listener.heard
        listener.heard.clear()
        await listener.join(group)
        listener.bus.publish(group, {"version": 2})
        await listener.hears(group, {"version": 2})

    asyncio.run(story())


@pytest.mark.usefixtures("services")
def test_after_an_outage_of_redis_both_sides_recover_and_listeners_learn_that_messages_may_be_lost(redis, caplog):
    async def story() -> None:
        group = f"board.{uuid4()}"
        listener = Listener(redis.url)
        await listener.join(group)
        redis.down()
        listener.heard.clear()
        for version in (1, 2, 3):
            listener.bus.publish(group, {"version": version})
        listener.bus.join(later := f"board.{uuid4()}")
        await becomes(
            lambda: len(caplog.messages) == 2, lambda: caplog.messages
        )  # what publishes and what listens have noticed
        redis.up()
        await listener.hears(group, None)
        await listener.hears(later, None)
        listener.bus.publish(group, {"version": 4})
        await listener.hears(group, {"version": 4})

    asyncio.run(story())
    assert sorted(message.partition(" ")[0] for message in caplog.messages) == ["Redis", "Redis", "live", "no"]
    assert all(record.exc_info is None for record in caplog.records)


FORKING = """
import os, sys
from core.bus.publisher import Publisher
publisher = Publisher(sys.argv[1])
publisher.publish(sys.argv[2], {"from": "parent"})
publisher.flush(5)
if os.fork() == 0:
    publisher.publish(sys.argv[2], {"from": "child"})
    sys.exit()  # at once: what waits is sent first
os.wait()
"""


@pytest.mark.usefixtures("services")
def test_a_forked_process_publishes_too_and_sends_unsent_messages_before_it_exits(processes, redis):
    async def story() -> None:
        group = f"board.{uuid4()}"
        listener = Listener(redis.url)
        await listener.join(group)
        command = [sys.executable, "-W", "ignore", "-c", FORKING, redis.url, group]
        await asyncio.to_thread(subprocess.run, command, cwd=ROOT, check=True, timeout=30)
        await listener.hears(group, {"from": "parent"})
        await listener.hears(group, {"from": "child"})

    asyncio.run(story())
