"""Both halves in one process: http runs as WSGI in a thread pool, websockets as consumers.

Django's own ASGI handler is not used for http, because it starts a thread and a database connection for every request
and reads a streamed answer into memory. Measured for GET me: 102 requests/s with it, 168 with the thread pool.
"""

import os

import django
from a2wsgi import WSGIMiddleware
from channels.routing import ProtocolTypeRouter

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")
django.setup(set_prefix=False)

from taskboard.wsgi import application as wsgi  # noqa: E402
from web.live.routing import websockets  # noqa: E402  (imports models)

THREADS = 8  # each keeps a database connection

application = ProtocolTypeRouter({"http": WSGIMiddleware(wsgi, workers=THREADS), "websocket": websockets})
