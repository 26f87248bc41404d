"""`taskboard healthcheck`: whether the process that listens in this container can do its work, for `healthcheck:` of a compose file."""

import argparse
import http.client
import sys
from collections.abc import Sequence
from urllib.parse import urlsplit

from taskboard import variables
from taskboard.serving.address import EVERY_ADDRESS, add_arguments

DEADLINE = 3.0  # seconds


def main(arguments: Sequence[str]) -> int:
    """Ask /healthz; return the exit code: 0 where the answer is 200."""
    variables.use_file()
    parser = argparse.ArgumentParser(
        prog="taskboard healthcheck", description="Asks whether the service here can work."
    )
    add_arguments(parser)
    given = parser.parse_args(arguments)
    host = "127.0.0.1" if given.host in EVERY_ADDRESS else given.host
    connection = http.client.HTTPConnection(host, given.port, timeout=DEADLINE)
    try:
        connection.request("GET", "/healthz", headers={"Host": name_of_service()})
        answer = connection.getresponse()
        words = answer.read(1000).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        sys.stderr.write(f"Nothing answers at {host}, port {given.port}: {error}\n")
        return 1
    finally:
        connection.close()
    sys.stdout.write(f"{words}\n")
    return int(answer.status != 200)


def name_of_service() -> str:
    """Return a host that the service answers to."""
    hosts = [host for host in variables.text("TASKBOARD_ALLOWED_HOSTS").split(",") if host.strip() and "*" not in host]
    named = urlsplit(variables.text("TASKBOARD_BASE_URL")).netloc
    return (hosts[0].strip().lstrip(".") if hosts else named) or "127.0.0.1"
