"""Requirements files: uv makes each NAME.txt from NAME.in, with all packages needed and the hashes of their files.

Versions that NAME.txt already pins are kept. `--check` changes nothing. It fails when a NAME.txt is not what its
NAME.in gives, or has a hash that the package index does not have. It does not fail because there is a newer version,
or another file of the pinned version.
"""

import difflib
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = (
    "requirements",
    "requirements-dev",  # builds on the first
    "mcpserver/tests/peers/requirements",
    "taskboard/tests/s3/requirements",
)
COMPILE = ["uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-build", "--no-python-downloads"]
FOR = ["--python-version", "3.11", "--custom-compile-command", "bin/requirements"]
HASH = re.compile(r"\s+\\\n\s+--hash=\S+")


class Failed(Exception):
    """uv made no requirements file. The message is uv's own."""


def main(arguments: list[str]) -> int:
    parser = ArgumentParser("bin/requirements", description="Makes the requirements files from the .in files.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="change nothing, only say what is wrong")
    choice.add_argument("--upgrade", nargs="*", metavar="PACKAGE", help="take the newest version, of all or of these")
    options = parser.parse_args(arguments)
    try:
        if options.check:
            return complain(problems(generated()))
        if pinned := [name for name in options.upgrade or [] if normal(name) in direct()]:
            return complain(f"{name} is pinned in an .in file. Change it there." for name in pinned)
        write(generated(upgrade(options.upgrade)))
    except Failed as failed:
        return complain([str(failed), "The requirements files stay as they were. Is the network there?"])
    return 0


def upgrade(packages: list[str] | None) -> list[str]:
    """Return uv's options. None means no upgrade, an empty list means all packages."""
    if packages is None:
        return []
    return [word for name in packages for word in ("--upgrade-package", name)] or ["--upgrade"]


def direct() -> set[str]:
    """Return the names of the packages that the .in files pin."""
    lines = [line for name in NAMES for line in read(ROOT, f"{name}.in").splitlines()]
    return {normal(re.split(r"[\[=]", line)[0]) for line in lines if "==" in line}


def normal(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def generated(options: Iterable[str] = ()) -> dict[str, str]:
    """Return by name what uv makes of each .in file. Hashes come from the package index, never from the old file."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in NAMES:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / f"{name}.in", folder / f"{name}.in")
            (folder / f"{name}.txt").write_text(without_hashes(read(ROOT, f"{name}.txt")))
        return {name: compiled(folder, name, options) for name in NAMES}


def compiled(folder: Path, name: str, options: Iterable[str]) -> str:
    files = [f"{name}.in", "--output-file", f"{name}.txt"]
    command = [sys.executable, "-m", *COMPILE, *FOR, "--python", sys.executable, *options, *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{name}.in: {done.stderr.strip()}")
    return read(folder, f"{name}.txt")


def read(folder: Path, name: str) -> str:
    return (folder / name).read_text() if (folder / name).exists() else ""


def without_hashes(text: str) -> str:
    return HASH.sub("", text)


def hashes(text: str) -> dict[str, set[str]]:
    """Return the hashes of each pinned package, keyed by the line that pins it."""
    lines = text.replace("\\\n", "").splitlines()
    pins = [[part.strip() for part in line.split("--hash=")] for line in lines if "==" in line]
    return {pin: set(its_hashes) for pin, *its_hashes in pins}


def problems(fresh: dict[str, str]) -> Iterator[str]:
    for name, text in fresh.items():
        kept = read(ROOT, f"{name}.txt")
        lines, wanted = without_hashes(kept).splitlines(), without_hashes(text).splitlines()
        if lines != wanted:
            yield f"{name}.txt is not what {name}.in gives. Run bin/requirements and commit the result. It changes:"
            yield from list(difflib.unified_diff(lines, wanted, lineterm="", n=0))[2:]
        else:
            yield from wrong_hashes(name, hashes(kept), hashes(text))


def wrong_hashes(name: str, kept: dict[str, set[str]], known: dict[str, set[str]]) -> Iterator[str]:
    for pin, ours in kept.items():
        if not ours:
            yield f"{name}.txt has no hash for {pin}. Run bin/requirements and commit the result."
        for strange in sorted(ours - known[pin]):
            yield f"{name}.txt: no file of {pin} in the package index has the {strange}. Run bin/requirements."


def write(texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (ROOT / f"{name}.txt").write_text(text)


def complain(sentences: Iterable[str]) -> int:
    told = list(sentences)
    sys.stderr.writelines(f"{sentence}\n" for sentence in told)
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
