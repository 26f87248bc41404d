"""gunicorn's settings: it reads this file when it starts in this folder."""

import json
from http import HTTPStatus
from socket import socket

from gunicorn import util

forwarder_headers = ""  # nobody but the operator says where the service is mounted


def write_error(sock: socket, status_int: int, reason: str, mesg: str) -> None:
    """What cannot be read as HTTP is refused before the application sees it: in JSON, as every error of the API."""
    sentence = f"{mesg or HTTPStatus(status_int).description or reason}".rstrip(".") + "."
    body = json.dumps({"error": sentence})
    head = (
        f"HTTP/1.1 {status_int} {reason}\r\n"
        f"Connection: close\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    util.write_nonblock(sock, f"{head}{body}".encode("latin-1"))


util.write_error = write_error
