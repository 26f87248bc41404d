"""operating/deploy/: systemd reads the units, and they, the proxies and the settings name the same ports, folders and files."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from taskboard.config_file import parsed, read
from taskboard.tests.servers import ROOT

DEPLOY = ROOT / "operating" / "deploy"
UNITS = sorted(path.name for path in (DEPLOY / "systemd").iterdir())
HARDENED = 2.0  # of 10; systemd itself calls everything below 4 fine


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units in a folder, with a program that every machine has in place of ours."""
    for name in UNITS:
        unit = (DEPLOY / "systemd" / name).read_text()
        (tmp_path / name).write_text(re.sub(r"/opt/taskboard/\S+", "/bin/true", unit))
    return tmp_path


def test_systemd_understands_every_line_of_the_units(systemd: str, units: Path) -> None:
    files = [units / name.replace("@", "@8002") for name in UNITS]
    (units / "taskboard-live@.service").rename(units / "taskboard-live@8002.service")
    done = subprocess.run([systemd, "verify", "--man=no", *files], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if str(units) in line or "taskboard" in line]
    assert (said, done.returncode) == ([], 0)


@pytest.mark.parametrize("name", [name for name in UNITS if name.endswith(".service")])
def test_the_units_are_hardened(systemd: str, units: Path, name: str) -> None:
    command = [systemd, "security", "--offline=true", f"--threshold={HARDENED * 10:.0f}", str(units / name)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_programs_of_the_units_are_in_the_checkout() -> None:
    commands = [
        line for name in UNITS for line in (DEPLOY / "systemd" / name).read_text().splitlines() if "/opt/" in line
    ]
    ours = re.findall(r"/opt/taskboard/(bin/\S+)", "\n".join(commands))
    assert ours == ["bin/manage", "bin/serve"]
    assert all(os.access(ROOT / path, os.X_OK) for path in ours)


def test_the_socket_is_where_the_proxies_look_for_it() -> None:
    assert "ListenStream=127.0.0.1:8000\n" in (DEPLOY / "systemd" / "taskboard.socket").read_text()


def test_the_file_of_settings_can_be_read_with_and_without_its_comments() -> None:
    file = DEPLOY / "taskboard.env"
    assert read(file).values.keys() == {"TASKBOARD_DATA", "TASKBOARD_BASE_URL", "TASKBOARD_TRUSTED_PROXIES"}
    everything = re.sub(r"^# (?=[A-Z_]+=)", "", file.read_text(), flags=re.MULTILINE)
    assert {"DATABASE_URL", "REDIS_URL"} <= parsed(file, everything).values.keys()


def test_the_units_read_that_file_and_keep_what_they_write_in_its_folder() -> None:
    settings = read(DEPLOY / "taskboard.env").values
    for name in UNITS:
        unit = (DEPLOY / "systemd" / name).read_text()
        if name.endswith(".service"):
            assert "Environment=TASKBOARD_CONFIG=/etc/taskboard.env\n" in unit
            assert "StateDirectory={}\n".format(settings["TASKBOARD_DATA"].removeprefix("/var/lib/")) in unit
