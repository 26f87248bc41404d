"""bin/serve may have as many connections open as the system allows."""

import resource
from pathlib import Path

import pytest

from core.limits.open_files import file_limit, raise_file_limit
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import serving


@pytest.fixture
def limit_of_a_shell():
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_the_limit_is_raised_to_what_the_system_allows(limit_of_a_shell):
    assert file_limit() == 512
    raise_file_limit()
    assert file_limit() == resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def test_a_system_that_refuses_leaves_the_limit_as_it_is(limit_of_a_shell, monkeypatch: pytest.MonkeyPatch):
    def refuse(*args: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    with monkeypatch.context() as patch:
        patch.setattr(resource, "setrlimit", refuse)
        raise_file_limit()
    assert file_limit() == 512


def test_the_service_raises_the_limit_that_it_is_started_with(processes, limit_of_a_shell, tmp_path: Path):
    data = {"TASKBOARD_DATA": str(prepared_data(tmp_path))}
    with serving(data) as running:
        limits = Path(f"/proc/{running.process.pid}/limits").read_text()
    [line] = [line for line in limits.splitlines() if line.startswith("Max open files")]
    soft, hard = line.split()[3:5]
    assert (soft, soft) == (hard, hard)
