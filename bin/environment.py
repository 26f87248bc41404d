"""Make .venv with the packages that a file pins, then replace this process by a Python command in it.

The file is requirements.txt, installed by pip, or uv.lock, which has what development needs besides, installed by uv.
This uses the standard library only, because it runs before anything is installed. Its messages go to standard error:
standard output belongs to the command. A second run only compares hashes and needs no network.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
BASE = "requirements.txt"
LOCK = "uv.lock"
STAMP = VENV / "installed"  # a line with name and hash for each file that is completely installed
UNFINISHED = VENV / "unfinished"  # exists while packages are being installed
MISLEADING = ("PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_REQUIREMENT")


def main(requirements: str, *command: str) -> NoReturn:
    for name in MISLEADING:
        os.environ.pop(name, None)
    if not is_ready(requirements):
        with alone():
            if not is_ready(requirements):  # the start that held the lock before may have prepared it
                prepare(requirements)
    script = [str(ROOT / command[0])] if command and command[0].endswith(".py") else list(command[:1])
    os.execv(PYTHON, [str(PYTHON), *script, *command[1:]])


def is_ready(requirements: str) -> bool:
    return stamp_line(requirements) in read_stamp() and works()


def prepare(requirements: str) -> None:
    if not os.access(VENV if VENV.exists() else ROOT, os.W_OK):
        stop(
            "",
            "The environment in .venv is not up to date, and this user may not write it. As its owner run: bin/manage version",
        )
    if UNFINISHED.exists() or not works("-m", "pip"):
        make()
    UNFINISHED.touch()
    finished = {stamp_line(name) for name in {BASE, requirements}}
    still_true = {line for line in read_stamp() if is_true(line)}
    STAMP.write_text("\n".join(still_true))
    install(requirements)
    STAMP.write_text("\n".join(still_true | finished))
    UNFINISHED.unlink()


def make() -> None:
    say("Making the environment in .venv ...")
    shutil.rmtree(VENV, ignore_errors=True)
    made = subprocess.run([sys.executable, "-m", "venv", VENV], capture_output=True, text=True)
    if made.returncode != 0 or not works("-m", "pip"):
        shutil.rmtree(VENV, ignore_errors=True)
        stop(
            made.stdout + made.stderr,
            "The environment could not be made in .venv: is Python's venv module installed, and this folder writable? "
            "On Debian and Ubuntu: apt install python3-venv.",
        )


def install(requirements: str) -> None:
    say(f"Installing the packages of {requirements} (once; this needs the network) ...")
    if requirements == LOCK:
        pip_install(uv_pin())
        run("uv", "sync", "--quiet", "--frozen", "--inexact", "--project", str(ROOT), "--python", str(PYTHON))
    else:
        pip_install((ROOT / requirements).read_text())


def pip_install(pins: str) -> None:
    with NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(pins)
        file.flush()
        run("pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "-r", file.name)


def uv_pin() -> str:
    """Return uv's version and the hashes of its files in the lock, as pip reads them."""
    [uv] = [package for package in tomllib.loads((ROOT / LOCK).read_text())["package"] if package["name"] == "uv"]
    return " ".join([f"uv=={uv['version']}", *(f"--hash={file['hash']}" for file in uv["wheels"])])


def run(*module: str) -> None:
    given = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(VENV)}
    done = subprocess.run([PYTHON, "-m", *module], env=given, capture_output=True, text=True)
    if done.returncode != 0:
        stop(done.stdout + done.stderr, "The packages could not be installed. Is the network there? Then try again.")


def works(*arguments: str) -> bool:
    """Tell whether .venv has the Python version that it was made with, and whether `python ARGUMENTS --version` works."""
    if not (VENV / "lib" / f"python{running_version()}").is_dir():
        return False
    return not arguments or subprocess.run([PYTHON, *arguments, "--version"], capture_output=True).returncode == 0


def running_version() -> str:
    """Return the version of the Python in .venv, as in 3.11; empty if it does not run."""
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        return subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def stamp_line(requirements: str) -> str:
    """Return the file's name and a hash of all that is installed for it: the base file and itself."""
    content = b"".join((ROOT / name).read_bytes() for name in sorted({BASE, requirements}))
    return f"{requirements} {hashlib.sha256(content).hexdigest()}"


def is_true(line: str) -> bool:
    """Tell whether what a line of the stamp says is still so. An older version may have had files that are gone."""
    name = line.split()[0]
    return (ROOT / name).is_file() and line == stamp_line(name)


def read_stamp() -> list[str]:
    try:
        return STAMP.read_text().splitlines()
    except OSError:
        return []


@contextmanager
def alone() -> Iterator[None]:
    """Hold a lock: one start at a time prepares the environment, the others wait for it."""
    with (ROOT / BASE).open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another start is preparing the environment; waiting for it ...")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


def stop(output: str, sentence: str) -> NoReturn:
    sys.stderr.write(output)
    sys.exit(sentence)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit("Interrupted. The next start begins again where needed.")
