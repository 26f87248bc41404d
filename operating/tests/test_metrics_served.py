"""/metrics of real processes: the service in one process, and in parts that share what they count."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from operating.tests.conftest import TOKEN
from operating.tests.scrapes import Scrape
from taskboard.tests.people import settle, titles
from taskboard.tests.prepared import prepared_data, prepared_services
from taskboard.tests.processes import DAPHNE, GUNICORN, Process, processes
from taskboard.tests.servers import PLAIN_HTTP, ROOT, bare_environment, refusal, serving
from taskboard.tests.waiting import PATIENCE, wait_until

SEVERAL = [*GUNICORN[:-1], "--workers", "2", "--bind"]


@pytest.fixture
def environment(processes: None, tmp_path: Path) -> dict[str, str]:
    """That of a service whose metrics the token opens. The token stands in a file."""
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    data = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data"))}
    return data | {"TASKBOARD_METRICS": "token", "TASKBOARD_METRICS_TOKEN_FILE": str(tmp_path / "token")}


@pytest.fixture
def parts(services: None, any_database: None, environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """The environment of a service in several processes, with PostgreSQL and Redis between them."""
    with prepared_services() as given:
        yield given | environment


def scrape(url: str) -> Scrape:
    answer = httpx.get(f"{url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, **PLAIN_HTTP)
    assert answer.status_code == 200, answer.text
    return Scrape(answer.text)


@contextmanager
def working(environment: dict[str, str]) -> Iterator[None]:
    """Run a worker as a process of its own."""
    command = [sys.executable, "manage.py", "worker"]
    given = bare_environment() | environment
    process = subprocess.Popen(command, cwd=ROOT, env=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        yield
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def workers_of(master: Process) -> list[int]:
    pid = master.process.pid
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_the_service_in_one_process_tells_requests_pages_and_updates(environment):
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        olga = people["olga"]
        board = olga.new_board()
        with olga.open(board, since=1) as socket:
            for title in ("Perhaps before the socket was served", "Surely after"):
                olga.new_card(board, title)
                assert titles(socket.message()) == [title]
            found = wait_until(lambda: (now := scrape(running.url))["taskboard_updates_total"] == 2 and now)
            assert found["taskboard_sockets"] == 1
        assert found["taskboard_update_lag_seconds_count"] >= 1
        assert found["taskboard_sockets_opened_total"] == 1
        assert found.of("taskboard_requests_total", method="POST", route="api/v1/cards", status="201") == 2
        assert found["taskboard_lock_wait_seconds_count"] > 0
        wait_until(lambda: scrape(running.url)["taskboard_sockets"] == 0)


def test_a_page_that_catches_up_does_not_count_as_late(environment):
    with serving(environment) as running, settle(environment, running.url, "olga") as people:
        board = people["olga"].new_board()
        people["olga"].new_card(board, "Missed")
        with people["olga"].open(board, since=1) as socket:
            assert titles(socket.message()) == ["Missed"]
            found = wait_until(lambda: (now := scrape(running.url))["taskboard_updates_total"] and now)
        assert found["taskboard_update_lag_seconds_count"] == 0


def test_workers_of_gunicorn_count_together_and_one_that_dies_loses_nothing(parts, tmp_path):
    gunicorn = Process(SEVERAL, parts, tmp_path / "log")
    with processes(gunicorn):
        for _call in range(20):
            httpx.get(f"{gunicorn.url}/api/v1/me", **PLAIN_HTTP)
        before = scrape(gunicorn.url).of("taskboard_requests_total", route="api/v1/me", status="401")
        for pid in (killed := workers_of(gunicorn)):
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: len({*workers_of(gunicorn)} - {*killed}) == 2)
        wait_until(lambda: answers(f"{gunicorn.url}/api/v1/me"))
        after = scrape(gunicorn.url).of("taskboard_requests_total", route="api/v1/me", status="401")
    assert before == 20
    assert after >= 21


def answers(url: str) -> bool:
    try:
        return httpx.get(url, **PLAIN_HTTP).status_code == 401
    except httpx.TransportError:
        return False


def test_what_a_worker_does_is_told_by_the_part_that_answers(parts, tmp_path):
    gunicorn = Process(SEVERAL, parts, tmp_path / "log")
    with processes(gunicorn), settle(parts, gunicorn.url, "olga") as people, working(parts):
        people["olga"].new_card(board := people["olga"].new_board())
        ran = "taskboard_task_runs_total"
        wait_until(lambda: scrape(gunicorn.url)["taskboard_follower_boards_behind"] == 0)
        people["olga"].post("/settings/data/exports", form="json", board=board["id"])
        wait_until(lambda: scrape(gunicorn.url).of(ran, task="exporter.making.make_export", outcome="succeeded") == 1)


def test_two_services_on_the_same_data_tell_what_both_count(parts, tmp_path):
    with serving(parts) as first, serving(parts) as second:
        for running in (first, second, second):
            running.get("/api/v1/me")
        for running in (first, second):
            found = scrape(running.url)
            assert found.of("taskboard_requests_total", route="api/v1/me") == 3
            assert found["taskboard_pool_wait_seconds_count"] > 0
            assert found.of("taskboard_up", part="redis") == 1
        first.stop(signal.SIGKILL)
        assert scrape(second.url).of("taskboard_requests_total", route="api/v1/me") == 3


def test_sockets_of_another_part_are_told_until_it_dies(parts, tmp_path):
    gunicorn = Process(GUNICORN, parts, tmp_path / "gunicorn")
    daphne = Process(DAPHNE, parts, tmp_path / "daphne")
    with processes(gunicorn, daphne), settle(parts, gunicorn.url, "olga") as people:
        olga = people["olga"]
        board = olga.new_board()
        olga.socket_url = daphne.url
        with olga.open(board):
            wait_until(lambda: scrape(gunicorn.url)["taskboard_sockets"] == 1)
            daphne.kill()
            assert scrape(gunicorn.url)["taskboard_sockets"] == 0
        assert scrape(gunicorn.url)["taskboard_sockets_opened_total"] == 1


def test_a_start_after_all_have_ended_begins_with_nothing(environment):
    for _start in range(2):
        with serving(environment) as running:
            running.get("/api/v1/me")
            assert scrape(running.url).of("taskboard_requests_total", route="api/v1/me") == 1


def test_loopback_answers_this_machine_and_no_proxy(environment):
    with serving({**environment, "TASKBOARD_METRICS": "loopback", "TASKBOARD_METRICS_TOKEN_FILE": ""}) as running:
        assert running.get("/metrics").status_code == 200
        assert running.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 403
        assert running.get("/metrics", headers={"Host": "evil.example.com"}).status_code == 400


def test_the_token_is_in_no_log_and_in_no_list_of_processes(environment):
    with serving({**environment, "TASKBOARD_ACCESS_LOG": "1"}) as running:
        scrape(running.url)
        running.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}x"})
        command = Path(f"/proc/{running.process.pid}/cmdline").read_text()
        _code, out, err = running.stop(signal.SIGTERM)
    assert "GET metrics 401" in err
    assert not re.search(TOKEN, out + err + command)


@pytest.mark.parametrize(
    "given, said",
    [
        ({"TASKBOARD_METRICS": "on"}, "TASKBOARD_METRICS is 'on': write one of off, loopback, token."),
        ({"TASKBOARD_METRICS": "token"}, "TASKBOARD_METRICS=token needs TASKBOARD_METRICS_TOKEN"),
        ({"TASKBOARD_METRICS": "token", "TASKBOARD_METRICS_TOKEN": "brief"}, "is too short or too simple"),
        ({"TASKBOARD_METRICS": "token", "TASKBOARD_METRICS_TOKEN": "a" * 40}, "is too short or too simple"),
        ({"TASKBOARD_METRICS": "token", "TASKBOARD_METRICS_TOKEN": "ünïcode" * 8}, "is too short or too simple"),
        ({"TASKBOARD_METRICS_TOKEN": TOKEN}, "TASKBOARD_METRICS_TOKEN is set without TASKBOARD_METRICS=token"),
    ],
)
def test_wrong_settings_stop_the_start_without_the_token(processes: None, tmp_path, given, said):
    code, err = refusal({"TASKBOARD_DATA": str(tmp_path), **given})
    assert code == 1
    assert said in err
    assert given.get("TASKBOARD_METRICS_TOKEN", "nothing") not in err
