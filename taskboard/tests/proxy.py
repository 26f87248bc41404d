"""A proxy in front of a service, to make the service unreachable and reachable again."""

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class Proxy:
    """Passes bytes between a port of its own and the service at `url`; while it is down, connections
    are cut and new ones refused. What `swallow` finds open stays open, but nothing comes through any more."""

    def __init__(self, url: str, usual_port: int) -> None:
        parts = urlsplit(url)
        self.url_there = url
        self.address, self.port = (parts.hostname or "127.0.0.1", parts.port or usual_port), 0
        self.listener: socket.socket | None = None
        self.open: set[socket.socket] = set()
        self.swallowed: set[socket.socket] = set()
        self.up()

    @property
    def url(self) -> str:
        """The address of the service behind this proxy."""
        parts = urlsplit(self.url_there)
        account = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
        return parts._replace(netloc=f"{account}127.0.0.1:{self.port}").geturl()

    def up(self) -> None:
        listener = self.listener = socket.create_server(("127.0.0.1", self.port))
        self.port = listener.getsockname()[1]
        threading.Thread(target=self._accept, args=[listener], daemon=True).start()

    def down(self) -> None:
        if self.listener is not None:
            self.listener.shutdown(socket.SHUT_RDWR)
            self.listener.close()
            self.listener = None
        for end in list(self.open):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def swallow(self) -> None:
        self.swallowed |= self.open

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _address = listener.accept()
                server = socket.create_connection(self.address)
                self.open |= {client, server}
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=self._pass_on, args=[source, target], daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if source not in self.swallowed:
                    target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.open.discard(source)
        source.close()
