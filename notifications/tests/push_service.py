"""A push service of the tests, and browsers that subscribe to it: they decrypt as RFC 8291 says, with code of their own."""

import json
import os
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePublicKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from accounts.models import User
from notifications.push.browsers import switch_on
from notifications.push.keys import public_key
from security.models import BrowserSession
from web.tests.browsing import browser


def text_of(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Sent:
    path: str
    headers: dict[str, str]
    body: bytes

    def claims(self, audience: str) -> dict[str, Any]:
        """Check the signature as a push service does."""
        scheme, _space, rest = self.headers["authorization"].partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert scheme == "vapid"
        key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), bytes_of(parts["k"]))
        return jwt.decode(parts["t"], key, algorithms=["ES256"], audience=audience)


@dataclass
class PushService:
    url: str
    sent: list[Sent] = field(default_factory=list)
    answer: Callable[[], tuple[int, dict[str, str]]] = lambda: (201, {})


@contextmanager
def push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.sent.append(Sent(self.path, {name.lower(): text for name, text in self.headers.items()}, body))
            status, headers = service.answer()
            self.send_response(status)
            for name, text in headers.items():
                self.send_header(name, text)
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *line: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service = PushService(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


class Subscription:
    """A browser's side of push: a pair of keys and a secret."""

    def __init__(self, endpoint: str, private: str = "", secret: str = "") -> None:
        number = int.from_bytes(bytes_of(private)) if private else 0
        self.private = derive_private_key(number, SECP256R1()) if private else generate_private_key(SECP256R1())
        self.endpoint, self.secret = endpoint, bytes_of(secret) if secret else os.urandom(16)
        self.point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def form(self) -> dict[str, str]:
        keys = {"p256dh": text_of(self.point), "auth": text_of(self.secret), "key": public_key()}
        return {"endpoint": self.endpoint, **keys}

    def read(self, body: bytes) -> dict[str, Any]:
        return json.loads(self.decrypt(body))

    def decrypt(self, body: bytes) -> bytes:
        salt, length = body[:16], body[20]
        assert len(body) <= int.from_bytes(body[16:20]) == 4096
        theirs, rest = body[21 : 21 + length], body[21 + length :]
        shared = self.private.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), theirs))
        derive = lambda key, salt, info, size: HKDF(SHA256(), size, salt, info).derive(key)  # noqa: E731
        both = derive(shared, self.secret, b"WebPush: info\x00" + self.point + theirs, 32)
        key = derive(both, salt, b"Content-Encoding: aes128gcm\x00", 16)
        filled = AESGCM(key).decrypt(derive(both, salt, b"Content-Encoding: nonce\x00", 12), rest, None)
        text, mark, end = filled.rpartition(b"\x02")
        assert mark == b"\x02"
        assert not end.strip(b"\x00")
        return text


def session_of(user: User) -> BrowserSession:
    """Sign in, and return the row of the session."""
    client = browser(user)
    client.get("/settings/notifications")
    return BrowserSession.objects.get(session=client.session.session_key)


def subscribe(
    user: User, service: PushService, name: str = "one", session: BrowserSession | None = None
) -> Subscription:
    made = Subscription(f"{service.url}/{name}")
    form = made.form
    switch_on(
        user, session or session_of(user),
        endpoint=form["endpoint"], point=form["p256dh"], secret=form["auth"], key=form["key"],
    )  # fmt: skip
    return made
