"""A running service writes its log to standard error, in the form that it is asked for, without secrets."""

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from taskboard.tests.people import CSRF, Person, settle
from taskboard.tests.prepared import prepared_cast, prepared_data, prepared_services
from taskboard.tests.processes import DAPHNE, GUNICORN, Process, processes
from taskboard.tests.servers import PLAIN_HTTP, ROOT, bare_environment, free_port
from taskboard.tests.settle import PASSWORD
from taskboard.tests.waiting import PATIENCE, wait_until

SERVE = ["taskboard", "serve", "--port"]
COMMENT = "The merger stays between us."
TITLES = ("Launch of the rocket", "Hire Vera")
GUESSED = "Guessed-wrong-7"
WRONG_TOKEN = "tb_" + "0" * 40
ASKS_FOR_A_MAIL = "asks-for-a-mail"


@dataclass
class Day:
    """The log of a service that people used, and the things of theirs that must not be in it."""

    log: str
    secrets: list[str]
    olga: Person

    @property
    def lines(self) -> list[str]:
        """Return the lines without what the service says to whoever starts it, on standard output."""
        return [line for line in self.log.splitlines() if not line.startswith("Taskboard is ready at ")]

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]

    def answers(self, method: str, route: str) -> list[dict[str, Any]]:
        return [one for one in self.records if (one.get("method"), one.get("route")) == (method, route)]


def set_up(data: Path, form: str) -> dict[str, str]:
    return {
        "TASKBOARD_DATA": str(data),
        "TASKBOARD_LOG": form,
        "TASKBOARD_ACCESS_LOG": "1",
        "TASKBOARD_TRUSTED_PROXIES": "1",
    }


@pytest.fixture(scope="module")
def day(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Day:
    folder = tmp_path_factory.mktemp("service")
    return lived(set_up(prepared_data(folder / "data"), "json"), folder)


def lived(environment: dict[str, str], folder: Path) -> Day:
    service = Process(SERVE, environment, folder / "log")
    with processes(service), settle(environment, service.url, "olga", "ed") as people:
        secrets = use(service, people["olga"], people["ed"])
        service.stop()
    # Now with a mail server, at which nobody listens. Accounts would have to confirm their addresses before
    mailing = Process(SERVE, environment | {"TASKBOARD_EMAIL_URL": f"smtp://127.0.0.1:{free_port()}"}, service.log)
    with processes(mailing):
        send(mailing, "/password/reset", ASKS_FOR_A_MAIL, email=people["ed"].email)
        wait_until(lambda: "is tried again" in service.log.read_text(), "no task has failed")
        mailing.stop()
    secrets.append((folder / "data" / "secret_key").read_text().strip())
    return Day(service.log.read_text(), secrets, people["olga"])


def use(service: Process, olga: Person, ed: Person) -> list[str]:
    """Do what people, programs and attackers do; return what of it is secret."""
    board = olga.new_board(TITLES[0])
    card = olga.new_card(board, TITLES[1])
    olga.post(f"/card/{card['id']}/comments", text=COMMENT)
    form = {"link-role": "viewer", "link-expires": "7", "link-until": "", "link-uses": "", "link-name": ""}
    links = olga.post(f"/board/{board['id']}/invitation-links", **form).text
    keys = {"join": found(r"/join/([\w-]{20,})", links)}
    olga.post(f"/board/{board['id']}/public-link", embedding="nobody")
    keys["public"] = found(r"/public/([\w-]{20,})", olga.browser.get(f"/board/{board['id']}/public-link").text)
    for prefix, key in keys.items():
        for path in (f"/{prefix}/{key}", f"/{prefix}/{key}/no/such", f"/sign-in?next=/{prefix}/{key}"):
            ask(service, path)
    ask(service, "/api/v1/me", Authorization=f"Bearer {WRONG_TOKEN}")
    ask(service, f"/cli?code={WRONG_TOKEN}")
    ask(service, "/sign-in", **{"X-Request-Id": "of-the-proxy"})
    ask(service, "/sign-in", **{"X-Request-Id": "chosen by nobody"})
    send(service, "/sign-in", "signs-in", login=olga.email, password=PASSWORD)
    send(service, "/sign-in", "fails-to-sign-in", login=olga.email, password=GUESSED)
    return [
        *keys.values(),
        *olga.tokens,
        olga.session,
        WRONG_TOKEN,
        COMMENT,
        *TITLES,
        PASSWORD,
        GUESSED,
        olga.email,
        ed.email,
    ]


def ask(service: Process, path: str, **headers: str) -> httpx.Response:
    return httpx.get(service.url + path, headers=headers, **PLAIN_HTTP)


def send(service: Process, path: str, request_id: str, **form: str) -> None:
    headers = {"X-CSRFToken": CSRF, "Cookie": f"csrftoken={CSRF}", "X-Request-Id": request_id}
    answer = httpx.post(service.url + path, data=form, headers=headers, **PLAIN_HTTP)
    assert answer.headers["X-Request-Id"] == request_id


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match is not None
    return match[1]


def test_no_line_has_a_secret(day: Day) -> None:
    for secret in day.secrets:
        assert len(secret) > 7
        assert secret not in day.log
        assert json.dumps(secret)[1:-1] not in day.log


def test_every_line_is_one_object_with_time_level_logger_and_message(day: Day) -> None:
    for record in day.records:
        assert {"time", "level", "logger", "message"} <= record.keys()


def test_a_call_is_a_line_with_account_route_status_and_time(day: Day) -> None:
    [made] = day.answers("POST", "api/v1/cards")
    assert (made["status"], made["account"], made["level"]) == (201, day.olga.id, "INFO")
    assert re.fullmatch(r"[0-9a-f-]{36}", made["token"])
    assert made["ms"] >= 0
    assert made["address"] == "127.0.0.1"


def test_the_id_of_a_request_stands_in_its_line_and_in_those_of_its_tasks(day: Day) -> None:
    of_the_request = [one for one in day.records if one.get("request_id") == ASKS_FOR_A_MAIL]
    loggers = {one["logger"] for one in of_the_request}
    assert {"taskboard.access", "jobs.running"} <= loggers
    [failed] = [one for one in of_the_request if one["logger"] == "jobs.running"]
    assert failed["message"].startswith("accounts.mails.send failed and is tried again in ")


def test_an_event_of_the_security_log_has_the_id_too(day: Day) -> None:
    assert [one for one in day.records if one["logger"] == "security.events" and one["request_id"] == "signs-in"]


def test_an_id_that_is_not_well_formed_is_in_no_line(day: Day) -> None:
    assert "of-the-proxy" in day.log
    assert "chosen by nobody" not in day.log


def test_as_lines_each_begins_with_a_time_a_level_and_a_logger_and_has_no_secret(
    processes: None, tmp_path: Path
) -> None:
    day = lived(set_up(prepared_data(tmp_path / "data"), "lines"), tmp_path)
    for line in day.lines:
        assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [A-Z]+ [\w.]+( \[[\w-]+\])?: ", line), line
    assert f" WARNING jobs.running [{ASKS_FOR_A_MAIL}]: accounts.mails.send failed" in day.log
    assert not [secret for secret in day.secrets if secret in day.log]


def test_every_process_of_a_service_in_parts_writes_the_same_form(
    services: None, any_database: None, tmp_path: Path
) -> None:
    with prepared_services() as given:
        mail = {"TASKBOARD_EMAIL_URL": f"smtp://127.0.0.1:{free_port()}"}
        environment = given | mail | set_up(prepared_data(tmp_path / "data"), "json")
        gunicorn, daphne = (Process(part, environment, tmp_path / part[0]) for part in (GUNICORN, DAPHNE))
        with processes(gunicorn, daphne), working(environment, tmp_path / "worker") as log_of_worker:
            assert ask(daphne, "/sign-in").status_code == 200
            send(gunicorn, "/password/reset", ASKS_FOR_A_MAIL, email=prepared_cast(environment)["ed"]["email"])
            wait_until(lambda: "is tried again" in log_of_worker.read_text(), "no task has failed")
            gunicorn.stop()
    logs = {log.name: log.read_text() for log in (gunicorn.log, daphne.log, log_of_worker)}
    records = {name: [json.loads(line) for line in log.splitlines()] for name, log in logs.items()}
    loggers = {name: {record["logger"] for record in found} for name, found in records.items()}
    assert {"gunicorn.error", "taskboard.access"} <= loggers["gunicorn"]
    assert "taskboard.access" in loggers["daphne"]
    assert [one for one in records["worker"] if one.get("request_id") == ASKS_FOR_A_MAIL]


@contextmanager
def working(environment: dict[str, str], log: Path) -> Iterator[Path]:
    """Run a worker; what it says on standard output goes elsewhere."""
    command = [sys.executable, "-W", "ignore", "-m", "taskboard", "worker"]
    with log.open("ab") as file:
        given = {"cwd": ROOT, "env": bare_environment() | environment, "stdout": subprocess.DEVNULL, "stderr": file}
        worker = subprocess.Popen(command, **given)
        try:
            yield log
        finally:
            worker.kill()
            worker.wait()


@pytest.mark.parametrize("command", ["gunicorn", "worker", "serve"])
def test_a_service_that_refuses_to_start_says_so_in_the_form_of_the_log(
    processes: None, tmp_path: Path, command: str
) -> None:
    environment = set_up(prepared_data(tmp_path / "data"), "json")
    with closing(sqlite3.connect(tmp_path / "data" / "taskboard.sqlite3")) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('boards', '9999_later', '2099-01-01')"
        )
        database.commit()
    given = GUNICORN[1:-1] if command == "gunicorn" else []
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", *(["gunicorn", *given] if given else ["taskboard", command])],
        cwd=ROOT, env=bare_environment() | environment, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode != 0
    said = [json.loads(line) for line in done.stderr.splitlines()]
    [refusal] = [one for one in said if one["level"] == "CRITICAL"]
    assert refusal["message"].startswith("The database belongs to a newer version of Taskboard")
