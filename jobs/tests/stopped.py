"""The worker's command, asked to stop at each line that Python runs while it waits: python -m jobs.tests.stopped."""

import os
import signal
import sys
from types import FrameType

import django
from django.core.management import call_command


def ask_to_stop(frame: FrameType, event: str, argument: object) -> object:
    if event == "line":
        signal.raise_signal(signal.SIGTERM)
    return ask_to_stop


class IdleWorker:
    name = "idle"

    def start(self) -> None:
        sys._getframe(1).f_trace = ask_to_stop
        sys.settrace(ask_to_stop)

    def stop(self, grace: float) -> None:
        sys.settrace(None)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "taskboard.settings_test"
    django.setup()
    from jobs.management.commands import worker  # whose models need the apps, which are loaded just above

    worker.Worker = IdleWorker
    call_command("worker")
