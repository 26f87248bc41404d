"""pytest.ini ensures that all tests are found, and that one that hangs fails. Tried with seconds instead of minutes."""

import configparser
import subprocess
import sys
from pathlib import Path

from taskboard.tests.servers import ROOT

SLEEPS = """
import time
import pytest

@pytest.fixture(scope="module")
def thing():
    yield
    print("The thing is put away.")

def test_that_hangs(thing):
    time.sleep(60)

def test_that_works(thing):
    pass
"""
WAITS_FOR_A_THREAD = """
import time
from concurrent.futures import ThreadPoolExecutor

def test_that_hangs():
    with ThreadPoolExecutor() as threads:
        threads.submit(time.sleep, 60).result()  # the wait at the end of the block is the one that stays
"""


def run(folder: Path, test: str) -> "subprocess.CompletedProcess[str]":
    (folder / "test_example.py").write_text(test)
    limits = ["-o", "timeout=1", "-o", "faulthandler_timeout=4"]
    command = [sys.executable, "-m", "pytest", "-c", "pytest.ini", "--rootdir", folder, "-s", *limits, folder]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)


def settings() -> configparser.SectionProxy:
    parsed = configparser.ConfigParser()
    parsed.read(ROOT / "pytest.ini")
    return parsed["pytest"]


def test_a_test_that_hangs_fails_with_a_reason_and_the_others_go_on(processes: None, tmp_path: Path) -> None:
    done = run(tmp_path, SLEEPS)
    assert done.returncode == 1
    assert "Failed: Timeout (>1.0s) from pytest-timeout." in done.stdout
    assert "time.sleep(60)" in done.stdout
    assert "The thing is put away." in done.stdout
    assert "1 failed, 1 passed" in done.stdout


def test_a_test_that_waits_for_a_thread_is_ended_and_says_where_it_was(processes: None, tmp_path: Path) -> None:
    done = run(tmp_path, WAITS_FOR_A_THREAD)
    assert done.returncode == 1
    assert "in test_that_hangs" in done.stderr
    assert "concurrent/futures/thread.py" in done.stderr


def test_a_test_is_run_many_times_under_stress(processes: None) -> None:
    one = "taskboard/tests/test_runs.py::test_the_quick_run_says_what_it_left_out_and_how_to_run_it"
    command = [sys.executable, "-m", "pytest", "--stress", "3", one]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_the_limit_of_a_test_comes_before_that_of_the_process() -> None:
    assert 0 < float(settings()["timeout"]) < float(settings()["faulthandler_timeout"])


def test_tests_are_looked_for_in_every_folder_of_tests_and_no_other() -> None:
    apps = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("[a-z]*/**/tests/test_*.py")}
    assert set(settings()["testpaths"].split()) == apps - {"data", "node_modules"}
