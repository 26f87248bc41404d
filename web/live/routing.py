"""The ASGI application for sockets: checks the Origin, counts, then routes by path."""

from typing import Any

from channels.routing import URLRouter
from channels.sessions import CookieMiddleware
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.urls import path, re_path

from web.live.gate import Gate
from web.live.pages import BoardConsumer, PersonConsumer
from web.live.public import PublicConsumer


class OwnOrigin:
    """Refuses a socket with HTTP 403 if its Origin is missing or is neither the requested host nor a trusted origin.

    Channels' AllowedHostsOriginValidator compares the Origin with ALLOWED_HOSTS only. It accepts any scheme and port,
    and the pages of one allowed host on another.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if is_own_origin(headers.get(b"origin", ""), headers.get(b"host", "")):
            await self.application(scope, receive, send)
        else:
            await refuse(scope, receive, send)


def is_own_origin(origin: str, host: str) -> bool:
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    schemes = ("https",) if settings.SESSION_COOKIE_SECURE else ("http", "https")
    own = {f"{scheme}://{host.lower()}" for scheme in schemes}
    return origin in settings.CSRF_TRUSTED_ORIGINS or origin.lower() in own


async def refuse(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await send({"type": "websocket.close"})


gate = Gate(
    URLRouter(
        [
            path("ws/me", PersonConsumer.as_asgi()),
            path("ws/board/<str:board_id>", BoardConsumer.as_asgi()),
            path("ws/public/<str:key>", PublicConsumer.as_asgi()),
            re_path("", refuse),  # type: ignore[arg-type]  # Channels routes to ASGI applications
        ]
    )
)
websockets = OwnOrigin(CookieMiddleware(gate))
