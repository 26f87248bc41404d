"""The named cast: Olga owns, Ed edits, Vera views, Stan is a stranger."""

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import hypothesis
import pytest
import time_machine
from django.core.cache import caches
from django.db import connection, transaction
from django.dispatch import receiver
from django.test import TransactionTestCase
from django.test.signals import setting_changed
from pytest_django import DjangoDbBlocker

import taskboard.urls  # noqa: F401  else the first request would load it, with what a test has replaced for a moment
from accounts.models import DefaultPlan, Plan, User
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.lists.list import create_list
from boards.actions.people.handover import accept_offer, offer_board
from boards.actions.people.newcomers import join_board, joining_change
from boards.actor import Actor
from boards.models import Board, Card, List, Membership
from core.templatetags import kept_tags
from jobs.delivery import serve_followers
from jobs.followers import THE_BEGINNING
from jobs.heartbeat import Pulse
from jobs.models import Follower
from jobs.running import run_one
from operating.banner.memory import MEMORY
from taskboard.serving.garbage import collect_rarely, freeze_loaded
from taskboard.tests import browsers, late, migrated, needs, prepared, runs, stress
from taskboard.tests.runs import Run, is_xdist_worker

collect_rarely()  # 12,000 tests are collected in half the time

# No deadline: a busy machine would fail tests at random. In CI the inputs are the same each time, so that a failure
# comes from the change that is tested.
hypothesis.settings.register_profile("taskboard", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("taskboard")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("taskboard")
    for run in Run:
        group.addoption(
            f"--{run}", dest="run", action="store_const", const=str(run), help="see taskboard/tests/runs.py"
        )
    group.addoption(
        "--stress", type=int, default=0, metavar="N", help="run each test N times while both cores are busy"
    )
    group.addoption("--late", type=int, default=0, metavar="MS", help="make what the tests' own server does so late")
    group.addoption("--what", dest="what_is_late", choices=late.LATE, default="scripts", help="what is late")


def pytest_configure(config: pytest.Config) -> None:
    for plugin in (runs, stress, late, needs, browsers):
        config.pluginmanager.register(plugin)
    if not is_xdist_worker(config):
        prepared.begin_run()


def pytest_sessionfinish() -> None:
    end_browser()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not is_xdist_worker(config):
        prepared.end_run()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run one worker more than there are processors, for tests often wait: for browsers, servers and clocks.

    Under `--stress` there are two for each processor. A single file has begun here before workers could.
    """
    if config.option.stress:
        return 2 * (os.cpu_count() or 1)
    if [Path(argument.partition("::")[0]).suffix for argument in config.args] == [".py"]:
        return 0
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """Take what was imported out of the garbage collector's sight, for it is there until the end."""
    freeze_loaded()


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Copy a database that is migrated already, in place of migrating one for each worker."""
    with ExitStack() as stack:
        with django_db_blocker.unblock():
            stack.enter_context(migrated.test_database())
            stack.enter_context(cleared_quickly())
        yield
        end_browser()


@contextmanager
def cleared_quickly() -> Iterator[None]:
    """Make a test that commits clear only the tables that the migrations left empty, and put plans back as they were.

    Filling the other tables again would take a hundred statements per test, and truncating every table takes PostgreSQL
    a second. The command `flush` would ask for the tables each time, which takes longer than deleting their rows.
    """
    tables = connection.introspection.django_table_names(only_existing=True)
    statements = [f"DELETE FROM {connection.ops.quote_name(table)}" for table in tables if not has_rows(table)]
    plans = list(Plan.objects.values())
    # The migrations gave followers the present as their beginning, and a test may stop the clock before that.
    Follower.objects.update(began_at=THE_BEGINNING)
    if connection.vendor == "postgresql":
        statements = [";".join(statements)]  # one round trip instead of seventy

    def clear(test: TransactionTestCase) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            for plan in plans:
                Plan.objects.filter(pk=plan["key"]).update(**plan)
            DefaultPlan.objects.update(plan="free")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", clear)
        yield


def end_browser() -> None:
    """End the browser of this process, and wait for what served it: that uses the database, which is dropped next."""
    browsers.end_browser()
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(10)


def has_rows(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})")
        return bool(cursor.fetchone()[0])


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    for name in caches:
        caches[name].clear()


@pytest.fixture(autouse=True)
def _no_banner() -> None:
    """Keep the banner from being read meanwhile, for the tests that count statements. Saving one makes it be read."""
    MEMORY.assume_none()


@pytest.fixture
def stopped_clock() -> Iterator[None]:
    """Stop the clock, so that no window of a limit ends during a test."""
    with time_machine.travel("2026-05-04 12:00Z", tick=False):
        yield


@receiver(setting_changed)
def forget_kept_html(**changed: object) -> None:
    """Settings say what pages look like, as the names of style sheets. Nothing kept under others may stay."""
    kept_tags.rendered.cache_clear()


def person(name: str, **fields: object) -> User:
    return User.objects.create_user(f"{name}@example.com", "correct horse", name=name.capitalize(), **fields)


def web(user: User) -> Actor:
    """Return the user as an actor at the browser."""
    return Actor(user)


def join(user: User, board: Board, role: str = "editor") -> None:
    """Make the user a member, as one who was invited by the owner and accepted."""
    owner = Membership.objects.select_related("user").get(board=board, role="owner").user
    with joining_change(web(user), board.pk) as c:
        join_board(c, role, inviter=owner)


def hand_over(board: Board, heir: User) -> None:
    """Make a member the owner: the owner offers the board, and they accept."""
    owner = Membership.objects.select_related("user").get(board=board, role="owner").user
    offer_board(actor=web(owner), board_id=board.pk, user_id=heir.pk)
    accept_offer(actor=web(heir), board_id=board.pk)


def run_jobs() -> None:
    """Do at once what a worker does: hand on the history, run the tasks that are due."""
    pulse = Pulse("test")
    while serve_followers() or run_one(pulse, Event()):
        pass
    pulse.end()


@pytest.fixture
def olga(db: None) -> User:
    return person("olga")


@pytest.fixture
def ed(db: None) -> User:
    return person("ed")


@pytest.fixture
def vera(db: None) -> User:
    return person("vera")


@pytest.fixture
def stan(db: None) -> User:
    return person("stan")


@pytest.fixture
def board(olga: User, ed: User, vera: User) -> Board:
    """Olga's board "Launch", which Ed edits and Vera views."""
    board = create_board(actor=web(olga), title="Launch")
    join(ed, board, "editor")
    join(vera, board, "viewer")
    board.refresh_from_db()
    return board


@pytest.fixture
def todo(board: Board, olga: User) -> List:
    return create_list(actor=web(olga), board_id=board.pk, title="To do")


@pytest.fixture
def doing(board: Board, todo: List, olga: User) -> List:
    return create_list(actor=web(olga), board_id=board.pk, title="Doing")


@pytest.fixture
def card(todo: List, olga: User) -> Card:
    return create_card(actor=web(olga), list_id=todo.pk, title="Write the announcement")


@pytest.fixture
def otto(db: None) -> User:
    """An operator of the service, who is not a member of any board."""
    return person("otto", is_staff=True, is_superuser=True)


@pytest.fixture
def small_disk(processes: None, tmp_path: Path, settings: Any) -> Iterator[Path]:
    """A real file system of 2 MB, with the storage on it."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("needs to mount a small file system, as root")
    backend = settings.STORAGES["default"]["BACKEND"]
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend, "OPTIONS": {"location": str(place)}}}
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)
