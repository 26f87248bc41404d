import os
import signal
import threading
from queue import SimpleQueue
from typing import Any

from django.core.management.base import BaseCommand

from jobs.worker import Worker

GRACE = 1.5  # seconds that running work gets to finish once the worker is asked to stop
LAST_MOMENT = 2.0  # after this the process ends: what it holds is taken back by another worker


class Command(BaseCommand):
    help = "Does the work beside requests until it is stopped: mails, followers of the history, periodic tasks."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        # An Event would not do: its lock may be held by the very wait that the signal interrupts.
        asked: SimpleQueue[int] = SimpleQueue()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda number, _frame: asked.put(number))
        worker = Worker()
        worker.start()
        self.say(f"Worker {worker.name} started.")
        asked.get()
        end = threading.Timer(LAST_MOMENT, os._exit, [0])  # where the database does not answer
        end.daemon = True
        end.start()
        worker.stop(GRACE)
        self.say(f"Worker {worker.name} stopped.")

    def say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()
