"""Tasks for tests. What they did is in `done`."""

import os
import signal
import threading
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django_tasks import TaskContext, task

from jobs.backend import HEAVY
from notifications.models import Unseen
from taskboard.tests.waiting import PATIENCE

done: list[object] = []
begun = threading.Event()
go_on = threading.Event()


class Hopeless(Exception):
    pass


@task
def write(word: str) -> str:
    done.append(word)
    return word.upper()


@task(keep=timedelta(0))
def whisper(word: str) -> None:
    done.append(word)


@task(takes_context=True)
def count_attempts(context: TaskContext) -> None:
    done.append(context.attempt)


@task(tries=3, first=timedelta(seconds=10))
def stumble() -> None:
    done.append("stumbled")
    raise ValueError("a stone \0 in the way")


@task(is_permanent=lambda error: isinstance(error, Hopeless))
def despair() -> None:
    raise Hopeless


@task
def leave() -> None:
    raise SystemExit


@task
def answer_nonsense() -> object:
    return object()


@task(queue_name=HEAVY)
def wait_long() -> None:
    wait.call()


@task
def wait() -> None:
    begun.set()
    assert go_on.wait(PATIENCE)
    done.append("waited")


@task
def count_up() -> None:
    """Writes to the database, and is killed before the commit where the environment says so."""
    with transaction.atomic():
        Unseen.objects.update(count=F("count") + 1)
        if os.environ.get("KILLED_IN_TASK"):
            os.kill(os.getpid(), signal.SIGKILL)


@task
def enqueue_another() -> None:
    write.enqueue("another")
