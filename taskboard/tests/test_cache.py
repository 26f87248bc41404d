"""The cache goes on in the process' memory while Redis is away, and keeps text in Redis."""

import os

import pytest
from django.core.cache import caches
from redis import Redis

from core.outage import Outage
from taskboard import cache
from taskboard.cache import Cache

NOBODY = "redis://127.0.0.1:1/0"


@pytest.fixture(autouse=True)
def no_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "outage", Outage())


@pytest.fixture
def alone() -> Cache:
    """A cache whose Redis is not there."""
    alone = Cache(NOBODY, {"KEY_PREFIX": "test", "OPTIONS": {"MAX_ENTRIES": 3}})
    alone._memory.clear()
    return alone


def test_without_redis_the_process_counts_by_itself(alone: Cache, caplog) -> None:
    assert alone.add("calls", 1)
    assert not alone.add("calls", 1)
    assert (alone.incr("calls"), alone.incr("calls")) == (2, 3)
    alone.set("times", [1.5, 2.5], 60)
    assert alone.get("times") == [1.5, 2.5]
    assert (alone.touch("times", 60), alone.delete("times"), alone.get("times", "none")) == (True, True, "none")
    assert [line.levelname for line in caplog.records] == ["ERROR"]  # once for the outage


def test_without_redis_it_takes_no_more_memory_than_it_may(alone: Cache) -> None:
    for number in range(10):
        alone.set(f"key {number}".replace(" ", "-"), number)
    assert sum(alone.get(f"key-{number}") is not None for number in range(10)) <= 3


@pytest.fixture
def shared() -> Cache:
    return Cache(os.environ["REDIS_URL"], {"KEY_PREFIX": "test"})


@pytest.mark.usefixtures("services")
def test_processes_count_together(shared: Cache) -> None:
    shared.clear()
    other = Cache(os.environ["REDIS_URL"], {"KEY_PREFIX": "test"})
    shared.add("calls", 1)
    assert (other.incr("calls"), shared.incr("calls")) == (2, 3)
    with pytest.raises(ValueError, match="not found"):
        shared.incr("others")


@pytest.mark.usefixtures("services")
def test_values_are_kept_as_json(shared: Cache) -> None:
    shared.set("times", [1.5, 2.5, None], 60)
    shared.set("lock", True, 60)
    with Redis.from_url(os.environ["REDIS_URL"]) as redis:
        assert redis.get("test:1:times") == b"[1.5,2.5,null]"
    assert (shared.get("times"), shared.get("lock")) == ([1.5, 2.5, None], True)


@pytest.mark.usefixtures("services")
def test_the_service_uses_it_for_every_cache() -> None:
    used = {name: type(caches[name]) for name in caches}
    assert used == {"default": Cache, "limits": Cache, "attempts": Cache}
