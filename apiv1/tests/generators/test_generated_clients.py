"""Clients that others' generators make from the description: they compile without a warning, and work."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from apiv1.openapi import description
from apiv1.tests.calls import token_of

HERE = Path(__file__).parent
STRICT = ["--strict", "--noEmit", "--noUnusedLocals", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"]


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "openapi.json"
    path.write_bytes(description())
    return path


def run(*command: object, beside: Path) -> "subprocess.CompletedProcess[str]":
    """Run a program that finds those in its own folder."""
    path = f"{beside}:{os.environ['PATH']}"
    words = list(map(str, command))
    done = subprocess.run(
        words, env=os.environ | {"PATH": path}, cwd=beside, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_the_types_of_openapi_typescript_compile_strictly(generators, document, tmp_path):
    binaries = HERE / "typescript" / "node_modules" / ".bin"
    made = run(
        binaries / "node", binaries / "openapi-typescript", document, "-o", tmp_path / "api.d.ts", beside=binaries
    )
    assert "warn" not in made.stdout + made.stderr
    (tmp_path / "use.ts").write_text((HERE / "typescript" / "use.ts").read_text())
    run(binaries / "node", binaries / "tsc", *STRICT, tmp_path / "use.ts", tmp_path / "api.d.ts", beside=binaries)


def test_the_client_of_openapi_python_client_does_the_work_of_a_day(generators, document, tmp_path, base_url, olga):
    binaries, client = HERE / ".venv" / "bin", tmp_path / "made_client"
    options = ["--path", document, "--output-path", client, "--meta", "none", "--fail-on-warning"]
    run(binaries / "openapi-python-client", "generate", *options, beside=binaries)
    day = run(binaries / "python", "-W", "error", HERE / "day.py", client, base_url, token_of(olga), beside=binaries)
    assert json.loads(day.stdout) == {
        "changes": [200, 412, 200],
        "refusal": "This has changed since you read it. Read it again, then repeat your change if it still fits.",
        "titles": ["Order seeds and bulbs"],
        "comments": 1,
        "items": {"all": 1, "done": 1},
        "isInLater": True,
        "isArchived": True,
    }
