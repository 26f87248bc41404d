"""gunicorn's settings. It reads this file when it is started in this folder."""

import json
from http import HTTPStatus
from socket import socket

from gunicorn import util

forwarder_headers = ""  # no client may set SCRIPT_NAME or PATH_INFO by a header


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
