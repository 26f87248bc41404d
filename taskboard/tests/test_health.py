import shutil
from collections import namedtuple
from datetime import timedelta
from threading import Event

import pytest
import time_machine
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from boards.actions.boards.board import create_board
from conftest import run_jobs, web
from core.limits.queues import own_queue
from jobs.backend import HEAVY
from jobs.clock import set_clock, take_turns
from jobs.models import News, Task, Turn
from jobs.tests import chores
from operating.doctor.database import check_work
from operating.doctor.finding import FindingState
from taskboard import health
from taskboard.serving import readiness
from taskboard.static import Storage

Usage = namedtuple("Usage", "free")
pytestmark = pytest.mark.django_db(transaction=True)  # the checks run in a thread with a connection of its own


@pytest.fixture(autouse=True)
def _lines() -> None:
    health.TROUBLES = health.Throttle(0)


def test_the_service_is_ok_with_database_and_redis(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.json() == {"status": "ok"}
    assert answer.status_code == 200


def test_the_database_is_asked_once(django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        assert health.database_is_ready()


@pytest.mark.parametrize("path", ["/healthz", "/livez"])
def test_the_answer_starts_no_session_and_is_not_cached(client: Client, path: str) -> None:
    answer = client.get(path)
    assert not answer.cookies
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("path", ["/healthz", "/livez"])
def test_head_answers_without_a_body_and_post_is_refused(client: Client, path: str) -> None:
    answer = client.head(path)
    assert (answer.status_code, answer.content) == (200, b"")
    assert client.post(path).status_code == 405


@pytest.fixture
def database_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*args: object) -> None:
        raise OperationalError("connection refused by db.internal")

    monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.cursor", away)


def test_the_service_is_unavailable_without_a_database(database_away, client: Client, caplog) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "database": False, "static": True, "disk": True}
    assert "db.internal" in caplog.text


def test_a_session_cookie_does_not_hide_that_the_database_is_down(database_away, client: Client) -> None:
    client.cookies["sessionid"] = "0123456789abcdef0123456789abcdef"
    assert client.get("/healthz").status_code == 503


def test_the_process_lives_without_a_database(database_away, client: Client) -> None:
    client.cookies["sessionid"] = "0123456789abcdef0123456789abcdef"
    assert client.get("/livez").status_code == 200


def test_a_check_that_hangs_is_not_waited_for(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    released = Event()

    def hang() -> bool:
        released.wait(30)
        return True

    monkeypatch.setattr(health, "database_is_ready", hang)
    monkeypatch.setattr(health, "DEADLINE", 0.05)
    assert [client.get("/healthz").status_code for _repeat in range(3)] == [503] * 3
    hanging = health.Checks.current
    waited: list[float] = []
    monkeypatch.setattr(hanging, "join", waited.append)
    client.get("/healthz")
    assert waited == [0]  # as the others have waited for it already: they come one after the other under bin/serve
    monkeypatch.undo()
    released.set()
    hanging.join()
    assert client.get("/healthz").status_code == 200


def test_a_database_that_lacks_a_migration_is_unavailable(client: Client) -> None:
    applied = MigrationRecorder.Migration.objects.get(app="boards", name="0001_initial")
    applied.delete()
    try:
        assert client.get("/healthz").json()["database"] is False
    finally:
        applied.save(force_insert=True)


def test_a_database_of_a_newer_version_is_ok_while_processes_are_replaced(client: Client) -> None:
    newer = MigrationRecorder.Migration.objects.create(app="boards", name="9999_from_the_future")
    try:
        assert client.get("/healthz").status_code == 200
    finally:
        newer.delete()


def test_the_service_is_unavailable_without_static_files(client: Client, settings, tmp_path, monkeypatch) -> None:
    settings.STATIC_ROOT = tmp_path
    monkeypatch.setattr(readiness, "staticfiles_storage", Storage())
    assert client.get("/healthz").json()["static"] is False


def test_the_service_is_unavailable_on_a_full_disk(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(free=1_000_000))
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["disk"]) == (503, False)


def test_the_service_goes_on_without_redis_and_says_so(client: Client, settings, caplog) -> None:
    settings.REDIS_URL = "redis://cache.internal.invalid:1"
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "degraded", "redis": False})
    assert "cache.internal" in caplog.text


@pytest.mark.parametrize("waits", [timedelta(minutes=1), timedelta(minutes=3)])
def test_work_that_nobody_takes_is_told_without_figures(client: Client, waits: timedelta) -> None:
    chores.write.enqueue("hello")
    Task.objects.update(enqueued_at=timezone.now() - waits)
    answer = client.get("/healthz")
    late = {"status": "degraded", "worker": False}
    assert (answer.status_code, answer.json()) == (200, late if waits.seconds > 120 else {"status": "ok"})


@pytest.mark.parametrize("model, field", [(Turn, "next_at"), (News, "since")])
def test_turns_and_changes_that_nobody_takes_are_told_too(client: Client, olga, model, field) -> None:
    set_clock()
    create_board(actor=web(olga), title="Launch")
    assert client.get("/healthz").json() == {"status": "ok"}
    model.objects.update(**{field: timezone.now() - timedelta(minutes=3)})
    assert client.get("/healthz").json() == {"status": "degraded", "worker": False}


@pytest.mark.parametrize("queue", [own_queue("olga"), own_queue("olga", HEAVY), HEAVY])
def test_tasks_that_wait_for_each_other_do_not_say_that_the_worker_is_gone(client: Client, db, queue) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        chores.write.using(queue_name=queue).enqueue("hello")
        clock.shift(timedelta(minutes=9))
        assert client.get("/healthz").json() == {"status": "ok"}
        chores.write.enqueue("hello")
        clock.shift(timedelta(minutes=9))
        assert client.get("/healthz").json() != {"status": "ok"}


def test_a_worker_with_nothing_to_do_is_told_from_one_that_is_gone(client: Client, otto) -> None:
    client.force_login(otto)

    def told() -> tuple[bool, bool, bool]:
        """Return whether /healthz, the admin and bin/manage doctor are content."""
        return (
            client.get("/healthz").json() == {"status": "ok"},
            b"No worker seems to be running" not in client.get("/admin/").content,
            all(finding.state == FindingState.OK for finding in check_work()),
        )

    set_clock()
    Turn.objects.update(last_at=timezone.now())
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _look in range(60):
            clock.shift(timedelta(seconds=5))
            take_turns()
            run_jobs()
        assert told() == (True, True, True)
        clock.shift(timedelta(minutes=1))
        assert told() == (True, True, True)
        clock.shift(timedelta(minutes=3))
        assert told() == (False, False, True)
        clock.shift(timedelta(minutes=9))
        assert told() == (False, False, False)


def test_tables_of_work_that_cannot_be_read_change_nothing(client: Client, monkeypatch) -> None:
    def broken() -> bool:
        raise OperationalError("locked")

    monkeypatch.setattr(health, "is_overdue", broken)
    assert client.get("/healthz").json() == {"status": "ok"}
