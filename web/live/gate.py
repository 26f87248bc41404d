"""Bounds what one person and one address can ask of live pages, before a session or a board is looked up.

Sockets that are open and sockets that are opened in a minute are counted by address and by session, then by person
(docs/decisions/live.md has the numbers). A socket beyond them is closed with TOO_MANY; its page tries again a minute later.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar, cast
from uuid import uuid4

from django.conf import settings

from core.http.addresses import client_address, network_of
from core.limits.concurrency_caps import concurrency_caps
from core.limits.open_files import file_limit
from core.measures import LIMITS_HIT, SOCKETS, SOCKETS_OPENED
from core.outage import Throttle
from security.limits import TooMany, count
from web.live.closing import let_close_frame_leave
from web.live.silence import keep_silent

TOO_MANY = 4429
PAUSE = 2.0  # seconds before a socket is turned away, so that whoever opens them in a loop waits too
CLOSING_WITHIN = 5.0  # seconds in which the tasks of all sockets end when the server stops
FAREWELL = 0.05  # seconds in which the last close frames leave the process
ROOM = 0.8  # part of the open files that sockets may take; the rest is for pages

P = ParamSpec("P")
T = TypeVar("T")

LINE_EVERY = 60.0  # seconds

log = logging.getLogger(__name__)
full = Throttle(LINE_EVERY)
COUNTING = ThreadPoolExecutor(4, thread_name_prefix="live-counting")


class SocketPlaces:
    """The places that one socket takes, until it leaves."""

    def __init__(self) -> None:
        self._member = uuid4().hex
        self._names: list[str] = []

    def take(self, name: str, most: int) -> bool:
        """Take one of `most` places under this name. Return False if there is none left."""
        if not concurrency_caps.enter(name, self._member, most):
            LIMITS_HIT.add(f"sockets-{name.partition('.')[0]}")
            return False
        self._names.append(name)
        return True

    async def leave(self) -> None:
        await counted(self._leave)

    def _leave(self) -> None:
        for name in self._names:
            concurrency_caps.leave(name, self._member)


class Gate:
    def __init__(self, application: Any) -> None:
        self.application = application
        self.open: set[asyncio.Task[Any]] = set()  # the task that the server runs for each socket

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        keep_silent(send)
        let_close_frame_leave(send)
        place = scope["place"] = SocketPlaces()
        task = cast(asyncio.Task[Any], asyncio.current_task())
        self.open.add(task)
        SOCKETS.add(1)
        SOCKETS_OPENED.add()
        try:
            if settings.LIMITS is None or await self.has_room_for(scope, place):
                await self.application(scope, receive, send)
            else:
                await turn_away(send)
        finally:
            self.open.discard(task)
            SOCKETS.add(-1)
            await asyncio.shield(place.leave())

    async def close_all(self) -> None:
        """Close all sockets, so that their pages come back. Return when the close frames have left the process."""
        closing = list(self.open)
        for task in closing:
            task.cancel()  # web/live/socket.py then closes its socket
        if closing:
            await asyncio.wait(closing, timeout=CLOSING_WITHIN)
            await asyncio.sleep(FAREWELL)

    async def has_room_for(self, scope: dict[str, Any], place: SocketPlaces) -> bool:
        session = scope["cookies"].get(settings.SESSION_COOKIE_NAME, "")
        if len(self.open) > file_limit() * ROOM:
            if turned_away := full.count():
                log.warning(
                    "%s live pages were turned away: %s are open, and the others of the %s open files are for pages. "
                    "Raise the limit of the service (LimitNOFILE in systemd).",
                    *(turned_away, len(self.open) - 1, file_limit()),
                )
            return False
        return await counted(is_let_in, address_of(scope), session, place)


async def has_room_for_person(scope: dict[str, Any], user_id: object) -> bool:
    """Take the place of one more socket of this user. Return False if the user has too many."""
    place: SocketPlaces | None = scope.get("place")
    if settings.LIMITS is None or place is None:
        return True
    return await counted(place.take, f"person.{user_id}", settings.SOCKETS_PER_PERSON)


async def has_room_for_link(scope: dict[str, Any], link_id: object) -> bool:
    """Take the place of one more socket at this public link. Return False if it has too many."""
    place: SocketPlaces | None = scope.get("place")
    if settings.LIMITS is None or place is None:
        return True
    return await counted(place.take, f"link.{link_id}", settings.SOCKETS_PER_LINK)


def address_of(scope: dict[str, Any]) -> str:
    peer = (scope.get("client") or ("", 0))[0]
    forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"x-forwarded-for"]
    return network_of(client_address(peer, ",".join(forwarded)))


def is_let_in(address: str, session: str, place: SocketPlaces) -> bool:
    """Count one more socket in one go: each hop to a thread costs time while thousands of pages come back."""
    return (
        is_within("live-address", address)
        and is_within("live-session", session or address)
        and place.take(f"address.{address}", settings.SOCKETS_PER_ADDRESS)
    )


def is_within(limit: str, who: str) -> bool:
    """Count one more socket of `who` against this rate of settings.LIMITS."""
    try:
        count(None, limit, who)
    except TooMany:
        return False
    return True


async def counted(count: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Count at once in the memory of this process, or in a thread where Redis has to answer."""
    if not settings.REDIS_URL:
        return count(*args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(COUNTING, lambda: count(*args, **kwargs))


async def turn_away(send: Any) -> None:
    await send({"type": "websocket.accept"})
    await asyncio.sleep(PAUSE)
    await send({"type": "websocket.close", "code": TOO_MANY})
