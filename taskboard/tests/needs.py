"""Needs of tests beyond Python: each is a fixture, so a test cannot use it without saying so.

Where it is missing, the tests that ask for it are skipped with a reason, or fail if it is required:
`TASKBOARD_TEST_REQUIRE=chromium,axe,...`, which .ci/run sets. The fixtures also tell which tests are quick (`runs.py`).
"""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.files.pictures import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
PEERS = ROOT / "mcpserver" / "tests" / "peers"
PROVIDER = ROOT / "accounts" / "tests" / "provider"
GENERATORS = ROOT / "apiv1" / "tests" / "generators"
S3 = ROOT / "taskboard" / "tests" / "s3"
FIREFOX = ROOT / "taskboard" / "tests" / "firefox"
PEER_FOLDERS = ("clients/node_modules", "conformance/node_modules", ".venv", "before/.venv")
GENERATOR_FOLDERS = ("typescript/node_modules", ".venv")
PROGRAMS = {
    "own_services": ("postgres", "initdb", "redis-server"),
    "namespaces": ("ip",),
    "curl": ("curl", "bash"),
    "nginx": ("nginx",),
    "caddy": ("caddy",),
    "systemd": ("systemd-analyze",),
    "prometheus": ("prometheus", "promtool"),
}
FIREFOXES = ("firefox-esr", "firefox")
# The shell, Chromium without its windows, opens a page in a quarter of the time.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

_asked: set[str] | None = None  # the fixtures of the running test; None outside of tests, as in benchmarks


@pytest.fixture(scope="session")
def processes(repetition: int) -> None:
    """Let a test start processes, which are new in each repetition under `--stress`."""


@pytest.fixture(scope="session")
def every_address() -> None:
    """Let a test call every address of the service; its table is for the full run."""


@pytest.fixture(scope="session")
def many_examples() -> None:
    """Let a test try hundreds of generated inputs; they are for the full run."""


@pytest.fixture(scope="session")
def each_makes_statements() -> None:
    """Let each parameter of a test run on every database, as it makes statements of its own. Of others the first does."""


@pytest.fixture(scope="session")
def any_database(processes: None) -> None:
    """Let the processes of a test use the kind of database that the run has: `servers.same_services`."""


@pytest.fixture(scope="session")
def chromium(processes: None) -> str:
    """The path of the system's Chromium."""
    require("chromium")
    return str(found_chromium())


@pytest.fixture(scope="session")
def axe() -> None:
    """axe-core, which npm installs: `taskboard/tests/axe.py`."""
    require("axe")


@pytest.fixture(scope="session")
def services() -> None:
    """PostgreSQL and Redis, on which the tests themselves run."""
    require("services")


@pytest.fixture(scope="session")
def own_services(processes: None) -> None:
    """A PostgreSQL or a Redis of the test's own, to freeze and kill: `taskboard/tests/own_services.py`."""
    require("own_services")


@pytest.fixture(scope="session")
def namespaces(processes: None) -> None:
    """Hosts of the test's own, to pull out their cables: `taskboard/tests/hosts.py`."""
    require("namespaces")


@pytest.fixture(scope="session")
def curl(processes: None) -> None:
    """curl and bash, which run the examples of a guide."""
    require("curl")


@pytest.fixture(scope="session")
def nginx(processes: None) -> str:
    """The path of nginx."""
    require("nginx")
    return str(program("nginx"))


@pytest.fixture(scope="session")
def caddy(processes: None) -> str:
    """The path of Caddy."""
    require("caddy")
    return str(program("caddy"))


@pytest.fixture(scope="session")
def systemd(processes: None) -> str:
    """The path of systemd's program that checks units."""
    require("systemd")
    return str(program("systemd-analyze"))


@pytest.fixture(scope="session")
def prometheus(processes: None) -> str:
    """The path of Prometheus; `promtool` is installed beside it."""
    require("prometheus")
    return str(program("prometheus"))


@pytest.fixture(scope="session")
def peers(processes: None) -> Path:
    """The folder of other people's MCP clients, which bin/peers installs."""
    require("peers")
    return PEERS


@pytest.fixture(scope="session")
def generators(processes: None) -> None:
    """Programs that make clients of the API from its description, which bin/peers installs."""
    require("generators")


@pytest.fixture(scope="session")
def provider(processes: None) -> list[str]:
    """The command that starts an OpenID provider, which bin/peers installs."""
    require("provider")
    return [str(PROVIDER / "node_modules" / ".bin" / "node"), str(PROVIDER / "provider.mjs")]


@pytest.fixture(scope="session")
def s3(processes: None) -> Path:
    """The environment of an S3 server and of the packages that speak with it, which bin/peers installs."""
    require("s3")
    return S3 / ".venv"


@pytest.fixture(scope="session")
def firefox(processes: None) -> list[str]:
    """The command that walks through the pages in the system's Firefox, by a driver which bin/peers installs."""
    require("firefox")
    return [str(FIREFOX / "node_modules" / ".bin" / "node"), str(FIREFOX / "journey.mjs"), str(found(FIREFOXES))]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    global _asked
    _asked = set(item.fixturenames)  # type: ignore[attr-defined]


def asked_for(fixture: str) -> None:
    """Fail a test that uses what one of its fixtures should have given."""
    assert _asked is None or fixture in _asked, (
        f"This test uses what the fixture `{fixture}` gives (taskboard/tests/needs.py) without asking for it."
    )


@contextmanager
def apart_from_tests() -> Iterator[None]:
    """Do what any test may be the first to need, as migrating a database."""
    global _asked
    before, _asked = _asked, None
    try:
        yield
    finally:
        _asked = before


@pytest.fixture(scope="session", autouse=True)
def _no_process_unasked() -> Iterator[None]:
    begin = subprocess.Popen.__init__

    def checked(self: Any, command: Any, *arguments: Any, **options: Any) -> None:
        if str(PROGRAM) not in command:  # decoding a picture is a call that happens to be a process
            asked_for("processes")
        begin(self, command, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "__init__", checked)
        yield


def found_chromium() -> str | None:
    return found(CHROMIUM)


def found(names: tuple[str, ...]) -> str | None:
    """Return the path of the first of these programs that is installed."""
    return next((path for name in names if (path := shutil.which(name))), None)


def program(name: str) -> str | None:
    """Return the path of a program, also of one that Debian keeps off the PATH; None if it is not installed."""
    usual = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    return usual or next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None)


def has_account(name: str) -> bool:
    return name in {account.pw_name for account in pwd.getpwall()}


def may_make_namespaces() -> bool:
    ip, name = str(program("ip")), f"taskboard-probe-{os.getpid()}"
    try:
        attempts = ["netns", "add", name], ["-n", name, "link", "add", "bridge", "type", "bridge"]
        return all(subprocess.run([ip, *words], capture_output=True).returncode == 0 for words in attempts)
    finally:
        subprocess.run([ip, "netns", "del", name], capture_output=True)


def missing(need: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return why tests that ask for the fixture `need` cannot run here; empty if they can."""
    if need == "chromium" and found_chromium() is None:
        return "needs Chromium, which is not installed"
    if need == "firefox" and found(FIREFOXES) is None:
        return "needs Firefox, which is not installed"
    if need == "firefox" and not (FIREFOX / "node_modules" / "installed").exists():
        return "needs a driver of Firefox: bin/peers installs it"
    if need == "services" and not (environ.get("DATABASE_URL", "").startswith("postgres") and environ.get("REDIS_URL")):
        return "needs PostgreSQL and Redis: set DATABASE_URL and REDIS_URL"
    if absent := [name for name in PROGRAMS.get(need, ()) if program(name) is None]:
        return f"needs {' and '.join(absent)}, which is not installed"
    if need == "own_services" and os.geteuid() == 0 and not has_account("postgres"):
        return "needs a user postgres, because PostgreSQL refuses to run as root"
    if need == "namespaces" and not may_make_namespaces():
        return "needs root with the permission to make network namespaces"
    if need == "axe" and not AXE.exists():
        return "needs axe-core: npm ci --ignore-scripts installs it"
    if need == "peers" and not all((PEERS / name / "installed").exists() for name in PEER_FOLDERS):
        return "needs other people's MCP clients: bin/peers installs them"
    if need == "generators" and not all((GENERATORS / name / "installed").exists() for name in GENERATOR_FOLDERS):
        return "needs generators of API clients: bin/peers installs them"
    if need == "provider" and not (PROVIDER / "node_modules" / "installed").exists():
        return "needs an OpenID provider: bin/peers installs it"
    if need == "s3" and not (S3 / ".venv" / "installed").exists():
        return "needs an S3 server: bin/peers installs it"
    return ""


def require(need: str, environ: Mapping[str, str] = os.environ) -> None:
    """Skip or fail the running test if what it needs is missing."""
    if reason := missing(need, environ):
        required = environ.get("TASKBOARD_TEST_REQUIRE", "").split(",")
        (pytest.fail if need in required else pytest.skip)(reason)
