"""Records what processes count with prometheus_client, in the files of a folder that all processes of a machine share.

This module is loaded only where metrics are on.
"""

import logging
import os
import time
from pathlib import Path
from threading import Lock
from typing import Any

import prometheus_client
from prometheus_client import CollectorRegistry, values
from prometheus_client.exposition import generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from core.measures import Counter, Gauge, Histogram, Labels, Measure
from core.outage import one_line
from operating.metrics.folder import Folder
from operating.metrics.shared import shared_figures

PAUSE = 60.0  # seconds, after which a process that could not count tries again

log = logging.getLogger(__name__)


class Recorder:
    """Counts in this process. Counting never fails: a process that cannot write its files says so, counts nothing for PAUSE,
    and tries again."""

    def __init__(self, path: Path) -> None:
        self.folder = Folder(path)
        self._series: dict[tuple[Measure, Labels], Any] = {}
        self._metrics: dict[Measure, Any] = {}
        self._making = Lock()
        self._values: Any = None
        self._pauses_until = 0.0

    def join(self) -> None:
        if not self._pauses():
            try:
                self.folder.identity()
            except Exception as error:  # counting must not end what is counted, whatever a library or a disk raises
                self._pause(error)

    def add(self, measure: Counter | Gauge, labels: Labels, amount: float) -> None:
        if not self._pauses():
            try:
                (self._series.get((measure, labels)) or self._make(measure, labels)).inc(amount)
            except Exception as error:  # as for `join`
                self._pause(error)

    def observe(self, measure: Histogram, labels: Labels, value: float) -> None:
        if not self._pauses():
            try:
                (self._series.get((measure, labels)) or self._make(measure, labels)).observe(value)
            except Exception as error:  # as for `join`
                self._pause(error)

    def text(self) -> bytes:
        registry = CollectorRegistry()
        registry.register(Found(self.counted()))
        registry.register(Found(shared_figures()))
        return generate_latest(registry)

    def counted(self) -> Any:
        """Return what all processes counted; nothing, with a line in the log, where the folder cannot be read."""
        try:
            self.folder.identity()
            with self.folder.guarded():
                self.folder.tidy()
                return MultiProcessCollector(None, str(self.folder.path)).collect()
        except Exception as error:  # as for `join`: the other figures can be told
            log.error("the counts of the processes cannot be read: %s", one_line(error))
            return []

    def _make(self, measure: Measure, labels: Labels) -> Any:
        """Make a series. The class of its value is prometheus_client's own global, read when a series is made."""
        with self._making:
            if self._values is None:
                os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(self.folder.path)
                self._values = values.MultiProcessValue(self.folder.identity)
            values.ValueClass = self._values
            if (metric := self._metrics.get(measure)) is None:
                metric = self._metrics[measure] = metric_of(measure)
            series = self._series[measure, labels] = metric.labels(*labels) if labels else metric
            return series

    def _pauses(self) -> bool:
        return bool(self._pauses_until) and time.monotonic() < self._pauses_until

    def _pause(self, error: Exception) -> None:
        self._pauses_until = time.monotonic() + PAUSE
        log.error("this process counts nothing for /metrics for %d s: %s", PAUSE, one_line(error))


class Found:
    """A collector of what was read already."""

    def __init__(self, metrics: Any) -> None:
        self._metrics = list(metrics)

    def collect(self) -> Any:
        return self._metrics


def metric_of(measure: Measure) -> Any:
    about: dict[str, Any] = {
        "name": measure.name,
        "documentation": measure.words,
        "labelnames": measure.labels,
        "registry": None,
    }
    if isinstance(measure, Histogram):
        return prometheus_client.Histogram(**about, buckets=measure.buckets)
    if isinstance(measure, Gauge):
        return prometheus_client.Gauge(**about, multiprocess_mode="livesum")
    return prometheus_client.Counter(**about)
