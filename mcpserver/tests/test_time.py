"""A call ends in time, does nothing by half, and leaves the connection as it was."""

import pytest
from django.db import OperationalError, connection

from boards.actions.cards.card import create_card
from boards.models import Board, Card
from mcpserver import running
from mcpserver.tools import TOOLS, write_tasks
from mcpserver.tools import boards as board_tools


def timeout():
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return cursor.fetchone()[0]


@pytest.fixture
def slow(monkeypatch):
    """Make the creation of a card hang in the database once the card is written."""

    def create_slowly(**arguments):
        create_card(**arguments)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(30)")

    monkeypatch.setattr(running, "SECONDS", 0.2)
    monkeypatch.setattr(write_tasks.card_actions, "create_card", create_slowly)


@pytest.mark.usefixtures("services")
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("slow")
def test_a_statement_that_takes_too_long_is_stopped_and_the_key_stays_free(agent, todo):
    refusal = agent.refused("create_task", listId=todo.pk, title="Print", idempotencyKey="once")
    assert refusal.startswith("This took too long and was stopped")
    assert not Card.objects.exists()
    assert timeout() == "0"


@pytest.mark.usefixtures("services")
@pytest.mark.django_db(transaction=True)
def test_the_bound_does_not_outlive_a_call(agent, todo):
    for tool, arguments in {"list_boards": {}, "create_task": {"listId": todo.pk, "title": "Print"}}.items():
        agent.call(tool, **arguments)
        assert timeout() == "0"
    agent.refused("get_task", taskId="nonsense")
    assert timeout() == "0"


@pytest.mark.usefixtures("services")
def test_every_tool_runs_within_the_bound(agent, monkeypatch, subtests):
    monkeypatch.setattr(running, "read_arguments", lambda *arguments: {})
    monkeypatch.setattr(running, "_run", lambda *arguments: b'{"timeout": "%b"}' % timeout().encode())
    for tool in TOOLS:
        with subtests.test(tool=tool):
            assert agent.call(tool) == {"timeout": "5s"}


@pytest.mark.django_db(transaction=True)
def test_a_board_whose_lists_cannot_be_read_is_not_created(agent, monkeypatch):
    def locked(*row):
        raise OperationalError("database is locked")

    monkeypatch.setattr(board_tools, "ListEntry", locked)
    assert "nothing was changed" in agent.refused("create_board", title="Garden", template="kanban")
    assert not Board.objects.exists()


def test_a_locked_database_is_reported_in_a_sentence(agent, todo, monkeypatch):
    def locked(**arguments):
        raise OperationalError("database is locked")

    monkeypatch.setattr(write_tasks.card_actions, "create_card", locked)
    refusal = agent.refused("create_task", listId=todo.pk, title="Print")
    assert refusal == "The service is busy; nothing was changed. Try again in a moment."
