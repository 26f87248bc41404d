"""The security log as CSV and JSON lines: by command, and from its list in the admin."""

import csv
import io
import json
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conftest import person
from core.text.csv_safety import plain
from security import export
from security.events import log_event
from security.models import EventKind, SecurityEvent
from security.tests.test_events import a_request

LIST = "/admin/security/securityevent/"
FIELDS = ["at", "event", "account", "accountEmail", "by", "byEmail", "address", "browser", "details"]


@pytest.fixture
def lines(olga, ed, otto) -> None:
    """Three lines of three days: Olga made a token, Otto deactivated Ed, somebody signed in as nobody."""
    with time_machine.travel("2026-05-04T12:00:00.5Z", tick=False):
        log_event(EventKind.TOKEN_CREATED, a_request(HTTP_USER_AGENT="=cmd()"), user=olga, name="=1+1")
    with time_machine.travel("2026-05-05 12:00Z", tick=False):
        log_event(EventKind.DEACTIVATED, None, user=ed, by=otto)
    with time_machine.travel("2026-05-06 12:00Z", tick=False):
        log_event(EventKind.SIGN_IN_FAILED, a_request())


@pytest.fixture
def admin(client: Client, otto) -> Client:
    client.force_login(otto)
    SecurityEvent.objects.all().delete()
    return client


def run(*words: object) -> str:
    out = io.StringIO()
    call_command("securitylog", *map(str, words), stdout=out)
    return out.getvalue()


def kinds(text: str) -> list[str]:
    return [json.loads(line)["event"] for line in text.splitlines()]


def sent(answer: Any) -> str:
    return b"".join(answer.streaming_content).decode()


def test_json_lines_name_who_did_what_and_when(lines, olga, ed, otto):
    made, deactivated, failed = (json.loads(line) for line in run().splitlines())
    assert list(made) == FIELDS
    assert made == {
        "at": "2026-05-04T12:00:00.500000Z",
        "event": "token-created",
        "account": str(olga.pk),
        "accountEmail": "olga@example.com",
        "by": None,
        "byEmail": None,
        "address": "203.0.113.7",
        "browser": "=cmd()",
        "details": {"name": "=1+1"},
    }
    assert (deactivated["accountEmail"], deactivated["byEmail"]) == (ed.email, otto.email)
    assert (failed["account"], failed["accountEmail"]) == (None, None)


def test_no_cell_of_the_csv_begins_a_formula(lines, olga):
    head, made, *_more = csv.reader(io.StringIO(run("--format", "csv")))
    assert head == ["\ufeffat", *FIELDS[1:]]
    assert made[7] == "'=cmd()"
    assert plain(made[7]) == "=cmd()"
    assert json.loads(plain(made[8])) == {"name": "=1+1"}


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "words, found",
    [
        (["--since", "2026-05-05"], ["deactivated", "sign-in-failed"]),
        (["--until", "2026-05-05T12:00:00Z"], ["token-created"]),
        (["--since", "2026-05-05T14:00:00+02:00", "--until", "2026-05-06"], ["deactivated"]),
        (["--user", "olga@example.com"], ["token-created"]),
        (["--user", "otto@example.com"], ["deactivated"]),
    ],
)
def test_it_is_narrowed_by_time_and_account(lines, words, found):
    assert kinds(run(*words)) == found


@pytest.mark.parametrize("words", [["--since", "yesterday"], ["--until", "2026-13-01"], ["--user", "nobody"]])
def test_what_is_no_time_and_no_account_is_said(lines, words):
    with pytest.raises(CommandError, match=r"write a time as in|No account has"):
        run(*words)


def test_it_is_read_in_pieces_one_statement_each(lines, monkeypatch):
    monkeypatch.setattr(export, "AT_ONCE", 2)
    with CaptureQueriesContext(
        connection,
    ) as statements:
        assert len(run().splitlines()) == 3
    assert len(statements) == 3  # two rows, one, and none


def test_the_list_in_the_admin_exports_what_its_filters_show(admin, lines):
    page = admin.get(LIST, {"kind__exact": "deactivated"}).content.decode()
    assert f'href="{LIST}export/csv/?kind__exact=deactivated"' in page
    answer = admin.get(f"{LIST}export/jsonl/", {"kind__exact": "deactivated"})
    assert answer.streaming
    assert kinds(sent(answer)) == ["deactivated"]
    assert kinds(sent(admin.get(f"{LIST}export/jsonl/", {"q": "olga"}))) == ["token-created"]
    assert answer["Content-Disposition"].startswith('attachment; filename="taskboard-security-log-')


def test_pages_of_the_list_do_not_cut_the_export(admin, lines):
    SecurityEvent.objects.bulk_create(SecurityEvent(kind="signed-in") for _number in range(100))
    address = f"{LIST}export/csv/"
    assert f'href="{address}"' in admin.get(LIST, {"p": 2}).content.decode().replace('?"', '"')
    assert len(sent(admin.get(address)).splitlines()) == 1 + 103 + 1  # the head, and the export itself is a line


def test_an_export_is_a_line_of_the_log(admin, otto):
    admin.head(f"{LIST}export/csv/")
    assert not SecurityEvent.objects.exists()
    admin.get(f"{LIST}export/csv/")
    event = SecurityEvent.objects.get()
    assert (event.kind, event.user, event.details) == ("exported", otto, {"log": "csv"})


def test_a_filter_that_is_none_leads_back_to_the_list(admin):
    assert admin.get(f"{LIST}export/csv/", {"at__gte": "yesterday"})["Location"] == LIST
    assert not SecurityEvent.objects.exists()


def test_it_needs_the_permission_to_see_the_list(client, lines, olga):
    helper = person("helper", is_staff=True)
    client.force_login(helper)
    for form in export.FORMATS:
        assert client.get(f"{LIST}export/{form}/").status_code == 403
    assert not SecurityEvent.objects.filter(kind="exported").exists()
    helper.user_permissions.add(Permission.objects.get(codename="view_securityevent"))
    assert client.get(f"{LIST}export/csv/").status_code == 200
    client.force_login(olga)
    assert client.get(f"{LIST}export/csv/").status_code == 302
