"""The package that pip and uv install: what it has, and that it runs where there is no checkout."""

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from taskboard.house import ROOMS
from taskboard.tests.migrated import copy_to_file
from taskboard.tests.servers import ROOT, bare_environment, free_port
from taskboard.tests.waiting import wait_until
from taskboard.version import VERSION

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_its_rooms_are_those_of_the_checkout() -> None:
    rooms = sorted({path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks", "clients"})
    assert rooms == list(ROOMS)
    only = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    assert only == [*rooms, "locale", "static", "templates"]


def test_its_version_is_the_one_that_the_service_tells() -> None:
    assert PROJECT["project"]["version"] == VERSION


@pytest.fixture(scope="module")
def installed(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the package, as pip unpacks them."""
    folder = tmp_path_factory.mktemp("package")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("taskboard_server-*.whl")
    with zipfile.ZipFile(wheel) as files:
        files.extractall(folder / "site-packages")
    return folder / "site-packages"


def environment(installed: Path, home: Path) -> dict[str, str]:
    return bare_environment() | {"HOME": str(home), "PYTHONPATH": str(installed)}


def test_it_has_what_the_service_reads_and_no_tests(installed: Path) -> None:
    assert (installed / "taskboard" / "resources" / "templates" / "base.html").is_file()
    assert (installed / "taskboard" / "resources" / "locale" / "de" / "LC_MESSAGES" / "django.mo").is_file()
    assert not [*installed.rglob("tests"), *installed.rglob("*.po")]
    metadata = (installed / f"taskboard_server-{VERSION}.dist-info" / "entry_points.txt").read_text()
    assert "taskboard = taskboard.command_line:main" in metadata


def test_it_names_its_own_program(installed: Path, tmp_path: Path) -> None:
    copy_to_file(tmp_path / "taskboard.sqlite3")
    command = [sys.executable, "-m", "taskboard", "users", "disable", "nobody@example.com"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment(installed, tmp_path) | {"TASKBOARD_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "taskboard users find TEXT searches" in done.stderr


def log_of(folder: Path) -> str:
    return (folder / "log").read_text()


def test_it_serves_from_an_empty_home_and_says_where_its_data_is(installed: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "taskboard", "serve", "--port", str(free_port())]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment(installed, tmp_path), stdout=log, stderr=log)
    try:
        wait_until(lambda: "Nobody has" in log_of(tmp_path), lambda: log_of(tmp_path))
    finally:
        process.terminate()
        process.wait(30)
    data = tmp_path / ".local" / "share" / "taskboard"
    assert f"The data is in {data}." in log_of(tmp_path)
    assert (data / "taskboard.sqlite3").is_file()
    assert os.stat(data).st_mode & 0o077 == 0
