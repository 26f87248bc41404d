"""Both halves in one process: http runs as WSGI in a thread pool, websockets as consumers.

Django's own ASGI handler is not used for http, because it starts a thread and a database connection for every request
and reads a streamed answer into memory. Measured for GET me: 102 requests/s with it, 168 with the thread pool.
"""

import asyncio

import daphne.server  # noqa: F401  installs the reactor of asyncio, before Twisted installs its own
from channels.routing import ProtocolTypeRouter
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from taskboard.serving.garbage import freeze_loaded
from taskboard.serving.pouring import Pouring
from taskboard.wsgi import application as wsgi
from web.live.routing import gate, websockets  # imports models, so it comes after wsgi, which loads the apps

THREADS = 8  # each keeps a database connection
HEALTH = ("/healthz", "/livez")  # which must answer when all of these are busy

application = ProtocolTypeRouter({"http": Pouring(wsgi, THREADS, beside=HEALTH), "websocket": websockets})


def close_sockets() -> Deferred:
    """Close all sockets, and have the reactor wait for that before it ends.

    Daphne's own `kill_all_applications` is not enough: in the second after a socket was opened it fails with a KeyError
    (the request that became the socket has no application), and it waits for the first cancelled application only.
    """
    return Deferred.fromFuture(asyncio.ensure_future(gate.close_all()))


reactor.addSystemEventTrigger("before", "shutdown", close_sockets)  # type: ignore[arg-type]  # a wrong stub
freeze_loaded()
