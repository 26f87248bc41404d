"""The admin's own pages: its first page and the test mail."""

import shutil
import socket
import threading
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from smtplib import (
    SMTPAuthenticationError,
    SMTPNotSupportedError,
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from ssl import SSLCertVerificationError

import pytest
from django.contrib.auth.models import Permission
from django.contrib.messages import get_messages
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from account_deletion.deletion import delete_account
from accounts.models import User
from accounts.tokens import create_token
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.models import Activity
from conftest import person, run_jobs, web
from jobs.clock import set_clock
from jobs.models import Cursor, Heartbeat, News, Task, Turn
from jobs.tests import chores
from operating.admin import overview, trial_mail
from security.models import EventKind, SecurityEvent
from web.tests.browsing import text_of

FIRST_PAGE = reverse("admin:index")
TEST_MAIL = reverse("admin:test_mail")
# Of the whole first page. PostgreSQL is asked for its version and size besides.
STATEMENTS = 26 if connection.vendor == "postgresql" else 24
Usage = namedtuple("Usage", "free")


@pytest.fixture
def operator(client, otto):
    client.force_login(otto)
    return client


@pytest.fixture
def helper(db):
    """A member of staff who may view accounts, but is not a superuser."""
    user = person("hal", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_user"))
    return user


@pytest.fixture
def mail_server(settings):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    settings.EMAIL_HOST, settings.EMAIL_PORT = "mail.example.com", 587


def figures(client: Client) -> overview.Overview:
    return client.get(FIRST_PAGE).context["overview"]


def said(response) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def grow(times: int) -> None:
    for _time in range(times):
        number = User.objects.count()
        user = person(f"someone{number}", last_login=timezone.now())
        create_token(user, "laptop")
        board = create_board(actor=web(user), title="Launch", template="kanban")
        create_card(actor=web(user), board_id=board.pk, title="Write the announcement")
        chores.write.enqueue("hello")
        SecurityEvent.objects.create(kind=EventKind.SIGN_IN_FAILED, user=user)
        Heartbeat.objects.create(worker=f"worker-{number}", beat_at=timezone.now())


def statements(client: Client) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(FIRST_PAGE).status_code == 200
    return len(captured)


# The first page


def test_the_first_page_takes_the_same_number_of_statements_whatever_there_is(operator):
    grow(2)
    statements(operator)  # fills the cache of content types
    before = statements(operator)
    grow(4)
    assert statements(operator) == before <= STATEMENTS


def test_it_counts_accounts_boards_and_cards(operator):
    grow(2)
    found = figures(operator)
    assert [rows.number for rows in (found.accounts, found.boards, found.cards)] == [3, 2, 2]
    assert not found.accounts.is_estimate


def test_what_a_deleted_account_leaves_is_no_account(operator, otto, ed):
    before = figures(operator).accounts.number
    user = person("gone")
    delete_account(user, deleting=(), request=None)
    assert User.objects.count() == before + 1
    assert figures(operator).accounts.number == before
    assert [
        plan.account_count
        for plan in operator.get(reverse("admin:accounts_plan_changelist")).context["cl"].result_list
        if plan.pk == "free"
    ] == [before]


@pytest.mark.parametrize("field", ["last_login", "seen_at"])
def test_an_account_that_came_by_within_thirty_days_is_active(operator, olga, ed, field):
    now = timezone.now()
    User.objects.update(last_login=None, seen_at=None)
    User.objects.filter(pk=olga.pk).update(**{field: now - timedelta(days=29)})
    User.objects.filter(pk=ed.pk).update(**{field: now - timedelta(days=31)})
    assert figures(operator).active == 1


def test_an_account_whose_token_was_used_is_active(operator, olga, otto):
    User.objects.update(last_login=None)
    token, _value = create_token(olga, "laptop")
    assert figures(operator).active == 0
    type(token).objects.update(last_used_at=timezone.now())
    assert figures(operator).active == 1


def test_a_deactivated_account_is_not_active(operator, olga):
    User.objects.filter(pk=olga.pk).update(last_login=timezone.now(), is_active=False)
    assert figures(operator).active == 1  # the operator


@pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL alone estimates")
def test_the_rows_of_a_huge_table_are_estimated(operator, monkeypatch):
    grow(3)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE boards_card")
    monkeypatch.setattr(overview, "COUNTED", 2)
    found = figures(operator)
    assert found.cards == overview.Rows(3, is_estimate=True)
    assert "Cards about 3" in text_of(operator.get(FIRST_PAGE))


def test_it_tells_the_size_of_the_database(operator):
    found = figures(operator)
    assert found.database_size > 100_000
    assert found.database in text_of(operator.get(FIRST_PAGE))


@pytest.mark.skipif(connection.vendor != "sqlite", reason="is about SQLite's files")
def test_what_sqlite_has_written_ahead_counts_towards_the_size(operator, monkeypatch, tmp_path):
    (tmp_path / "db.sqlite3").write_bytes(b"x" * 3000)
    (tmp_path / "db.sqlite3-wal").write_bytes(b"x" * 500)
    monkeypatch.setitem(connection.settings_dict, "NAME", tmp_path / "db.sqlite3")
    assert overview.database_size() == 3500


def test_it_tells_how_much_of_the_disk_is_free_and_warns_of_little(operator, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(5_000_000))
    page = operator.get(FIRST_PAGE)
    assert "Free for the data folder 4.8 MB" in text_of(page)
    assert page.context["overview"].has_little_room


def test_a_disk_that_cannot_be_read_is_unknown(operator, monkeypatch):
    def unreadable(path):
        raise PermissionError

    monkeypatch.setattr(shutil, "disk_usage", unreadable)
    assert "Free for the data folder Unknown" in text_of(operator.get(FIRST_PAGE))


def test_it_tells_the_version(operator, settings):
    assert f"Version {settings.VERSION}" in text_of(operator.get(FIRST_PAGE))


def test_it_is_healthy_as_healthz_says_it(operator):
    assert "Health All good" in text_of(operator.get(FIRST_PAGE))


def test_it_says_what_is_wrong(operator, settings, monkeypatch):
    settings.REDIS_URL = "redis://nowhere"
    monkeypatch.setattr("taskboard.health.redis_answers", lambda: False)
    monkeypatch.setattr("taskboard.health.static_files_are_collected", lambda: False)
    text = text_of(operator.get(FIRST_PAGE))
    assert "Health Static files are not collected. Redis does not answer." in text


def test_failed_sign_ins_of_a_day_link_to_the_security_log_that_shows_them(operator, olga):
    for age in (1, 23, 25):
        at = timezone.now() - timedelta(hours=age)
        SecurityEvent.objects.create(kind=EventKind.SIGN_IN_FAILED, user=olga, at=at)
    SecurityEvent.objects.create(kind=EventKind.SIGNED_IN, user=olga)
    found = figures(operator)
    assert found.failed_sign_ins == 2
    listed = operator.get(found.failed_sign_ins_address)
    assert listed.context["cl"].result_count == 2


# The work beside requests


def test_tasks_are_counted_by_their_state(operator, olga):
    chores.despair.enqueue()
    run_jobs()
    chores.write.enqueue("hello")
    chores.write.enqueue("hello")
    Task.objects.filter(pk=Task.objects.filter(status="READY").first().pk).update(status="RUNNING")
    queue = figures(operator).queue
    assert (queue.waiting, queue.running, queue.given_up) == (1, 1, 1)


def test_workers_that_hold_tasks_and_are_alive_are_counted(operator):
    Heartbeat.objects.create(worker="alive", beat_at=timezone.now())
    Heartbeat.objects.create(worker="dead", beat_at=timezone.now() - timedelta(minutes=1))
    assert figures(operator).queue.workers == 1


def long_ago(minutes: int = 10):
    return timezone.now() - timedelta(minutes=minutes)


def an_old_task(olga):
    chores.write.enqueue("hello")
    Task.objects.update(enqueued_at=long_ago())


def a_retry_that_is_due(olga):
    chores.write.enqueue("hello")
    Task.objects.update(run_after=long_ago())


def a_turn_that_nobody_takes(olga):
    set_clock()
    Turn.objects.update(next_at=long_ago())


def changes_that_nobody_hands_on(olga):
    create_board(actor=web(olga), title="Launch")
    assert News.objects.update(since=long_ago()) == 1


WORK = [an_old_task, a_retry_that_is_due, a_turn_that_nobody_takes, changes_that_nobody_hands_on]


@pytest.mark.parametrize("work", WORK)
def test_work_that_nobody_takes_is_told_with_what_to_do(operator, olga, work):
    work(olga)
    text = text_of(operator.get(FIRST_PAGE))
    assert "Work has been waiting for 10 minutes. No worker seems to be running. Start bin/manage worker." in text


def test_it_tells_how_old_the_last_work_and_the_oldest_waiting_are(operator, olga):
    queue = figures(operator).queue
    assert (queue.last_work, queue.oldest, queue.behind, queue.behind_since) == (None, None, 0, None)
    chores.write.enqueue("hello")
    run_jobs()
    assert timezone.now() - figures(operator).queue.last_work < timedelta(minutes=1)
    Heartbeat.objects.create(worker="alive", beat_at=timezone.now() + timedelta(minutes=5))
    assert figures(operator).queue.last_work == Heartbeat.objects.get(worker="alive").beat_at
    an_old_task(olga)
    changes_that_nobody_hands_on(olga)
    text = text_of(operator.get(FIRST_PAGE))
    assert "Oldest waiting 10 minutes ago" in text
    assert "Boards behind 1, for 10 minutes" in text


def test_changes_that_followers_have_handled_are_work(operator, olga):
    board = create_board(actor=web(olga), title="Launch")
    assert figures(operator).queue.last_work is None
    run_jobs()
    assert figures(operator).queue.last_work == Activity.objects.get(board=board).created_at


def test_a_busy_worker_is_not_taken_for_a_missing_one(operator, olga):
    an_old_task(olga)
    Heartbeat.objects.create(worker="busy", beat_at=timezone.now())
    text = text_of(operator.get(FIRST_PAGE))
    assert "Work has been waiting" in text
    assert "No worker seems to run" not in text


def test_work_of_a_moment_ago_or_of_later_is_no_trouble(operator, olga):
    chores.write.enqueue("hello")
    Task.objects.update(enqueued_at=long_ago(), run_after=timezone.now() + timedelta(hours=1))
    chores.write.enqueue("hello")
    set_clock()
    assert figures(operator).queue.overdue_since is None


def test_a_board_whose_follower_fails_is_told_as_that(operator, olga):
    changes_that_nobody_hands_on(olga)
    Cursor.objects.create(follower="unseen", board_id=News.objects.get().pk, version=0, attempts=3)
    found = operator.get(FIRST_PAGE)
    assert "Boards that are not processed 1" in text_of(found)
    assert found.context["overview"].queue.overdue_since is None


# Who sees it


def test_staff_without_all_rights_get_the_list_of_their_pages_only(client, helper):
    client.force_login(helper)
    page = client.get(FIRST_PAGE)
    assert page.context["overview"] is None
    assert "Free for the data folder" not in page.text
    assert reverse("admin:accounts_user_changelist") in page.text


def test_the_first_page_needs_no_exception_from_the_content_security_policy(operator, mail_server):
    page = operator.get(FIRST_PAGE)
    assert {"script-src 'self'", "style-src 'self'"} <= set(page["Content-Security-Policy"].split("; "))
    assert " style=" not in page.text


def test_internal_tables_are_out_of_sight(operator):
    listed = [model["object_name"] for app in operator.get(FIRST_PAGE).context["app_list"] for model in app["models"]]
    assert sorted(listed) == [
        "Activity",
        "ApiToken",
        "Attachment",
        "Banner",
        "Board",
        "BoardGroup",
        "Card",
        "Comment",
        "EmailAddress",
        "Grant",
        "GroupMembership",
        "Import",
        "Invitation",
        "InvitationLink",
        "LogEntry",
        "Membership",
        "Offer",
        "OwnerActivity",
        "Plan",
        "PublicLink",
        "SecurityEvent",
        "StoredFile",
        "Task",
        "User",
    ]


# The test mail


@pytest.mark.usefixtures("mail_server")
def test_a_test_mail_goes_to_the_operator_at_once(operator, otto):
    response = operator.post(TEST_MAIL)
    assert response["Location"] == FIRST_PAGE
    assert [message.to for message in mail.outbox] == [[otto.email]]
    assert not Task.objects.exists()
    assert said(response) == [
        "The mail server accepted the test email to otto@example.com. Check your inbox and the spam folder."
    ]


@pytest.mark.usefixtures("mail_server")
def test_the_first_page_offers_it(operator, otto):
    text = text_of(operator.get(FIRST_PAGE))
    assert "Mail server mail.example.com:587" in text
    assert "Send a test email to otto@example.com" in text


def test_without_a_mail_server_the_first_page_says_what_to_set(operator):
    text = text_of(operator.get(FIRST_PAGE))
    assert "Mail server Not set up" in text
    assert "Send a test email" not in text
    assert said(operator.post(TEST_MAIL)) == [
        "No mail server is set up. Set TASKBOARD_EMAIL_URL, then restart the service."
    ]


@pytest.mark.usefixtures("mail_server")
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            ConnectionRefusedError(111, "Connection refused"),
            "mail.example.com:587 cannot be reached: Connection refused",
        ),
        (socket.gaierror(-2, "Name or service not known"), "No host named mail.example.com was found."),
        (TimeoutError("timed out"), "mail.example.com:587 did not answer in time."),
        (SMTPAuthenticationError(535, b"5.7.8 bad"), "refused the user name or the password: 535 5.7.8 bad"),
        (SMTPRecipientsRefused({"otto": (550, b"no such\nuser")}), "refused the email: 550 no such user"),
        (SMTPSenderRefused(553, b"not yours", "taskboard"), "refused the email: 553 not yours"),
        (SMTPNotSupportedError("no STARTTLS"), "does not support what TASKBOARD_EMAIL_URL asks for: no STARTTLS"),
        (SMTPServerDisconnected("closed"), "does not answer as a mail server: closed"),
        (SSLCertVerificationError(1, "self-signed"), "offers no secure connection that can be trusted: self-signed"),
        (ValueError("odd"), "The email could not be sent by mail.example.com:587: odd"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_a_failure_is_told_in_words(operator, monkeypatch, error, words):
    def fail(self, messages):
        raise error

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fail)
    response = operator.post(TEST_MAIL)
    assert response.status_code == 302
    assert words in said(response)[0]


@contextmanager
def silent_server() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.usefixtures("mail_server")
def test_a_mail_server_that_says_nothing_is_given_up(operator, settings, monkeypatch):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    monkeypatch.setattr(trial_mail, "PATIENCE", 0.05)
    with silent_server() as port:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        assert said(operator.post(TEST_MAIL))[0].startswith(f"127.0.0.1:{port} did not answer in time.")
    assert "test-mail" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.usefixtures("mail_server")
def test_nobody_waits_longer_than_the_deadline(operator, monkeypatch):
    monkeypatch.setattr(trial_mail, "DEADLINE", 0.01)
    answered = threading.Event()
    monkeypatch.setattr(
        "django.core.mail.backends.locmem.EmailBackend.send_messages", lambda self, messages: answered.wait(30)
    )
    response = operator.post(TEST_MAIL)
    answered.set()
    assert said(response)[0].startswith("mail.example.com:587 did not answer in time.")


@pytest.mark.usefixtures("mail_server")
def test_test_mails_have_a_limit(stopped_clock, operator, settings):
    settings.LIMITS = {**settings.LIMITS, "test-mail": "2/d"}
    assert [operator.post(TEST_MAIL).status_code for _time in range(3)] == [302, 302, 429]
    assert len(mail.outbox) == 2


@pytest.mark.usefixtures("mail_server")
def test_a_test_mail_needs_post_and_the_csrf_token(operator, otto):
    assert operator.get(TEST_MAIL).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(otto)
    assert strict.post(TEST_MAIL).status_code == 403
    assert mail.outbox == []


@pytest.mark.usefixtures("mail_server")
@pytest.mark.parametrize("name", ["helper", "olga"])
def test_only_superusers_send_test_mails(client, request, name):
    client.force_login(request.getfixturevalue(name))
    assert client.post(TEST_MAIL, follow=True).status_code == 403
    assert mail.outbox == []


# Which of Taskboard's accounts came by


def test_a_page_notes_once_a_day_that_the_account_was_seen(client, olga):
    client.force_login(olga)
    client.get("/settings/profile")
    olga.refresh_from_db()
    assert olga.seen_at is None  # the sign-in says as much
    session = client.session
    session["used_at"] -= 25 * 60 * 60
    session.save()
    client.get("/settings/profile")
    olga.refresh_from_db()
    assert timezone.now() - olga.seen_at < timedelta(minutes=1)
