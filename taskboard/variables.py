"""The variables that settings are read from: the environment, then one file.

Every name that is read is a known one, so there is no list of names to keep.
"""

import difflib
import os
import re
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from taskboard import config_file
from taskboard.config_file import ConfigFile
from taskboard.house import HERE, IS_INSTALLED

FOLDER = HERE / "data"
FILE = "taskboard.env"  # in the data folder
PREFIX = "TASKBOARD_"
OF_OTHERS = {"TASKBOARD_URL", "TASKBOARD_TOKEN", "TASKBOARD_BOARD"}  # of clients/taskboard.py on the same machine
OF_TESTS = "TASKBOARD_TEST_"
# What Kubernetes sets in each container beside a Service named taskboard or taskboard-something
OF_KUBERNETES = re.compile(r"TASKBOARD_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_\w+)?)")
ADDRESS_OF_KUBERNETES = re.compile(r"(tcp|udp|sctp)://.+")
SECRETS = {  # what may also stand in a file of its own, which NAME_FILE names
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "DATABASE_URL",
    "REDIS_URL",
    "TASKBOARD_EMAIL_URL",
    "TASKBOARD_METRICS_TOKEN",
    "TASKBOARD_OIDC_CLIENT_SECRET",
    "TASKBOARD_PUSH_PRIVATE_KEY",
    "TASKBOARD_SECRET_KEY",
}
known: set[str] = set()
in_file: dict[str, str] = {}


def text(name: str, default: str = "") -> str:
    """Return the value in the environment, or else in the file. An empty one counts as none."""
    known.add(name)
    given = os.environ.get(name, "").strip() or in_file.get(name, "")
    if name in SECRETS and (path := text(f"{name}_FILE")):
        if given:
            raise ImproperlyConfigured(f"{name} and {name}_FILE are both set: leave one of them out.")
        given = content(f"{name}_FILE", path)
    return given or default


def content(name: str, path: str) -> str:
    """Return the one line of the file in which a secret stands."""
    try:
        found = Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ImproperlyConfigured(f"{name} names {path}, which cannot be read: {reason}.") from error
    if not found or len(found.splitlines()) > 1:
        raise ImproperlyConfigured(f"{name} names {path}: write the secret into it, in one line and with nothing else.")
    return found


def data_folder() -> Path:
    return Path(text("TASKBOARD_DATA", str(home() if IS_INSTALLED else FOLDER))).resolve()


def home() -> Path:
    """Return where the data of an installed package is: the XDG base directory specification says where a user has data."""
    given = os.environ.get("XDG_DATA_HOME", "")
    return (Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "share") / "taskboard"


def use_file() -> ConfigFile | None:
    """Read the file that TASKBOARD_CONFIG names, otherwise taskboard.env in the data folder if there is one."""
    in_file.clear()
    named = text("TASKBOARD_CONFIG")
    if named and not Path(named).is_absolute():
        raise ImproperlyConfigured(f"TASKBOARD_CONFIG is {named!r}: write a whole path, like /etc/taskboard.env.")
    try:
        found = config_file.read(Path(named) if named else data_folder() / FILE)
    except FileNotFoundError:
        if named:
            raise ImproperlyConfigured(f"TASKBOARD_CONFIG names {named}, which does not exist.") from None
        return None
    refuse_what_leads_elsewhere(found, named=bool(named))
    in_file.update(found.values)
    return found


def refuse_what_leads_elsewhere(file: ConfigFile, *, named: bool) -> None:
    """Raise ImproperlyConfigured for a file that says where it is: two places would each be right."""
    if "TASKBOARD_CONFIG" in file.values:
        raise ImproperlyConfigured(f"{place(file, 'TASKBOARD_CONFIG')} cannot be set in the file itself: leave it out.")
    if "TASKBOARD_DATA" in file.values and not named:
        raise ImproperlyConfigured(
            f"{place(file, 'TASKBOARD_DATA')} cannot be set in the data folder: leave it out, or move the file and name it "
            "in TASKBOARD_CONFIG."
        )


def place(file: ConfigFile, name: str) -> str:
    return f"{file.path}, line {file.lines[name]}: {name}"


def refuse_unknown(file: ConfigFile | None = None) -> None:
    """Raise ImproperlyConfigured for what looks like a setting and is none. Call it when all settings are read."""
    wrong = [f"{name} {advice(name)}" for name, value in sorted(os.environ.items()) if is_unknown(name, value)]
    if file:
        wrong += [f"{place(file, name)} {advice(name)}" for name in file.values if name not in known]
    if wrong:
        raise ImproperlyConfigured(" ".join(wrong))


def is_unknown(name: str, value: str) -> bool:
    """Tell whether a variable of the environment, which is full of those of others, looks like a setting of ours."""
    if not name.upper().startswith(PREFIX) or name in known | OF_OTHERS or name.startswith(OF_TESTS):
        return False
    by_kubernetes = OF_KUBERNETES.fullmatch(name) or (name.endswith("_PORT") and ADDRESS_OF_KUBERNETES.fullmatch(value))
    return not by_kubernetes


def advice(name: str) -> str:
    shortened = {other.removeprefix(PREFIX): other for other in known}
    near = difflib.get_close_matches(name.upper().removeprefix(PREFIX), shortened, n=1)
    if near:
        return f"is not a setting: did you mean {shortened[near[0]]}?"
    return "is not a setting: leave it out. docs/running/settings.md lists all settings."
