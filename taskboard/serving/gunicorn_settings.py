"""gunicorn's settings."""

import contextlib
import json
import os
import signal
from http import HTTPStatus
from socket import socket

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from gunicorn import util
from gunicorn.arbiter import Arbiter
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.systemd import sd_notify
from gunicorn.workers.base import Worker

from core import measures
from taskboard.logs import JsonLines, Lines, WithoutKeys
from taskboard.serving.garbage import freeze_loaded
from taskboard.serving.readiness import refuse

# Nothing listens before it can answer: proxies try another process, or say that this one is starting.
preload_app = True
forwarder_headers = ""  # no client may set SCRIPT_NAME or PATH_INFO by a header
control_socket_disable = True  # it would be a file in the home folder


class Log(Logger):
    """gunicorn's own log, in the form of the service's and without keys of addresses."""

    def setup(self, cfg: Config) -> None:
        super().setup(cfg)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")
        try:
            form = JsonLines() if settings.LOG == "json" else Lines()
        except ImproperlyConfigured as error:
            refuse(str(error))
        for handler in self.error_log.handlers:
            handler.setFormatter(form)
            handler.addFilter(WithoutKeys())


logger_class = Log


def when_ready(server: Arbiter) -> None:
    """Set up the garbage collector, as in the servers of sockets. Workers get it by being forked."""
    freeze_loaded()
    measures.join()


def post_worker_init(worker: Worker) -> None:
    """End the master that this one replaces, now that a worker of this one can answer: `kill -USR2` restarts without a gap.

    gunicorn itself leaves that to the operator. systemd is told which process to watch from now on.
    """
    if before := os.environ.get("GUNICORN_PID"):
        sd_notify(f"MAINPID={worker.ppid}", worker.log)
        with contextlib.suppress(ProcessLookupError):  # another worker was quicker
            os.kill(int(before), signal.SIGTERM)


def write_error(sock: socket, status_int: int, reason: str, mesg: str) -> None:
    """Refuse what cannot be parsed as HTTP, before the application sees it. The answer is JSON, like every API error."""
    sentence = f"{mesg or HTTPStatus(status_int).description or reason}".rstrip(".") + "."
    body = json.dumps({"error": sentence})
    head = (
        f"HTTP/1.1 {status_int} {reason}\r\n"
        f"Connection: close\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    util.write_nonblock(sock, f"{head}{body}".encode("latin-1"))


util.write_error = write_error
