"""`bin/serve` from the outside: it starts on an empty data folder, says so, answers, and ends when told to."""

import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from taskboard.tests.held_script import PLAIN, HeldScript
from taskboard.tests.migrated import copy_to_file
from taskboard.tests.prepared import with_static_files
from taskboard.tests.servers import (
    PATIENCE,
    free_port,
    is_open,
    refusal,
    same_services,
    serving,
    starting,
    wait_for,
)
from taskboard.tests.waiting import wait_until


@pytest.fixture(scope="module")
def settled(processes: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment for a service without accounts, whose tables and static files are there already."""
    data = with_static_files(tmp_path_factory.mktemp("settled"))
    copy_to_file(data / "taskboard.sqlite3")
    return {"TASKBOARD_DATA": str(data)}


def test_a_first_start_answers_pages_and_health_checks_and_serves_static_files(
    any_database: None, tmp_path: Path
) -> None:
    with same_services() as services, serving({**services, "TASKBOARD_DATA": str(tmp_path)}) as running:
        assert running.get("/healthz").json() == {"status": "ok"}
        assert running.get("/sign-in").status_code == 200
        hashed = next(path.name for path in sorted(tmp_path.glob("static/css/*.*.css")))
        answer = running.get(f"/static/css/{hashed}")
    assert answer.status_code == 200
    assert "immutable" in answer.headers["Cache-Control"], "its name changes with what is in it"


def test_a_port_in_use_is_reported_in_one_sentence(processes: None, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as other:  # a service that shares ports would start
        port = other.getsockname()[1]
        code, words = refusal({"TASKBOARD_DATA": str(tmp_path)}, "--port", str(port))
    assert code == 1
    assert words == f"Port {port} is in use already, maybe by this very service. Choose another with --port.\n"


def test_the_service_says_its_address_and_ends_at_ctrl_c(settled: dict[str, str]) -> None:
    with serving(settled) as running:
        running.get("/sign-in")
        code, out, err = running.stop(signal.SIGINT)
    assert (code, err) == (0, "")
    ready, first = out.splitlines()
    assert ready == f"Taskboard is ready at {running.url}"
    assert "Nobody has an account yet. Create yours" in first
    assert f"{running.url}/first/" in first


def test_a_request_for_an_unknown_host_is_one_line_of_the_log(settled: dict[str, str]) -> None:
    with serving(settled) as running:
        assert running.get("/sign-in", headers={"Host": "scanner.example"}).status_code == 400
        _code, _out, err = running.stop(signal.SIGTERM)
    [line] = err.splitlines()
    assert " WARNING django.security.DisallowedHost: refused 1 request for a host that is not in " in line
    assert line.endswith("the last one for 'scanner.example'")


def test_a_request_that_is_under_way_is_answered_before_it_ends(settled: dict[str, str]) -> None:
    script = HeldScript(Path(settled["TASKBOARD_DATA"]))
    with serving(settled) as running, ThreadPoolExecutor(1) as threads:
        with script.held(running) as pipe:
            answer = threads.submit(running.get, script.path, **PLAIN)
            script.wait_for_readers(running, 1)
            running.process.send_signal(signal.SIGTERM)
            wait_until(lambda: not is_open(int(running.url.rpartition(":")[2])))
            assert not answer.done()
            os.write(pipe, script.content)
        assert answer.result().content == script.content
        _out, err = running.process.communicate(timeout=PATIENCE)
    assert (running.process.returncode, err) == (0, "")


def test_a_request_that_does_not_end_does_not_keep_the_service_from_ending(settled: dict[str, str]) -> None:
    script = HeldScript(Path(settled["TASKBOARD_DATA"]))
    with ThreadPoolExecutor(1) as threads, serving(settled) as running, script.held(running):
        threads.submit(running.get, script.path, **PLAIN)
        script.wait_for_readers(running, 1)
        code, _out, _err = running.stop(signal.SIGTERM)
    assert code == 0


@pytest.mark.usefixtures("services")
def test_of_two_first_starts_on_one_database_one_migrates(
    any_database: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folders = [with_static_files(tmp_path_factory.mktemp("data")) for _process in range(2)]
    with same_services() as services:
        environments = [{**services, "TASKBOARD_DATA": str(folder)} for folder in folders]
        with starting(environments[0]) as one, starting(environments[1]) as other:
            wait_for(one)
            wait_for(other)
            assert one.get("/healthz").status_code == other.get("/healthz").status_code == 200


def test_a_missing_data_folder_is_reported_in_one_sentence(processes: None, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, words = refusal({"TASKBOARD_DATA": str(tmp_path / "file" / "data")})
    assert code == 1
    assert words.startswith(f"The data folder {tmp_path}/file/data cannot be used")
    assert "Traceback" not in words


def test_a_missing_database_is_reported_in_one_sentence(processes: None, tmp_path: Path) -> None:
    nowhere = {"DATABASE_URL": "postgres://nobody:hidden@127.0.0.1:1/nothing", "TASKBOARD_DATA": str(tmp_path)}
    code, words = refusal(nowhere, "--port", str(free_port()))
    assert code == 1
    assert words.startswith("The database that DATABASE_URL names cannot be reached. Is it running?")
    assert "Traceback" not in words
    assert "hidden" not in words


def test_a_missing_redis_is_reported_in_one_sentence(processes: None, tmp_path: Path) -> None:
    nowhere = {"REDIS_URL": "redis://127.0.0.1:1", "TASKBOARD_DATA": str(tmp_path)}
    code, words = refusal(nowhere, "--port", str(free_port()))
    assert code == 1
    assert words.endswith("The Redis that REDIS_URL names does not answer. Is it running?\n")
    assert "Traceback" not in words


def test_an_invalid_port_is_refused(processes: None, tmp_path: Path) -> None:
    code, words = refusal({"TASKBOARD_DATA": str(tmp_path)}, "--port", "70000")
    assert code == 2
    assert "write a number from 1 to 65535" in words
