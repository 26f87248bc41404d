"""Time from the API's answer to the last open page, with 1 and 200 sockets on one board. REST creates the cards.

    .venv/bin/python -m benchmarks.live [cards a figure]

gunicorn answers the API, one Daphne process holds the sockets, and both use PostgreSQL and Redis. A time of 0 means
that the page had the card before the API's answer was read.
"""

import asyncio
import json
import statistics
import sys
import time

import websockets

from benchmarks import load, servers
from benchmarks.rest import make_data


def session_cookie(user_id: object) -> str:
    """Make a signed-in session of this account; return its cookie."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from accounts.models import User

    user = User.objects.get(pk=user_id)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


async def measure(http: int, ws: int, data: dict[str, object], cookie: str, viewers: int, cards: int) -> list[float]:
    """Return for each card the milliseconds from the API's answer to the last socket that got it."""
    board = data["board"]
    address = f"ws://127.0.0.1:{ws}/ws/board/{board}?since=999999999"  # ahead: the first message is a short "reload"
    headers = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{ws}"}
    sockets = [await websockets.connect(address, additional_headers=headers) for _ in range(viewers)]
    for socket in sockets:
        await socket.recv()
    api = load.Http(http)
    times = []
    for number in range(cards):
        body = json.dumps({"title": f"Card {number}", "listId": str(data["list"])}).encode()
        request = load.request("POST", "/api/v1/cards", str(data["value"]), body)
        receipts = asyncio.gather(*(receipt(socket) for socket in sockets))
        await asyncio.get_running_loop().run_in_executor(None, api.send, request, 201)
        answered = time.perf_counter()
        times.append(max(0.0, max(await receipts) - answered) * 1000)
        await asyncio.sleep(0.05)
    for socket in sockets:
        await socket.close()
    return times


async def receipt(socket: websockets.ClientConnection) -> float:
    await asyncio.wait_for(socket.recv(), 10)
    return time.perf_counter()


def main(cards: int) -> None:
    with servers.database(), servers.gunicorn() as http, servers.daphne() as ws:
        data = make_data()
        cookie = session_cookie(data["user"])
        for viewers in (1, 200):
            times = asyncio.run(measure(http, ws, data, cookie, viewers, cards))
            cuts = statistics.quantiles(times, n=100)
            print(f"{viewers:4} open pages: p50 {cuts[49]:6.1f} ms  p99 {cuts[98]:6.1f} ms  of {cards} cards")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
