"""What some tests need beyond Python. Where it is missing, they are skipped with a reason, or fail if it is required.

`TASKBOARD_TEST_REQUIRE=browser,services,own_services,nginx,caddy,peers,provider,axe,s3` makes what is missing a failure; .ci/run sets it.
"""

import os
import pwd
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
PEERS = ROOT / "mcpserver" / "tests" / "peers"
PROVIDER = ROOT / "accounts" / "tests" / "provider"
S3 = ROOT / "taskboard" / "tests" / "s3"
PEER_FOLDERS = ("clients/node_modules", "conformance/node_modules", ".venv")
PROGRAMS = {"own_services": ("postgres", "initdb", "redis-server"), "nginx": ("nginx",), "caddy": ("caddy",)}
# The shell, Chromium without its windows, opens a page in a quarter of the time.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """Return the path of the system's Chromium, or None."""
    return next((path for name in CHROMIUM if (path := shutil.which(name))), None)


def program(name: str) -> str | None:
    """Return the path of a program, also of one that Debian keeps off the PATH; None if it is not installed."""
    usual = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    return usual or next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None)


def has_account(name: str) -> bool:
    return name in {account.pw_name for account in pwd.getpwall()}


def missing(need: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return why tests marked `need` cannot run here; empty if they can."""
    if need == "browser" and chromium() is None:
        return "needs Chromium, which is not installed"
    if need == "services" and not (environ.get("DATABASE_URL", "").startswith("postgres") and environ.get("REDIS_URL")):
        return "needs PostgreSQL and Redis: set DATABASE_URL and REDIS_URL"
    if absent := [name for name in PROGRAMS.get(need, ()) if program(name) is None]:
        return f"needs {' and '.join(absent)}, which is not installed"
    if need == "own_services" and os.geteuid() == 0 and not has_account("postgres"):
        return "needs a user postgres, because PostgreSQL refuses to run as root"
    if need == "axe" and not AXE.exists():
        return "needs axe-core: npm ci --ignore-scripts installs it"
    if need == "peers" and not all((PEERS / name / "installed").exists() for name in PEER_FOLDERS):
        return "needs other people's MCP clients: bin/peers installs them"
    if need == "provider" and not (PROVIDER / "node_modules" / "installed").exists():
        return "needs an OpenID provider: bin/peers installs it"
    if need == "s3" and not (S3 / ".venv" / "installed").exists():
        return "needs an S3 server: bin/peers installs it"
    return ""


def require(needs: Iterable[str], environ: Mapping[str, str] = os.environ) -> None:
    """Skip or fail the running test when one of its needs is missing."""
    required = environ.get("TASKBOARD_TEST_REQUIRE", "").split(",")
    for need in needs:
        if reason := missing(need, environ):
            (pytest.fail if need in required else pytest.skip)(reason)
