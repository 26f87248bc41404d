"""The processor time that the access log adds to `GET me`, as lines and as JSON.

    .venv/bin/python -m benchmarks.access_log [calls]

Three applications in one process, called in turns: without the log, with lines, with JSON, each written to a file. The
figure of each is the mean of the quietest third of its calls. Needs PostgreSQL and Redis, as benchmarks/rest.py does.
"""

import gc
import logging
import os
import statistics
import sys
import tempfile
import time

from benchmarks import servers
from benchmarks.calls import Caller
from benchmarks.rest import make_data
from benchmarks.results import record

CALLS = 10_000


def callers() -> dict[str, tuple[Caller, logging.Formatter | None]]:
    """Return each application with the form of its log."""
    from django.conf import settings  # here and below: Django reads the environment, which was set just before

    from taskboard.logs import JsonLines, Lines
    from taskboard.wsgi import Application

    without = Caller()
    first, *others = settings.MIDDLEWARE
    settings.MIDDLEWARE = [first, "taskboard.access_log.AccessLog", *others]
    found: dict[str, tuple[Caller, logging.Formatter | None]] = {"no log": (without, None)}
    for name, form in (("lines", Lines()), ("JSON", JsonLines())):
        caller = Caller()
        caller.application = Application()
        found[name] = (caller, form)
    return found


def main(calls: int) -> None:
    with servers.database(), tempfile.TemporaryFile("w") as file:
        headers = {"HTTP_AUTHORIZATION": f"Bearer {make_data()['value']}"}
        sides = callers()
        [handler] = logging.getLogger().handlers
        handler.setStream(file)  # type: ignore[attr-defined]
        times: dict[str, list[float]] = {name: [] for name in sides}
        for turn in range(-100, calls):
            if turn == 0:
                gc.collect()
            for name, (caller, form) in sides.items():
                handler.setFormatter(form)
                began = time.process_time()
                caller.call("GET", "/api/v1/me", headers)
                if turn >= 0:
                    times[name].append(time.process_time() - began)
        lines = file.tell()
    figures = {name: 1000 * statistics.mean(sorted(took)[: calls // 3]) for name, took in times.items()}
    before = figures["no log"]
    told = {name: f"{figure:.4f} ms, {100 * (figure / before - 1):+.1f} %" for name, figure in figures.items()}
    sys.stdout.write("".join(f"{name:8} {words}\n" for name, words in told.items()) + f"{lines:,} bytes of log\n")
    record("access-log", "GET me", told)


if __name__ == "__main__":
    os.environ.setdefault("TASKBOARD_ACCESS_LOG", "0")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else CALLS)
