"""Presence, as processes that share a bus tell each other."""

import asyncio
import json
from types import SimpleNamespace
from uuid import UUID

import pytest

from web.live import presence
from web.live.presence import Doing, Room, Rooms

BOARD = UUID("018f0000-0000-7000-8000-00000000000b")
OLGA, ED, STAN = (UUID(f"018f0000-0000-7000-8000-00000000000{number}") for number in (1, 2, 3))
CARD = "018f0000-0000-7000-8000-00000000000c"


class Wire:
    """A bus that delivers at once to every process."""

    def __init__(self):
        self.rooms = []
        self.sent = []

    def publish(self, group, message):
        message = json.loads(json.dumps(message))
        self.sent.append(message)
        for room in self.rooms:
            room.hear(group, message)


class Page:
    def __init__(self, user_id):
        self.board_id, self.user_id = BOARD, user_id
        self.shown = []
        self.must_check = False

    def may_see(self, members):
        return self.user_id in members

    def show_presence(self, text):
        self.shown.append(json.loads(text)["here"])

    def check_soon(self):
        self.must_check = True


@pytest.fixture
def wire():
    return Wire()


def process(wire, name, *pages):
    """Return the room of a process that serves these pages."""
    room = Room(BOARD, SimpleNamespace(bus=wire, process=name))
    room.tell_soon = lambda: None
    for page in pages:
        room.pages[page] = Doing()
    wire.rooms.append(room)
    room.announce(asks=True)
    return room


def on_a_loop(test):
    async def run(*args):
        test(*args)

    return lambda wire: asyncio.run(run(wire))


@on_a_loop
def test_processes_tell_each_other(wire):
    one, two = process(wire, "1", Page(OLGA)), process(wire, "2", Page(ED))
    both = [(str(OLGA), "", ""), (str(ED), "", "")]
    assert one.places({OLGA, ED}) == two.places({OLGA, ED}) == both


@on_a_loop
def test_a_process_that_comes_later_learns_who_is_there(wire):
    process(wire, "1", Page(OLGA))
    late = process(wire, "2")
    assert late.places({OLGA}) == [(str(OLGA), "", "")]


@on_a_loop
def test_a_process_that_was_cut_off_asks_again(wire):
    process(wire, "1", Page(OLGA))
    two = process(wire, "2")
    two.others.clear()
    two.hear("", None)
    assert two.places({OLGA}) == [(str(OLGA), "", "")]


@on_a_loop
def test_who_left_is_seen_no_more_by_other_processes(wire):
    page = Page(OLGA)
    one, two = process(wire, "1", page), process(wire, "2")
    del one.pages[page]
    one.changed()
    assert two.places({OLGA}) == []


def test_a_process_that_says_nothing_any_more_is_forgotten(wire, monkeypatch):
    async def run():
        process(wire, "1", Page(OLGA))
        two = process(wire, "2")
        wire.rooms.clear()
        later = presence.time.monotonic() + presence.EXPIRES_AFTER + 1
        monkeypatch.setattr(presence.time, "monotonic", lambda: later)
        two.renew()
        assert two.places({OLGA}) == []

    asyncio.run(run())


@on_a_loop
def test_only_members_are_told_and_shown(wire):
    hers, his = Page(OLGA), Page(STAN)
    room = process(wire, "1", hers, his)
    room.show(frozenset({OLGA, ED}), [hers, his])
    assert hers.shown == [[[str(OLGA), "", ""]]]
    assert his.shown == []
    assert his.must_check


@on_a_loop
def test_a_page_is_told_only_what_is_new(wire):
    page = Page(OLGA)
    room = process(wire, "1", page)
    room.show(frozenset({OLGA}), [page])
    room.show(frozenset({OLGA}), [page])
    assert len(page.shown) == 1


@on_a_loop
def test_typing_that_is_not_renewed_ends(wire):
    page = Page(OLGA)
    room = process(wire, "1", page)
    room.pages[page] = Doing(CARD, "title", presence.time.monotonic() + 60)
    assert room.own_places() == [(str(OLGA), CARD, "title")]
    room.pages[page].until = 0.0
    assert room.own_places() == [(str(OLGA), CARD, "")]


@on_a_loop
def test_very_many_people_are_told_of_in_part_those_with_a_card_first(wire):
    pages = [Page(UUID(int=number)) for number in range(presence.AT_MOST + 50)]
    room = process(wire, "1", *pages)
    room.pages[pages[-1]] = Doing(CARD)
    places = room.places(frozenset(page.user_id for page in pages))
    assert len(places) == presence.AT_MOST
    assert places[0] == (str(pages[-1].user_id), CARD, "")


def test_a_room_without_pages_is_closed(wire, monkeypatch):
    async def run():
        rooms = Rooms(wire)
        page = Page(OLGA)
        rooms.enter(page)
        room = rooms.room(BOARD)
        rooms.leave(page)
        rooms.leave(page)
        assert rooms.room(BOARD) is None
        assert room.renewal.cancelled()
        assert wire.sent[-1]["places"] == []

    asyncio.run(run())
