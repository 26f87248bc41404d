"""The worker: followers, tasks, the clock, and the tasks of dead workers, until it is stopped.

Any number of them share the work of one database: `bin/manage worker` is one, `bin/serve` runs one in its own process.
"""

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable

from django.db import Error, close_old_connections, connections

from core.outage import AWAY, one_line
from jobs.clock import set_clock, take_turns
from jobs.delivery import serve_followers
from jobs.followers import meet_followers, note_what_followers_lack
from jobs.heartbeat import BEAT_EVERY, Pulse
from jobs.running import run_one, take_back_from_the_dead
from jobs.waking import Work, wake, woken_by

IDLE = 1.0  # seconds between two looks for work, unless something wakes the worker
GATHERING = 0.1  # seconds after a change, in which further ones join its batch
BURST = 0.5  # and after a batch, while changes keep coming
LONGEST_PAUSE = 30.0  # seconds, while the database is away
TASKS_AT_ONCE = 3  # so that one which hangs does not hold up the others
HEAVY_AT_ONCE = 2  # of them, so that what one account has made does not hold up that of others

log = logging.getLogger(__name__)


class Worker:
    def __init__(self) -> None:
        self.name = f"{socket.gethostname()[:30]}-{os.getpid()}-{secrets.token_hex(4)}"
        self.pulse = Pulse(self.name)
        self._stopping = threading.Event()
        self._has_met_followers = self._has_set_clock = self._is_in_burst = False
        tasks = [self._run_task] * HEAVY_AT_ONCE + [self._run_light_task] * (TASKS_AT_ONCE - HEAVY_AT_ONCE)
        steps = [(self._follow, Work.NEWS), (self._watch, Work.TASKS), *((step, Work.TASKS) for step in tasks)]
        self._threads = [threading.Thread(target=self._keep, args=step, name="worker", daemon=True) for step in steps]

    def start(self) -> None:
        """In threads that never keep the process from ending."""
        for thread in self._threads:
            thread.start()

    def ask_to_stop(self) -> None:
        self._stopping.set()
        wake(*Work)

    def stop(self, grace: float) -> None:
        """Return when everything is finished, or after `grace` seconds; another worker repeats the work that is cut
        off.
        """
        self.ask_to_stop()
        deadline = time.monotonic() + grace
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        try:
            self.pulse.end()
        except Error:
            log.warning("the tasks of this worker are taken from it in a while", exc_info=True)
        finally:
            close_old_connections()

    def is_running(self) -> bool:
        return not self._stopping.is_set()

    def _keep(self, step: Callable[[], bool], work: Work) -> None:
        """Call `step` again and again: at once while it returns True, else when there is work of its kind. What it raises
        is logged once for all failures in a row, which wait longer and longer: the database may be away."""
        failures = 0
        with woken_by(work) as alarm:
            while self.is_running():
                alarm.clear()
                try:
                    close_old_connections()
                    busy = step()
                    close_old_connections()
                except BaseException as error:
                    failures += 1
                    if failures == 1 and isinstance(error, AWAY):
                        log.error("the worker waits for its database: %s", one_line(error))
                    elif failures == 1:
                        log.exception("the worker failed and goes on in a moment")
                    self._stopping.wait(min(2.0**failures, LONGEST_PAUSE))
                else:
                    if failures:
                        log.warning("the worker goes on")
                    failures = 0
                    if not busy:
                        alarm.wait(IDLE)
        connections.close_all()  # of this thread

    def _follow(self) -> bool:
        if not self._has_met_followers:
            meet_followers()
            note_what_followers_lack()
            self._has_met_followers = True
        self._stopping.wait(BURST if self._is_in_burst else GATHERING)
        self._is_in_burst = serve_followers(self.is_running)
        return self._is_in_burst

    def _watch(self) -> bool:
        """Every few seconds: the heartbeat, the clock, the dead. In a thread of its own, as no follower may hold it up."""
        if self._has_set_clock:
            self._stopping.wait(BEAT_EVERY.total_seconds())
        else:
            set_clock()
            self._has_set_clock = True
        self.pulse.beat()
        take_turns()
        take_back_from_the_dead()
        return True

    def _run_task(self) -> bool:
        return run_one(self.pulse, self._stopping)

    def _run_light_task(self) -> bool:
        return run_one(self.pulse, self._stopping, heavy=False)
