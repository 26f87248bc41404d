"""operating/deploy/prometheus and operating/deploy/grafana with a real Prometheus: it reads the service, each alert is sent when it
should be, and each query of the dashboard finds what it asks for."""

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from operating.tests.conftest import TOKEN
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PLAIN_HTTP, ROOT, free_port, serving
from taskboard.tests.waiting import wait_until

DEPLOY = ROOT / "operating" / "deploy"
RULES = DEPLOY / "prometheus" / "taskboard.rules.yml"
SCRAPE = DEPLOY / "prometheus" / "scrape.yml"
DASHBOARD = DEPLOY / "grafana" / "dashboard.json"
ALERTS = {rule["alert"]: rule for rule in yaml.safe_load(RULES.read_text())["groups"][0]["rules"]}

# Counted only once it happens, or only where the service is in parts.
NOT_YET = re.compile(
    r"_(limits_hit|mails|pushes|tool_calls|security_events|updates|task_runs|sockets_opened)_total"
    r"|_(pool_wait|task|update_lag)_seconds_bucket|_sockets\b|5\.\."
)


@dataclass
class Case:
    """Series of one sample a minute, as promtool writes them, with which an alert is sent, and with which it is not."""

    sent: dict[str, str]
    silent: dict[str, str]
    labels: dict[str, str] = field(default_factory=dict)
    minutes: int = 30


def slow(name: str, bound: str, above: str, **labels: str) -> Case:
    """Return the case of a histogram of which more than one in twenty is above a bound."""
    shared = "".join(f'{label}="{value}",' for label, value in labels.items())

    def buckets(within: int) -> dict[str, str]:
        counts = {bound: within, above: 100, "+Inf": 100}
        return {f'{name}_bucket{{{shared}le="{le}"}}': f"0+{count}x60" for le, count in counts.items()}

    return Case(buckets(90), buckets(99), labels)


CASES = {
    "TaskboardAway": Case(
        {'up{job="taskboard",instance="a"}': "0x60"},
        {'up{job="taskboard",instance="a"}': "1x60", 'up{job="other",instance="a"}': "0x60"},
        {"job": "taskboard", "instance": "a"},
    ),
    "TaskboardPartAway": Case(
        {'taskboard_up{part="redis"}': "0x60"}, {'taskboard_up{part="redis"}': "1x60"}, {"part": "redis"}
    ),
    "TaskboardNoFigures": Case({"taskboard_figures_read": "0x60"}, {"taskboard_figures_read": "1x60"}),
    "TaskboardErrors": Case(
        {'taskboard_requests_total{status="500"}': "0+3x60", 'taskboard_requests_total{status="200"}': "0+97x60"},
        {'taskboard_requests_total{status="500"}': "0+1x60", 'taskboard_requests_total{status="404"}': "0+99x60"},
    ),
    "TaskboardSlow": slow("taskboard_request_seconds", "1", "2.5"),
    "TaskboardUpdatesLate": slow("taskboard_update_lag_seconds", "5", "10"),
    "TaskboardTasksWait": Case(
        {'taskboard_oldest_task_seconds{queue="default"}': "400x60"},
        {'taskboard_oldest_task_seconds{queue="heavy"}': "400x60"},
        {"queue": "default"},
    ),
    "TaskboardTasksGivenUp": Case(
        {'taskboard_tasks{queue="default",state="given_up"}': "0x20 1x40"},
        {'taskboard_tasks{queue="default",state="given_up"}': "1x60"},
        {"queue": "default"},
    ),
    "TaskboardFollowerBehind": Case(
        {'taskboard_follower_lag_seconds{follower="mails"}': "400x60"},
        {'taskboard_follower_lag_seconds{follower="mails"}': "200x60"},
        {"follower": "mails"},
    ),
    "TaskboardMailsFail": Case(
        {'taskboard_mails_total{outcome="failed"}': "0+1x60"}, {'taskboard_mails_total{outcome="sent"}': "0+1x60"}
    ),
    "TaskboardPushesFail": Case(
        {'taskboard_pushes_total{outcome="failed"}': "0+6x180", 'taskboard_pushes_total{outcome="sent"}': "0+4x180"},
        {'taskboard_pushes_total{outcome="failed"}': "0+4x180", 'taskboard_pushes_total{outcome="sent"}': "0+6x180"},
        minutes=150,
    ),
    "TaskboardSignInsFail": Case(
        {'taskboard_security_events_total{kind="sign-in-failed"}': "0+20x60"},
        {'taskboard_security_events_total{kind="signed-in"}': "0+20x60"},
    ),
    "TaskboardLimitsHit": Case(
        {'taskboard_limits_hit_total{limit="search"}': "0+100x60"},
        {'taskboard_limits_hit_total{limit="search"}': "0+10x60"},
        {"limit": "search"},
    ),
    "TaskboardPoolWaits": slow("taskboard_pool_wait_seconds", "0.5", "1"),
    "TaskboardLocksWait": slow("taskboard_lock_wait_seconds", "1", "2.5", lock="board"),
    "TaskboardDiskFills": Case(
        {'taskboard_disk_free_bytes{instance="a"}': "5x60", 'taskboard_disk_bytes{instance="a"}': "100x60"},
        {'taskboard_disk_free_bytes{instance="a"}': "20x60", 'taskboard_disk_bytes{instance="a"}': "100x60"},
        {"instance": "a"},
    ),
}


def promtool(prometheus: str, *words: str | Path) -> None:
    done = subprocess.run([Path(prometheus).with_name("promtool"), *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_a_case() -> None:
    assert CASES.keys() == ALERTS.keys()


@pytest.mark.parametrize("name", CASES)
def test_an_alert_is_sent_when_its_bound_is_passed_and_not_before(prometheus: str, tmp_path: Path, name: str) -> None:
    case = CASES[name]
    summary = ALERTS[name]["annotations"]["summary"]
    for label, value in case.labels.items():
        summary = summary.replace(f"{{{{ $labels.{label} }}}}", value)
    alert = {"exp_labels": case.labels, "exp_annotations": {"summary": summary}}
    tests = [
        {
            "interval": "1m",
            "input_series": [{"series": series, "values": values} for series, values in given.items()],
            "alert_rule_test": [{"eval_time": f"{case.minutes}m", "alertname": name, "exp_alerts": expected}],
        }
        for given, expected in ((case.sent, [alert]), (case.silent, []))
    ]
    file = tmp_path / "alerts.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    promtool(prometheus, "test", "rules", file)


class Prometheus:
    """Prometheus with our job and our rules, which reads the service at `url` each second."""

    def __init__(self, program: str, folder: Path, url: str) -> None:
        self.url = f"http://127.0.0.1:{free_port()}"
        (folder / RULES.name).write_text(RULES.read_text())
        (folder / "token").write_text(TOKEN)
        job = SCRAPE.read_text().replace("/etc/prometheus/taskboard_token", "token").replace("https", "http")
        job = job.replace("boards.example.com", url.removeprefix("http://"))
        (folder / "prometheus.yml").write_text("global: {scrape_interval: 1s, evaluation_interval: 1s}\n" + job)
        promtool(program, "check", "config", folder / "prometheus.yml")
        self.process = subprocess.Popen(
            [
                program,
                "--config.file=prometheus.yml",
                "--storage.tsdb.path=kept",
                f"--web.listen-address={self.url.removeprefix('http://')}",
            ],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def ask(self, path: str, **query: str) -> Any:
        answer = httpx.get(f"{self.url}/api/v1/{path}", params=query, **PLAIN_HTTP)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    def found(self, expression: str) -> list[dict[str, Any]]:
        return self.ask("query", query=expression)["result"]

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/-/ready", **PLAIN_HTTP).status_code == 200
        except httpx.TransportError:
            return False

    def has_read_twice(self) -> bool:
        return bool(self.found("rate(taskboard_requests_total[5m])"))


@pytest.fixture(scope="module")
def reading(prometheus: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    folder = tmp_path_factory.mktemp("prometheus")
    data = {"TASKBOARD_DATA": str(prepared_data(folder / "data"))}
    with serving(data | {"TASKBOARD_METRICS": "token", "TASKBOARD_METRICS_TOKEN": TOKEN}) as running:
        running.get("/api/v1/me")
        made = Prometheus(prometheus, folder, running.url)
        try:
            wait_until(made.is_ready)
            wait_until(made.has_read_twice, lambda: str(made.ask("targets")))
            yield made
        finally:
            made.stop()


def test_prometheus_reads_the_service(reading: Prometheus) -> None:
    [target] = reading.ask("targets")["activeTargets"]
    assert (target["health"], target["lastError"]) == ("up", "")


def test_every_query_of_the_dashboard_finds_something(reading: Prometheus) -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    queries = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    assert len(queries) > 30
    nothing = [query for query in queries if not reading.found(query.replace("$__rate_interval", "5m"))]
    assert [query for query in nothing if not NOT_YET.search(query)] == []


def test_no_rule_fails_and_a_service_at_rest_sends_no_alert(reading: Prometheus) -> None:
    def rules() -> list[dict[str, Any]]:
        return reading.ask("rules")["groups"][0]["rules"]

    wait_until(lambda: all(rule["health"] != "unknown" for rule in rules()))
    assert {rule["name"]: rule["health"] for rule in rules()} == dict.fromkeys(ALERTS, "ok")
    assert reading.ask("alerts")["alerts"] == []
