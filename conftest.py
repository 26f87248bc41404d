"""The named cast: Olga owns, Ed edits, Vera views, Stan is a stranger."""

import gc
import os
from collections.abc import Iterator
from threading import Event

import hypothesis
import pytest
from django.core.cache import caches
from django.db import connection
from pytest_django import DjangoDbBlocker

from accounts.models import User
from boards.actions.boards import create_board
from boards.actions.cards import create_card
from boards.actions.handover import accept_offer, offer_board
from boards.actions.invitations import accept_invitation, invite_member
from boards.actions.lists import create_list
from boards.actor import Actor
from boards.models import Board, Card, List, Membership
from jobs.delivery import serve_followers
from jobs.heartbeat import Pulse
from jobs.running import run_one
from taskboard.tests import needs, prepared

# No deadline: a busy machine would fail tests at random. In CI the inputs are the same each time, so that a failure
# comes from the change that is tested.
hypothesis.settings.register_profile("taskboard", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("taskboard")


def pytest_configure(config: pytest.Config) -> None:
    if not is_xdist_worker(config):
        prepared.begin_run()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not is_xdist_worker(config):
        prepared.end_run()


def pytest_collection_finish() -> None:
    """Take what was imported out of the garbage collector's sight, for it is there until the end."""
    gc.freeze()


def is_xdist_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def pytest_runtest_setup(item: pytest.Item) -> None:
    needs.require(mark.name for mark in item.iter_markers())


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Make a test that commits clear only the tables that the migrations left empty.

    Filling the other tables again would take a hundred statements per test, and truncating every table takes PostgreSQL
    a second.
    """
    with django_db_blocker.unblock():
        from_migrations = set(filter(has_rows, connection.introspection.django_table_names(only_existing=True)))

    def delete(ops, style, tables, *, reset_sequences=False, allow_cascade=False):
        return [f"DELETE FROM {ops.quote_name(table)}" for table in set(tables) - from_migrations]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(connection.ops), "sql_flush", delete)
        patch.setattr("django.core.management.commands.flush.emit_post_migrate_signal", lambda *args: None)
        yield


def has_rows(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})")
        return bool(cursor.fetchone()[0])


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    for name in caches:
        caches[name].clear()


def person(name: str, **fields: object) -> User:
    return User.objects.create_user(f"{name}@example.com", "correct horse", name=name.capitalize(), **fields)


def web(user: User) -> Actor:
    """Return the user as an actor at the browser."""
    return Actor(user)


def join(user: User, board: Board, role: str = "editor") -> None:
    """Make the user a member: the owner invites them, and they accept."""
    owner = Membership.objects.select_related("user").get(board=board, role="owner").user
    invitation = invite_member(actor=web(owner), board_id=board.pk, email=user.email, role=role)
    accept_invitation(actor=web(user), invitation_id=invitation.pk)


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
