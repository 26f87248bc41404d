"""Processes that share a Redis count together."""

import os
import subprocess
import sys

import pytest

from taskboard.tests.servers import ROOT

pytestmark = pytest.mark.usefixtures("services")

COUNT_TWO_HUNDRED = """
import sys, django
django.setup()
from security.limits import TooMany, count
print("ready", flush=True)
sys.stdin.readline()
answered = 0
for time in range(200):
    try:
        count(None, sys.argv[1], "203.0.113.7")
        answered += 1
    except TooMany:
        pass
print(answered)
"""


@pytest.mark.parametrize("name", ["cli-poll", "sign-in"])
def test_two_processes_answer_as_many_together_as_one_alone(processes, name):
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "taskboard.settings_test",
        "TASKBOARD_LIMITS": f"{name}=50/d",
    }
    environment.pop("PYTEST_XDIST_WORKER", None)  # the address of Redis is that of this worker already
    command = [sys.executable, "-W", "ignore", "-c", COUNT_TWO_HUNDRED, name]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) for _number in range(2)]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * 2
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    answered = [int(process.communicate(timeout=60)[0]) for process in processes]
    assert sum(answered) == 50
    assert all(process.returncode == 0 for process in processes)
