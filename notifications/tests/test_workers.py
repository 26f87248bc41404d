"""Two workers at once, and one that is cut off, tell everything once."""

import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.conf import settings as django_settings
from django.core import mail
from django.utils import timezone

from boards.actions.boards.board import update_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import update_card
from conftest import run_jobs, web
from jobs.delivery import serve_followers
from jobs.running import take_back_from_the_dead
from jobs.tests.conftest import in_threads
from jobs.tests.test_killed import KILLED, database_of_this_test, wait_until_its_locks_are_gone
from notifications.following import choose
from notifications.kinds import Kind
from notifications.mail.sending import mail_what_is_due
from notifications.models import Level, Notification, ReminderClock
from notifications.reminders.reminders import remind
from notifications.tests.conftest import agent
from taskboard.tests.servers import ROOT

pytestmark = pytest.mark.django_db(transaction=True)


def serve() -> None:
    while serve_followers():
        pass


def test_two_workers_count_each_change_once(board, olga, ed, vera):
    run_jobs()
    Notification.objects.all().delete()
    by_agent = agent(ed)
    for user in (olga, vera):
        choose(user, board, Level.BOARD, "follow")
    for number in range(450):  # three batches
        update_board(actor=by_agent, board_id=board.pk, title=f"Launch {number}")
    in_threads(serve, serve, serve)
    run_jobs()
    assert sorted(Notification.objects.values_list("user__name", "count")) == [("Olga", 450), ("Vera", 450)]


def test_two_clocks_remind_once(card, olga, ed):
    now = timezone.now()
    ReminderClock.objects.create(name="due", at=now - timedelta(hours=1))
    update_card(actor=web(olga), card_id=card.pk, due_at=now - timedelta(minutes=5))
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    in_threads(remind.func, remind.func, remind.func)
    assert Notification.objects.filter(kind=Kind.DUE, user=ed).count() == 1


@pytest.fixture
def _to_mail(card, olga, ed, settings):
    """Ed is to be mailed that a card was assigned to him."""
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    EmailAddress.objects.create(user=ed, email=ed.email, primary=True, verified=True)
    run_jobs()
    Notification.objects.all().delete()
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    Notification.objects.update(to_mail_since=timezone.now() - timedelta(minutes=11))
    mail.outbox.clear()


@pytest.mark.usefixtures("_to_mail")
def test_two_workers_mail_a_bundle_once():
    in_threads(*[mail_what_is_due.call] * 4)
    run_jobs()
    assert len(mail.outbox) == 1
    assert not Notification.objects.exclude(to_mail="").exists()


@pytest.mark.usefixtures("_to_mail")
@pytest.mark.parametrize(
    "moment", ["before the mail is enqueued", "before its transaction ends", "before the mail is sent"]
)
def test_a_worker_that_is_killed_neither_forgets_nor_doubles_a_mail(processes, moment):
    environment = {
        **os.environ,
        "DATABASE_URL": database_of_this_test(),
        "TASKBOARD_DATA": str(django_settings.DATA),
        "PGAPPNAME": KILLED,
    }
    command = [sys.executable, "-m", "notifications.tests.killed", moment]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    wait_until_its_locks_are_gone()
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        take_back_from_the_dead()
        mail_what_is_due.call()
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        run_jobs()
        mail_what_is_due.call()
        run_jobs()
    assert [message.to for message in mail.outbox] == [["ed@example.com"]]
