"""Both halves in one process: http runs as WSGI in a thread pool, websockets as consumers."""

import os

from a2wsgi import WSGIMiddleware
from channels.routing import ProtocolTypeRouter

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")

from taskboard.wsgi import application as wsgi  # noqa: E402  (sets Django up)

from boards.live.routing import websockets  # noqa: E402, I001

THREADS = 8  # each keeps a database connection

application = ProtocolTypeRouter({"http": WSGIMiddleware(wsgi, workers=THREADS), "websocket": websockets})
