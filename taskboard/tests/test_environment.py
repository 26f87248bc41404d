"""bin/environment in a checkout of its own, whose requirements need no network."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import ignore_patterns

import pytest
from uv import find_uv_bin

from taskboard.tests.packages import make_wheel
from taskboard.tests.servers import ROOT

pytestmark = pytest.mark.timeout(300)  # some make four environments

HELLO = ("-c", "print('hello')")
UNKNOWN = "no-such-package-anywhere==1.0\n"
RUN_UV = f"import os, sys; os.execv({find_uv_bin()!r}, ['uv', *sys.argv[1:]])"
PROJECT = """[project]
name = "checkout"
version = "0"
requires-python = ">=3.11"

[tool.uv]
package = false
"""
LOCK = """version = 1
requires-python = ">=3.11"

[[package]]
name = "checkout"
version = "0"
source = { virtual = "." }

[[package]]
name = "uv"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
wheels = [{ url = "https://files.pythonhosted.org/uv-1.0-py3-none-any.whl", hash = "ITS HASH" }]
"""
SEED = ("-c", "from importlib.metadata import version; print(version('seed'))")


def new_checkout(folder: Path) -> Path:
    (folder / "bin").mkdir(parents=True)
    for name in ("environment", "environment.py"):
        shutil.copy(ROOT / "bin" / name, folder / "bin")
    (folder / "requirements.txt").write_text("# nothing\n")
    lock(folder, make_wheel(folder / "wheels", "uv", "1.0", files={"uv/__main__.py": RUN_UV}))
    (folder / "manage.py").write_text("import sys; print(sys.argv[1:])")
    return folder


def lock(checkout: Path, its_hash: str) -> None:
    """Lock nothing but a uv that pip finds in `wheels`, and which runs the uv of the tests."""
    (checkout / "pyproject.toml").write_text(PROJECT)
    (checkout / "uv.lock").write_text(LOCK.replace("ITS HASH", its_hash))


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A checkout before its first start."""
    return new_checkout(tmp_path / "checkout")


@dataclass
class FirstStarts:
    """Two starts of a new checkout at the same moment, and how each of them ended."""

    checkout: Path
    done: "list[subprocess.CompletedProcess[str]]"


@pytest.fixture(scope="module")
def first_starts(processes: None, tmp_path_factory: pytest.TempPathFactory) -> FirstStarts:
    checkout = new_checkout(tmp_path_factory.mktemp("started") / "checkout")
    begun = [begin(checkout, "requirements.txt", *HELLO) for _number in range(2)]
    return FirstStarts(checkout, [end(process) for process in begun])


@pytest.fixture
def started(first_starts: FirstStarts) -> Path:
    """A checkout after its first start. Tests must not change it."""
    return first_starts.checkout


@pytest.fixture
def checkout(started: Path, tmp_path: Path) -> Path:
    """A checkout after its first start, which tests may change. The files of its packages are links to `started`."""
    copy = Path(shutil.copytree(started, tmp_path / "checkout", symlinks=True, ignore=ignore_patterns("site-packages")))
    [packages] = started.glob(".venv/lib/*/site-packages")
    shutil.copytree(packages, copy / packages.relative_to(started), copy_function=os.link)
    return copy


def begin(checkout: Path, *command: str, **environment: str) -> "subprocess.Popen[str]":
    given = {**os.environ, "PYTHON": sys.executable, "PIP_NO_INDEX": "1", "UV_OFFLINE": "1"}
    given |= {"PIP_FIND_LINKS": str(checkout / "wheels"), **environment}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([checkout / "bin" / "environment", *command], env=given, **pipes)


def end(process: "subprocess.Popen[str]") -> "subprocess.CompletedProcess[str]":
    out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def run(checkout: Path, *command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return end(begin(checkout, *command, **environment))


def pin(checkout: Path, package: str, its_hash: str) -> None:
    (checkout / "requirements.txt").write_text(f"{package} --hash={its_hash}\n")


def test_a_first_start_says_what_it_does_beside_the_output_of_the_command(first_starts: FirstStarts) -> None:
    [first] = [start for start in first_starts.done if start.stderr.startswith("Making the environment in .venv")]
    assert (first.returncode, first.stdout) == (0, "hello\n")


def test_a_second_start_uses_the_environment_as_it_is(processes: None, started: Path) -> None:
    second = run(started, "requirements.txt", *HELLO)
    assert (second.returncode, second.stdout, second.stderr) == (0, "hello\n", "")


def test_changed_requirements_are_installed_and_files_that_are_gone_do_not_count(
    processes: None, checkout: Path
) -> None:
    (checkout / "requirements.txt").write_text("# still nothing\n")
    with (checkout / ".venv" / "installed").open("a") as stamp:
        stamp.write("\nrequirements-dev.txt 0123")  # of the version before
    again = run(checkout, "requirements.txt", *HELLO)
    assert again.stdout == "hello\n"
    assert again.stderr.startswith("Installing the packages of requirements.txt")
    assert "requirements-dev.txt" not in (checkout / ".venv" / "installed").read_text()


def test_development_packages_are_installed_by_the_uv_that_the_lock_pins(processes: None, checkout: Path) -> None:
    """uv changes nothing outside .venv, and the lock stays as it is. The packages for running are among them."""
    (checkout / "requirements.txt").write_text("# still nothing\n")
    before = (checkout / "uv.lock").read_text()
    elsewhere = {"UV_PROJECT_ENVIRONMENT": "elsewhere", "UV_PYTHON": "3.99"}
    ask = ("-c", "from importlib.metadata import version; print(version('uv'))")
    started = run(checkout, "uv.lock", *ask, **elsewhere)
    assert (started.returncode, started.stdout) == (0, "1.0\n")
    assert started.stderr.startswith("Installing the packages of uv.lock")
    assert (checkout / "uv.lock").read_text() == before
    assert not (checkout / "elsewhere").exists()
    assert run(checkout, "requirements.txt", *HELLO).stderr == ""


def test_a_uv_with_another_hash_is_refused_and_the_service_still_runs(processes: None, checkout: Path) -> None:
    lock(checkout, f"sha256:{'0' * 64}")
    refused = run(checkout, "uv.lock", *HELLO)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in refused.stderr
    assert run(checkout, "requirements.txt", *HELLO).stderr == ""


def test_a_package_whose_hash_is_pinned_is_installed(processes: None, checkout: Path) -> None:
    pin(checkout, "seed==1.0", make_wheel(checkout / "wheels", "seed", "1.0"))
    started = run(checkout, "requirements.txt", *SEED)
    assert (started.returncode, started.stdout) == (0, "1.0\n")


def test_a_package_with_another_hash_is_refused(processes: None, checkout: Path) -> None:
    make_wheel(checkout / "wheels", "seed", "1.0")
    pin(checkout, "seed==1.0", f"sha256:{'0' * 64}")
    refused = run(checkout, "requirements.txt", *SEED)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in refused.stderr


def test_a_package_that_only_another_one_names_is_refused(processes: None, checkout: Path) -> None:
    make_wheel(checkout / "wheels", "seed", "1.0")
    pin(checkout, "apple==1.0", make_wheel(checkout / "wheels", "apple", "1.0", needs="seed==1.0"))
    refused = run(checkout, "requirements.txt", *SEED)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "seed==1.0" in refused.stderr


def test_a_failed_installation_is_reported_and_begun_again(processes: None, checkout: Path) -> None:
    (checkout / "requirements.txt").write_text(UNKNOWN)
    failed = run(checkout, "requirements.txt", *HELLO)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr.endswith("The packages could not be installed. Is the network there? Then try again.\n")
    (checkout / "requirements.txt").write_text("# nothing\n")
    again = run(checkout, "requirements.txt", *HELLO)
    assert again.stdout == "hello\n"
    assert "Making the environment in .venv" in again.stderr  # what was installed in part is gone


def test_a_broken_environment_is_made_anew(processes: None, checkout: Path) -> None:
    (checkout / ".venv" / "bin" / "python").unlink()
    assert run(checkout, "requirements.txt", *HELLO).stdout == "hello\n"


def test_of_two_first_starts_one_waits_for_the_other(first_starts: FirstStarts) -> None:
    assert [start.stdout for start in first_starts.done] == ["hello\n", "hello\n"]
    said = [start.stderr for start in first_starts.done]
    assert sum("Making the environment" in words for words in said) == 1
    assert sum("Installing the packages" in words for words in said) == 1


def test_the_exit_code_of_the_command_is_handed_on(processes: None, started: Path) -> None:
    assert run(started, "requirements.txt", "-c", "raise SystemExit(7)").returncode == 7


def test_misleading_python_variables_are_removed(processes: None, started: Path) -> None:
    ask = "import os; print(os.environ.get('PYTHONPATH'), os.environ.get('PIP_USER'))"
    assert run(started, "requirements.txt", "-c", ask, PYTHONPATH="/", PIP_USER="1").stdout == "None None\n"


def test_a_script_is_found_from_wherever_it_is_called(
    processes: None, started: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    assert run(started, "requirements.txt", "manage.py", "a b").stdout == "['a b']\n"


def old_python(folder: Path) -> Path:
    path = folder / "python3"
    path.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2"\nexit 1\n')
    path.chmod(0o755)
    return path


def only(folder: Path) -> str:
    """Return a PATH that has only the programs that the script itself calls."""
    (folder / "dirname").symlink_to(shutil.which("dirname") or "")
    return str(folder)


def test_an_old_python_is_refused_by_version(processes: None, fresh: Path, tmp_path: Path) -> None:
    (folder := tmp_path / "path").mkdir()
    old_python(folder)
    refused = run(fresh, "requirements.txt", *HELLO, PYTHON="", PATH=only(folder))
    assert refused.returncode == 1
    assert refused.stderr.startswith("Taskboard needs Python 3.11 or newer; here is Python 3.9.2.")


def test_no_python_at_all_says_how_to_get_one(processes: None, fresh: Path, tmp_path: Path) -> None:
    (folder := tmp_path / "path").mkdir()
    refused = run(fresh, "requirements.txt", *HELLO, PYTHON="", PATH=only(folder))
    assert refused.returncode == 1
    assert "apt install python3 python3-venv" in refused.stderr


def test_a_python_that_was_named_wrongly_is_refused(processes: None, fresh: Path, tmp_path: Path) -> None:
    refused = run(fresh, "requirements.txt", *HELLO, PYTHON=str(old_python(tmp_path)))
    assert refused.returncode == 1
    assert "which is not Python 3.11 or newer" in refused.stderr
