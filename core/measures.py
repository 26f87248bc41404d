"""Measures that the processes of the service count for /metrics, each with its name, its words and its labels.

Any room counts by calling a measure. Nothing is kept unless operating/metrics/ has set a recorder, as it does where
TASKBOARD_METRICS is on. Labels come from the code: routes, tools, queues, kinds. They are never ids, addresses, titles or what
a client sent, so strangers cannot make series.
"""

import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from types import TracebackType
from typing import ClassVar, Protocol, Self

MOMENTS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds, the upper bounds of buckets
WAITS = (0.001, 0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0)
RUNS = (0.01, 0.05, 0.25, 1.0, 5.0, 30.0, 120.0, 600.0)

Labels = tuple[str, ...]


class Recorder(Protocol):
    def join(self) -> None:
        """Begin to count in this process, so that what others counted is kept while it runs."""

    def add(self, measure: "Counter | Gauge", labels: Labels, amount: float) -> None: ...

    def observe(self, measure: "Histogram", labels: Labels, value: float) -> None: ...

    def text(self) -> bytes:
        """Return all measures of all processes in Prometheus' text format."""


@dataclass(frozen=True, eq=False)
class Measure:
    recorder: ClassVar[Recorder | None] = None

    name: str
    words: str
    labels: Labels = ()


class Counter(Measure):
    def add(self, *labels: str, amount: float = 1) -> None:
        if self.recorder is not None:
            self.recorder.add(self, labels, amount)


class Gauge(Measure):
    """A number of things that are there now, which processes add up. A process that died has none."""

    def add(self, amount: float) -> None:
        if self.recorder is not None:
            self.recorder.add(self, (), amount)


@dataclass(frozen=True, eq=False)
class Histogram(Measure):
    buckets: tuple[float, ...] = MOMENTS

    def observe(self, value: float, *labels: str) -> None:
        if self.recorder is not None:
            self.recorder.observe(self, labels, value)

    def timed(self, *labels: str) -> AbstractContextManager[object]:
        """Observe the seconds that the block takes."""
        return NOTHING if self.recorder is None else Timing(self, labels)


class Timing:
    def __init__(self, measure: Histogram, labels: Labels) -> None:
        self.measure, self.labels = measure, labels

    def __enter__(self) -> Self:
        self.began = time.perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.measure.observe(time.perf_counter() - self.began, *self.labels)


NOTHING = nullcontext()

REQUESTS = Counter("taskboard_requests_total", "Answered requests.", ("method", "route", "status"))
REQUEST_SECONDS = Histogram("taskboard_request_seconds", "Seconds until the head of the answer.", ("route",))
TOOL_CALLS = Counter("taskboard_tool_calls_total", "Tools called by agents.", ("tool", "outcome"))
SOCKETS = Gauge("taskboard_sockets", "Open sockets of live pages.")
SOCKETS_OPENED = Counter("taskboard_sockets_opened_total", "Sockets of live pages that were opened.")
UPDATES = Counter("taskboard_updates_total", "Updates that were sent to live pages.")
UPDATE_LAG = Histogram("taskboard_update_lag_seconds", "Seconds from a change until an open page is sent it.")
TASK_RUNS = Counter("taskboard_task_runs_total", "Tasks that workers ran.", ("task", "outcome"))
TASK_SECONDS = Histogram("taskboard_task_seconds", "Seconds that a run of a task took.", ("task",), RUNS)
MAILS = Counter("taskboard_mails_total", "Mails handed to the mail server.", ("outcome",))
PUSHES = Counter("taskboard_pushes_total", "Messages handed to push services.", ("outcome",))
SECURITY_EVENTS = Counter("taskboard_security_events_total", "Events of the security log.", ("kind",))
LIMITS_HIT = Counter("taskboard_limits_hit_total", "Refusals by limits.", ("limit",))
POOL_WAIT = Histogram("taskboard_pool_wait_seconds", "Seconds until the pool gave a connection.", (), WAITS)
LOCK_WAIT = Histogram("taskboard_lock_wait_seconds", "Seconds until a lock was taken.", ("lock",), WAITS)

MEASURES: tuple[Measure, ...] = (
    REQUESTS,
    REQUEST_SECONDS,
    TOOL_CALLS,
    SOCKETS,
    SOCKETS_OPENED,
    UPDATES,
    UPDATE_LAG,
    TASK_RUNS,
    TASK_SECONDS,
    MAILS,
    PUSHES,
    SECURITY_EVENTS,
    LIMITS_HIT,
    POOL_WAIT,
    LOCK_WAIT,
)


def join() -> None:
    """Have this process count from now on, where metrics are on."""
    if Measure.recorder is not None:
        Measure.recorder.join()
