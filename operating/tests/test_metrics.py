"""/metrics: who may read it, and what it counts."""

import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.utils import timezone

from accounts.mails import send
from boards.actions.boards.board import update_board
from conftest import run_jobs, web
from core.limits.queues import own_queue
from core.measures import LOCK_WAIT, MEASURES, REQUESTS, Measure
from jobs.backend import HEAVY
from jobs.models import Task
from jobs.tests import chores
from mcpserver.tests.conftest import Agent
from operating.metrics import shared
from operating.tests.conftest import TOKEN
from operating.tests.scrapes import Scrape
from security.limits import TooMany, count, require_room
from taskboard.tests.servers import ROOT, bare_environment

pytestmark = pytest.mark.django_db(transaction=True)  # the checks of /healthz run in a thread with its own connection

OUTBOX = "django.core.mail.backends.locmem.EmailBackend.send_messages"
PROXIES = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Via")


def scrape(headers: dict[str, str]) -> Scrape:
    answer = Client(headers=headers).get("/metrics")
    assert answer.status_code == 200
    return Scrape(answer.content.decode())


def without_its_own_words(answer) -> tuple[int, dict[str, str], bytes]:
    """Return an answer without what differs between two for the same address, and without the address."""
    body = re.sub(rb'name="csrfmiddlewaretoken" value="[^"]*"', b"", answer.content)
    return answer.status_code, dict(answer.headers), body.replace(b"metricz", b"metrics")


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("who", ["nobody", "otto", "otto without the second factor", "somebody with a large form"])
def test_while_it_is_off_the_address_is_like_an_unknown_one(otto, settings, method, who):
    client = Client(enforce_csrf_checks=True)
    if "otto" in who:
        client.force_login(otto)
    if "factor" in who:
        settings.SECOND_FACTOR = "all"
    extra = {"CONTENT_LENGTH": "9000000"} if "form" in who else {}
    here, unknown = (without_its_own_words(client.generic(method, path, **extra)) for path in ("/metrics", "/metricz"))
    assert here[0] == 404
    assert here == unknown


def test_while_it_is_off_nothing_is_loaded_and_nothing_counts(processes, tmp_path):
    look = (
        "import sys, django; django.setup(); import taskboard.urls; from django.conf import settings;"
        "from core.measures import Measure;"
        "print('prometheus_client' in sys.modules, Measure.recorder, [m for m in settings.MIDDLEWARE if 'metrics' in m])"
    )
    environment = {"DJANGO_SETTINGS_MODULE": "taskboard.settings", "TASKBOARD_DATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", look], cwd=ROOT, env=bare_environment() | environment, capture_output=True, text=True
    )
    assert done.stdout == "False None []\n", done.stderr
    assert not (tmp_path / "metrics").exists()


def test_a_measure_that_is_off_does_nothing():
    assert Measure.recorder is None
    REQUESTS.add("GET", "/", "200")
    with LOCK_WAIT.timed("board"):
        pass


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_loopback_is_for_programs_of_this_machine(recorder, settings, address):
    settings.METRICS = "loopback"
    answer = Client(REMOTE_ADDR=address).get("/metrics")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("address", ["192.0.2.7", "127.0.0.2", "10.0.0.1", "", "2001:db8::1"])
def test_loopback_refuses_other_machines_also_with_the_token(recorder, settings, address):
    settings.METRICS, settings.METRICS_TOKEN = "loopback", TOKEN
    answer = Client(REMOTE_ADDR=address, headers={"Authorization": f"Bearer {TOKEN}"}).get("/metrics")
    assert answer.status_code == 403
    assert answer.content == b"Only programs on the service's own machine may read this, without a proxy between.\n"


@pytest.mark.parametrize("trusted", [0, 1])
@pytest.mark.parametrize("header", PROXIES)
def test_loopback_refuses_what_came_through_a_proxy(recorder, settings, header, trusted):
    settings.METRICS, settings.TRUSTED_PROXIES = "loopback", trusted
    answer = Client(REMOTE_ADDR="127.0.0.1", headers={header: "127.0.0.1"}).get("/metrics")
    assert answer.status_code == 403


def test_the_token_lets_in_from_anywhere_and_through_proxies(with_token):
    answer = Client(REMOTE_ADDR="192.0.2.7", headers={**with_token, "X-Forwarded-For": "192.0.2.8"}).get("/metrics")
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer ", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}0", f"Basic {TOKEN}", TOKEN, "Bearer ü"]
)
def test_without_the_token_nothing_is_told(with_token, otto, given):
    client = Client(headers={"Authorization": given} if given else {})
    client.force_login(otto)
    answer = client.get("/metrics")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert b"taskboard_" not in answer.content
    assert TOKEN.encode() not in answer.content


def test_the_api_token_of_an_operator_is_not_the_token(with_token, otto):
    answer = Client(headers={"Authorization": f"Bearer {Agent(otto).token.pk}"}).get("/metrics")
    assert answer.status_code == 401


def test_it_is_read_alone(with_token):
    answer = Client(headers=with_token).post("/metrics")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert Client(headers=with_token).head("/metrics").content == b""


def test_requests_are_counted_by_route_and_status_without_what_clients_write(with_token, olga, board):
    client = Client()
    client.force_login(olga)
    for _repeat in range(2):
        client.get(f"/board/{board.pk}?q=secret")
    client.get("/nothing/like/that")
    client.generic("BREW", "/livez")
    client.generic("DELETE", "/livez")
    found = scrape(with_token)
    route = {"route": "board/<id:board_id>"}
    assert found.of("taskboard_requests_total", method="GET", status="200", **route) == 2
    assert found.of("taskboard_request_seconds_count", **route) == 2
    assert found.of("taskboard_requests_total", method="GET", route="-", status="404") == 1
    assert found.of("taskboard_requests_total", method="other", route="livez", status="405") == 2
    methods = {labels["method"] for labels in found.labels("taskboard_requests_total")}
    assert methods == {"GET", "other"}


def test_rest_calls_are_counted_by_name(with_token, olga):
    client = Client()
    assert client.get("/api/v1/me").status_code == 401
    found = scrape(with_token)
    assert found.of("taskboard_requests_total", method="GET", route="api/v1/me", status="401") == 1


def test_tools_are_counted_by_name_and_outcome(with_token, olga, todo):
    agent = Agent(olga)
    agent.call("list_boards")
    agent.call("create_task", listId=todo.pk, title="New")
    agent.refused("create_task", listId=todo.pk, title="")
    agent.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "made_up"}})
    found = scrape(with_token)
    assert found.of("taskboard_tool_calls_total", tool="list_boards", outcome="answered") == 1
    assert found.of("taskboard_tool_calls_total", tool="create_task", outcome="answered") == 1
    assert found.of("taskboard_tool_calls_total", tool="create_task", outcome="refused") == 1
    assert {labels["tool"] for labels in found.labels("taskboard_tool_calls_total")} == {"list_boards", "create_task"}


def test_failed_sign_ins_and_limits_are_counted(with_token, olga, settings):
    for _try in range(6):
        Client().post("/sign-in", {"login": olga.email, "password": "wrong"})
    found = scrape(with_token)
    assert found.of("taskboard_security_events_total", kind="sign-in-failed") == 5
    assert found.of("taskboard_limits_hit_total", limit="sign-in") == 1
    assert olga.email not in str(found.families)


def test_limits_of_calls_are_counted(with_token, settings):
    settings.LIMITS = {**settings.LIMITS, "forms": "1/h"}
    count(None, "forms", "olga")
    with pytest.raises(TooMany):
        count(None, "forms", "olga")
    with pytest.raises(TooMany):
        require_room("forms", "olga")
    assert scrape(with_token).of("taskboard_limits_hit_total", limit="forms") == 2


def test_mails_are_counted_sent_and_failed(with_token, monkeypatch):
    text = {"subject": "Hello", "body": "", "sender": "a@example.com", "alternatives": [], "headers": {}}
    send.func(to=["olga@example.com"], **text)
    monkeypatch.setattr(OUTBOX, lambda backend, messages: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        send.func(to=["olga@example.com"], **text)
    found = scrape(with_token)
    assert found.of("taskboard_mails_total", outcome="sent") == 1
    assert found.of("taskboard_mails_total", outcome="failed") == 1


def test_tasks_that_ran_are_counted(with_token):
    chores.write.enqueue("hello")
    chores.despair.enqueue()
    run_jobs()
    found = scrape(with_token)
    assert found.of("taskboard_task_runs_total", task="jobs.tests.chores.write", outcome="succeeded") == 1
    assert found.of("taskboard_task_runs_total", task="jobs.tests.chores.despair", outcome="failed") == 1
    assert found.of("taskboard_task_seconds_count", task="jobs.tests.chores.write") == 1


def test_waiting_tasks_are_told_by_kind_of_queue_and_never_by_account(with_token, olga):
    chores.write.enqueue("at once")
    chores.write.using(queue_name=own_queue(olga.pk)).enqueue("of Olga")
    chores.write.using(queue_name=own_queue(olga.pk, HEAVY)).enqueue("an export")
    chores.write.using(run_after=timezone.now() + timedelta(hours=1)).enqueue("later")
    Task.objects.filter(queue_name__contains=":").update(enqueued_at=timezone.now() - timedelta(minutes=5))
    found = scrape(with_token)
    assert found.of("taskboard_tasks", queue="default", state="due") == 2
    assert found.of("taskboard_tasks", queue="default", state="later") == 1
    assert found.of("taskboard_tasks", queue="heavy", state="due") == 1
    assert 300 <= found.of("taskboard_oldest_task_seconds", queue="heavy") < 900
    assert {labels["queue"] for labels in found.labels("taskboard_tasks")} == {"default", "heavy"}


def test_followers_that_are_behind_are_told(with_token, board, olga):
    run_jobs()
    assert scrape(with_token)["taskboard_follower_boards_behind"] == 0
    update_board(actor=web(olga), board_id=board.pk, title="Changed")
    found = scrape(with_token)
    assert found.of("taskboard_follower_boards_behind", follower="notifications") == 1
    assert found.of("taskboard_follower_lag_seconds", follower="notifications") > 0
    run_jobs()
    assert scrape(with_token)["taskboard_follower_boards_behind"] == 0


def test_a_scrape_takes_few_statements_however_much_there_is(
    recorder, board, olga, django_assert_num_queries, settings
):
    own = 6 if settings.POSTGRESQL else 2  # PostgreSQL: begin, bound and commit, and the size of the database
    shared.database_figures()
    for number in range(3):
        chores.write.using(queue_name=own_queue(olga.pk)).enqueue(str(number))
        update_board(actor=web(olga), board_id=board.pk, title=str(number))
    with django_assert_num_queries(own):
        assert shared.database_figures()[-1].value == 1
    shared.files_size = shared.Kept(shared.files_size.read)
    with django_assert_num_queries(own + 1):
        shared.database_figures()


@pytest.mark.parametrize(
    "error", [OperationalError("canceling statement due to statement timeout"), InterfaceError("connection is closed")]
)
def test_without_the_database_it_tells_what_processes_count(with_token, monkeypatch, error):
    REQUESTS.add("GET", "/", "200")

    def away() -> None:
        raise error

    monkeypatch.setattr(shared, "tasks", away)
    found = scrape(with_token)
    assert found["taskboard_figures_read"] == 0
    assert found.of("taskboard_requests_total", route="/") == 1
    assert not found.labels("taskboard_tasks")


def test_parts_and_disk_and_build_are_told(with_token, settings):
    found = scrape(with_token)
    assert found.of("taskboard_up", part="database") == 1
    assert {labels["part"] for labels in found.labels("taskboard_up")} >= {"database", "worker", "files", "disk"}
    assert 0 < found["taskboard_disk_free_bytes"] < found["taskboard_disk_bytes"]
    assert found.labels("taskboard_build_info")[0]["version"] == settings.VERSION
    assert found["taskboard_database_bytes"] > 0


def test_every_name_is_ours_and_in_the_docs_with_its_labels(with_token):
    page = (ROOT / "docs" / "running" / "monitoring.md").read_text()
    told: dict[str, set[str]] = {}
    for line in page.splitlines():
        if line.startswith("| `taskboard_"):
            names, labels = line.split("|")[1:3]
            told |= {name: set(re.findall(r"`(\w+)`", labels)) for name in re.findall(r"`(\w+)`", names)}
    assert told.keys() == {measure.name for measure in MEASURES} | shared.WORDS.keys()
    assert all(name.startswith("taskboard_") for name in told)
    found = scrape(with_token)
    of_code = {measure.name: set(measure.labels) for measure in MEASURES}
    of_code |= {name: set(labels) for name in shared.WORDS for labels in found.labels(name)[:1]}
    assert told == of_code


@pytest.mark.parametrize("file", ["prometheus/taskboard.rules.yml", "grafana/dashboard.json"])
def test_rules_and_dashboard_name_only_metrics_that_there_are(file):
    text = Path(ROOT / "operating" / "deploy" / file).read_text()
    named = set(re.findall(r"\btaskboard_\w+", text))
    histograms = {f"{one.name}_bucket" for one in MEASURES if hasattr(one, "buckets")}
    known = {one.name for one in MEASURES if not hasattr(one, "buckets")} | histograms | shared.WORDS.keys()
    assert named - known == set()
    assert len(named) > 10
