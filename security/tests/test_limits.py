import pytest
import time_machine
from django.core.cache.backends.locmem import LocMemCache
from django.test import RequestFactory

from security import limits
from security.limits import TooMany, count, require_room, take
from security.models import SecurityEvent

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _rates(settings):
    settings.LIMITS = {"once": "1/h", "twice": "2/h", "often": "5/10m"}


@pytest.fixture(autouse=True)
def clock():
    """Stop the clock, so that no window ends during a test."""
    with time_machine.travel("2026-05-04 12:00Z", tick=False) as clock:
        yield clock


@pytest.fixture
def request_():
    return RequestFactory().post("/start", REMOTE_ADDR="203.0.113.7")


def is_refused(request, name, who="olga"):
    try:
        count(request, name, who)
    except TooMany:
        return True
    return False


def test_a_limit_holds_for_each_alone(request_):
    assert [is_refused(request_, "twice", "olga") for _time in range(3)] == [False, False, True]
    assert not is_refused(request_, "twice", "ed")
    assert not is_refused(request_, "once", "olga")


def test_a_refusal_says_how_long_to_wait(request_):
    count(request_, "once", "olga")
    with pytest.raises(TooMany) as refusal:
        count(request_, "once", "olga")
    assert refusal.value.usage.rate == "1/h"
    assert 1 <= refusal.value.wait <= 3600


def test_after_the_wait_there_is_room_again(request_, clock):
    count(request_, "once", "olga")
    with pytest.raises(TooMany) as refusal:
        count(request_, "once", "olga")
    clock.shift(refusal.value.wait + 1)
    assert not is_refused(request_, "once")


def test_a_rate_can_be_multiplied(request_):
    assert [count(request_, "twice", "olga", times=2).remaining for _time in range(4)] == [3, 2, 1, 0]
    with pytest.raises(TooMany, match="4/h"):
        count(request_, "twice", "olga", times=2)


def test_looking_counts_nothing(request_):
    for _time in range(5):
        require_room("once", "olga")
    count(request_, "once", "olga")
    with pytest.raises(TooMany):
        require_room("once", "olga")


def test_what_is_taken_back_was_never_counted(request_):
    for _time in range(5):
        take(request_, ("once", "olga"), ("twice", "olga")).take_back()
    take(request_, ("once", "olga"), ("twice", "olga"))


def test_a_refused_take_counts_nothing(request_):
    take(request_, ("twice", "olga"), ("once", "olga"))
    for _time in range(5):
        with pytest.raises(TooMany, match="1/h"):
            take(request_, ("twice", "olga"), ("once", "olga"))
    take(request_, ("twice", "olga"))  # one of two was used


def test_clearing_begins_one_counter_anew_and_takes_back_the_others(request_):
    take(request_, ("often", "olga"), ("twice", "olga"))
    take(request_, ("often", "olga"), ("twice", "olga")).clear("often")
    for _time in range(5):
        take(request_, ("often", "olga"))
    take(request_, ("twice", "olga"))  # one of two is still counted
    with pytest.raises(TooMany, match="2/h"):
        take(request_, ("twice", "olga"))


class Forgetful(LocMemCache):
    """Forgets each value between two steps."""

    def incr(self, key, *args, **options):
        self.delete(key)
        return super().incr(key, *args, **options)


def test_a_counter_that_is_cleared_meanwhile_begins_anew(request_, monkeypatch):
    monkeypatch.setattr(limits, "caches", {"attempts": Forgetful("forgetful", {})})
    for _time in range(3):
        take(request_, ("twice", "olga"))


def test_without_limits_nothing_is_refused(request_, settings):
    settings.LIMITS = None
    assert count(request_, "once", "olga") is None
    assert [is_refused(request_, "once") for _time in range(3)] == [False] * 3
    take(request_, ("once", "olga")).clear("once")


def test_a_flood_is_logged_once(request_, olga):
    request_.user = olga
    for _time in range(50):
        is_refused(request_, "twice", "olga")
    event = SecurityEvent.objects.get()
    assert (event.kind, event.user, event.address) == ("limit-reached", olga, "203.0.113.7")
    assert event.details == {"limit": "twice", "rate": "2/h"}


def test_the_next_window_is_logged_again(request_, clock):
    for _hour in range(2):
        for _time in range(5):
            is_refused(request_, "twice")
        clock.shift(3600)
    assert SecurityEvent.objects.count() == 2


def test_the_keys_say_nothing_about_who_is_counted():
    counter = limits.Counter.now("once", "olga@example.com", "1/h")
    assert "olga" not in counter.key
