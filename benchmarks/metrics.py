"""Measure the cost of metrics: the processor time of GET me with and without them, in one process.

    .venv/bin/python -m benchmarks.metrics [calls]

The sides take turns of TURN calls. Of the turns of each side the quietest third counts, so that what else the machine does
hardly matters. Needs PostgreSQL and Redis, as benchmarks/rest.py does.
"""

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import servers
from benchmarks.calls import Caller
from benchmarks.rest import make_data
from benchmarks.results import record

CALLS = 10_000  # of each side
TURN = 10  # calls
WARM_UP = 20  # turns
COUNTING = "operating.metrics.middleware.CountRequests"


def sides() -> dict[str, Callable[[], None]]:
    """Return what switches to each side, and calls once."""
    token = {"HTTP_AUTHORIZATION": f"Bearer {make_data()['value']}"}
    off, on = Caller(), Caller()

    from django.conf import settings  # here and below: once the caller has loaded the settings

    from core.measures import Measure
    from operating.metrics.recording import Recorder
    from taskboard.wsgi import Application

    if settings.METRICS != "off":
        raise SystemExit("Run this without TASKBOARD_METRICS: it switches metrics on by itself.")
    settings.MIDDLEWARE.insert(0, COUNTING)
    on.application = Application()
    recorder = Recorder(Path(tempfile.mkdtemp(prefix="taskboard-benchmark-")))

    def side(caller: Caller, recording: Recorder | None) -> Callable[[], None]:
        def call() -> None:
            Measure.recorder = recording
            caller.call("GET", "/api/v1/me", token)

        return call

    return {"off": side(off, None), "on": side(on, recorder)}


def milliseconds(call: Callable[[], None]) -> float:
    """Return the processor time of one call of a turn."""
    began = time.process_time()
    for _call in range(TURN):
        call()
    return 1000 * (time.process_time() - began) / TURN


def main(calls: int) -> None:
    with servers.database():
        both = sides()
        for call in both.values():
            for _turn in range(WARM_UP):
                milliseconds(call)
        gc.collect()
        found: dict[str, list[float]] = {name: [] for name in both}
        for _turn in range(calls // TURN):
            for name, call in both.items():
                found[name].append(milliseconds(call))
        quiet = {name: statistics.mean(sorted(times)[: len(times) // 3]) for name, times in found.items()}
    figures = {
        "Off": f"{quiet['off']:.3f} ms",
        "On": f"{quiet['on']:.3f} ms",
        "More": f"{quiet['on'] / quiet['off'] - 1:+.1%}",
    }
    print("GET me:", ", ".join(f"{name.lower()} {figure}" for name, figure in figures.items()), flush=True)
    record("metrics", "GET me", figures)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else CALLS)
