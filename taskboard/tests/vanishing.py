"""A process of the service that stands still on a host that is about to vanish.

python -m taskboard.tests.vanishing BOARD

It has three connections to its PostgreSQL: one rests, one waits for an answer, one is in the middle of a change of the
board, whose lock it holds.
"""

import os
import sys
from threading import Event, Thread

import django

ANSWER = 1  # key of the advisory lock that the answer waits for


def main(board: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "taskboard.settings"
    django.setup()
    for stand_still in (rest, wait_for_an_answer):
        Thread(target=stand_still).start()
    hold_the_lock(board)


def rest() -> None:
    ask("SELECT 1")


def wait_for_an_answer() -> None:
    ask(f"SELECT pg_advisory_lock({ANSWER})")


def ask(statement: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement)
        Event().wait()


def hold_the_lock(board: str) -> None:
    from boards.actions.change import change
    from boards.actor import Actor
    from boards.models import Board, Membership, Role

    owner = Membership.objects.select_related("user").get(board=board, role=Role.OWNER)
    with change(Actor(owner.user), Board, owner.board_id):
        Event().wait()


if __name__ == "__main__":
    main(sys.argv[1])
