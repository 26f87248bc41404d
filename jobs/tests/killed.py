"""A worker that is killed at a chosen moment: python -m jobs.tests.killed MOMENT, on the database of the test."""

import os
import signal
import sys
from threading import Event

import django


def kill(*_arguments: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(moment: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "taskboard.settings_test"
    django.setup()
    from jobs import delivery, running
    from jobs.followers import follow, meet_followers
    from jobs.heartbeat import Pulse
    from notifications.inbox.counting import NAME, count_unseen

    if moment == "between handle and commit":
        follow(NAME, lambda board_id, changes: (count_unseen(board_id, changes), kill()))
    elif moment == "before its failure is noted":
        follow(NAME, lambda board_id, changes: (count_unseen(board_id, changes), 1 / 0))
        delivery._note_failure = kill
    elif moment == "between two followers":
        follow("another", kill, whole_history=True)
        meet_followers()
    elif moment == "before the news are forgotten":
        delivery._forget_old_news = kill
    elif moment == "in a task":
        os.environ["KILLED_IN_TASK"] = "1"
    elif moment == "before the outcome":
        running._settle = kill
    delivery.serve_followers()
    running.run_one(Pulse("killed"), Event())
    sys.exit(f"The worker was not killed {moment}.")


if __name__ == "__main__":
    main(sys.argv[1])
