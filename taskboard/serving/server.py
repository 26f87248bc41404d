"""The one Daphne server of this process: HTTP in worker threads, websockets on its event loop."""

import asyncio
import os
import socket
import sys
import threading

from channels.routing import get_default_application
from daphne.server import Server
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from jobs.worker import Worker
from taskboard.serving.connection_caps import ConnectionCaps
from taskboard.serving.pouring import Pouring
from taskboard.serving.requests import Factory

GRACE = 1.0  # seconds that running requests get to finish once the service is asked to stop
LAST_MOMENT = 1.8  # seconds, after which the process ends in any case: every acknowledged change is on disk already


class Service(Server):
    """Daphne on a socket that listens already. It stops within LAST_MOMENT seconds."""

    def __init__(self, listener: socket.socket, greeting: str, worker: Worker) -> None:
        application = get_default_application()
        super().__init__(application, endpoints=["adopted"], ready_callable=self.adopt, server_name="taskboard")
        self.endpoints = []
        self.listener, self.greeting, self.worker = listener, greeting, worker

    def adopt(self) -> None:
        self.port = reactor.adoptStreamPort(self.listener.fileno(), self.listener.family, ConnectionCaps(Factory(self)))
        self.listener.close()  # the reactor has a copy of it
        reactor.callLater(0, print, self.greeting, flush=True)  # type: ignore[arg-type]  # once signals are handled

    def kill_all_applications(self) -> Deferred:
        """Stop: let requests finish for GRACE seconds, then cancel what still runs. Daphne calls this on shutdown.

        Sockets are closed meanwhile, by taskboard/asgi.py.
        """
        end = threading.Timer(LAST_MOMENT, leave)
        end.daemon = True
        end.start()
        self.port.stopListening()
        self.worker.ask_to_stop()
        return Deferred.fromFuture(asyncio.ensure_future(self.wind_down()))

    async def wind_down(self) -> None:
        if requests := list(Pouring.running):
            await asyncio.wait(requests, timeout=GRACE)


def leave() -> None:
    """End the process at once. This is the last resort: threads that still run would keep the process alive."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
