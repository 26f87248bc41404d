"""Clients that others' generators make from the description: they compile without a warning. test_programs_story.py uses one."""

import os
import subprocess
from pathlib import Path

import pytest

from apiv1.openapi import description

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


def made_by_openapi_python_client(document: Path, folder: Path) -> list[object]:
    """Make a client in the folder; return the start of a command that spends a day with it."""
    binaries = HERE / ".venv" / "bin"
    options = ["--path", document, "--output-path", folder, "--meta", "none", "--fail-on-warning"]
    run(binaries / "openapi-python-client", "generate", *options, beside=binaries)
    return [binaries / "python", "-W", "error", HERE / "day.py", folder]
