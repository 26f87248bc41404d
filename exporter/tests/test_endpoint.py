"""GET /api/export: who may call it, how often, and how the file is sent."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import time_machine

from accounts.models import Access, Bounds
from accounts.tokens import create_token
from boards.actions.boards.board import create_board
from conftest import web
from exporter.management.commands.export import Command
from exporter.tests.conftest import checked
from security.models import EventKind, SecurityEvent
from taskboard.tests.people import settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import ROOT, address_of_the_test_database, bare_environment, serving
from taskboard.tests.waiting import wait_until
from web.tests.browsing import browser, text_of

MANY = """
from accounts.models import User
from boards.actions.boards.board import create_board
from boards.actor import Actor
from boards.models import Card
olga = User.objects.get(email="olga@example.com")
board = create_board(actor=Actor(olga), title="Big", template="kanban")
words = {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "word " * 4000}]}]}
Card.objects.bulk_create(
    Card(board=board, list=board.lists.first(), number=n, position=n, title=str(n), description=words, created_by=olga)
    for n in range(1, 1001)
)
"""


@pytest.mark.django_db(transaction=True)
def test_the_answer_is_a_file_to_download(olga):
    with time_machine.travel("2026-11-21T23:30:00Z", tick=False):
        answer = browser(olga).get("/api/export")
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == 'attachment; filename="taskboard-export-2026-11-21.json"'
    assert answer["Cache-Control"] == "no-store"
    assert checked(answer.getvalue())["exportedAt"] == "2026-11-21T23:30:00Z"


@pytest.mark.django_db(transaction=True)
def test_head_answers_without_a_body(olga):
    answer = browser(olga).head("/api/export")
    assert answer.status_code == 200
    assert "taskboard-export-" in answer["Content-Disposition"]
    assert answer.getvalue() == b""


def test_a_call_without_a_session_is_refused(db):
    answer = browser().get("/api/export")
    assert answer.status_code == 401
    assert "Sign in" in answer.json()["error"]
    assert "WWW-Authenticate" not in answer


def export_by(user, **bounds):
    value = create_token(user, "Script", bounds=Bounds(**bounds))[1]
    return browser().get("/api/export", HTTP_AUTHORIZATION=f"Bearer {value}")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("access", Access.values)
def test_a_token_that_may_read_all_boards_gets_the_file(olga, board, access):
    answer = export_by(olga, access=access)
    assert answer.status_code == 200
    assert [found["title"] for found in checked(answer.getvalue())["boards"]] == [board.title]
    assert SecurityEvent.objects.get(kind=EventKind.EXPORTED).details == {"token": "Script"}


def test_a_token_of_chosen_boards_is_refused(olga, board):
    answer = export_by(olga, board_ids=[str(board.pk)])
    assert answer.status_code == 403
    assert answer.json()["error"].startswith("This token is limited to some boards")
    assert not SecurityEvent.objects.filter(kind=EventKind.EXPORTED).exists()


def test_an_unknown_token_is_refused(db):
    answer = browser().get("/api/export", HTTP_AUTHORIZATION="Bearer tbk_nonsense")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")


@pytest.mark.django_db(transaction=True)
def test_a_session_is_not_limited_by_a_token_that_comes_with_it(olga, board):
    value = create_token(olga, "Script", bounds=Bounds(board_ids=[]))[1]
    answer = browser(olga).get("/api/export", HTTP_AUTHORIZATION=f"Bearer {value}")
    assert len(checked(answer.getvalue())["boards"]) == 1


def test_a_deactivated_account_gets_no_export(olga):
    client = browser(olga)
    olga.is_active = False
    olga.save()
    assert client.get("/api/export").status_code == 401


def test_other_methods_are_refused(olga):
    answer = browser(olga).post("/api/export")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert list(answer.json()) == ["error"]


@pytest.mark.django_db(transaction=True)
def test_a_call_that_exports_nothing_takes_no_export_from_the_person(olga, board):
    client = browser(olga)
    assert client.head("/api/export")["RateLimit-Remaining"] == "5"
    assert client.post("/api/export")["RateLimit-Remaining"] == "5"
    assert export_by(olga, board_ids=[str(board.pk)])["RateLimit-Remaining"] == "5"
    answer = client.get("/api/export")
    assert answer["RateLimit-Remaining"] == "4"
    assert len(checked(answer.getvalue())["boards"]) == 1


@pytest.mark.django_db(transaction=True)
def test_a_person_gets_five_exports_an_hour(olga, ed):
    client = browser(olga)
    for left in (4, 3, 2, 1, 0):
        answer = client.get("/api/export")
        assert (answer.status_code, answer["RateLimit-Remaining"]) == (200, str(left))
        assert checked(answer.getvalue())["boards"] == []
    refused = browser(olga).get("/api/export")
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) >= 1
    assert "5 an hour" in refused.json()["error"]
    assert checked(browser(ed).get("/api/export").getvalue())["user"]["name"] == "Ed"
    assert browser(olga).head("/api/export").status_code == 429
    page = text_of(client.get("/settings/data"))
    assert "You can export again in" in page
    assert "Create export" not in page


def test_the_page_offers_the_export(olga):
    answer = browser(olga).get("/settings/data")
    assert 'action="/settings/data/exports"' in answer.content.decode()


def test_the_page_is_for_signed_in_people(client, db):
    assert client.get("/settings/data")["Location"] == "/sign-in?next=/settings/data"


def run(environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=bare_environment() | environment, capture_output=True, text=True)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc to see a process's open files")
def test_a_connection_cut_in_the_middle_leaves_no_file(processes, tmp_path):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data")), "TMPDIR": str(temporary)}
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        assert run(environment, "shell", "-v0", "-c", MANY).returncode == 0
        host, port = running.url.removeprefix("http://").split(":")
        for _time in range(3):
            with socket.create_connection((host, int(port))) as line:
                cookie = f"sessionid={people['olga'].session}"
                line.sendall(f"GET /api/export HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n".encode())
                assert line.recv(1000).startswith(b"HTTP/1.1 200")
        wait_until(lambda: not running.unnamed_files(temporary))
        assert list(temporary.iterdir()) == []
        whole = people["olga"].browser.get("/api/export")
        assert len(checked(whole.content)["boards"][0]["lists"][0]["cards"]) == 1000


@pytest.mark.django_db(transaction=True)
def test_the_command_writes_the_same_file(processes, olga, tmp_path):
    create_board(actor=web(olga), title="Größe", template="kanban")
    environment = {"TASKBOARD_DATA": str(tmp_path / "data"), "DATABASE_URL": address_of_the_test_database()}
    shown = run(environment, "export", "Olga@example.com")
    target = tmp_path / "olga.json"
    kept = run(environment, "export", "olga@example.com", "--output", str(target))
    assert (shown.returncode, kept.returncode, kept.stdout, kept.stderr) == (0, 0, "", "")
    one, other = checked(shown.stdout), checked(target.read_text())
    assert {**one, "exportedAt": ""} == {**other, "exportedAt": ""}
    assert one["boards"][0]["title"] == "Größe"
    assert target.stat().st_mode & 0o777 == 0o600
    assert json.loads(target.read_text()) == other
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "olga.json"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "arguments, words",
    [
        (["nobody@example.com"], "There is no account"),
        (["olga@example.com", "--form", "csv"], "name it with --board"),
        (["olga@example.com", "--board", "Launch"], "is not the id of a board"),
        (
            ["olga@example.com", "--board", "01890000-0000-7000-8000-000000000000", "--output", "olga.json"],
            "has no access to a board",
        ),
        (["olga@example.com", "--output", "missing/olga.json"], "cannot be written"),
    ],
)
def test_the_command_says_why_it_writes_nothing(olga, capsys, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        Command().run_from_argv(["bin/manage", "export", *arguments])
    assert (ended.value.code, words in capsys.readouterr().err) == (1, True)
    assert list(tmp_path.iterdir()) == []
