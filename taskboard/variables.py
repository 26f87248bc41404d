"""The variables that settings are read from. Every name that is read is a known one, so there is no list of names to keep."""

import difflib
import os
import re

from django.core.exceptions import ImproperlyConfigured

PREFIX = "TASKBOARD_"
OF_OTHERS = {"TASKBOARD_URL", "TASKBOARD_TOKEN"}  # clients/taskboard.py reads them, maybe on the same machine
OF_TESTS = "TASKBOARD_TEST_"
# What Kubernetes sets in each container beside a Service named taskboard or taskboard-something
OF_KUBERNETES = re.compile(r"TASKBOARD_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_\w+)?)")
ADDRESS_OF_KUBERNETES = re.compile(r"(tcp|udp|sctp)://.+")
known: set[str] = set()


def text(name: str, default: str = "") -> str:
    known.add(name)
    return os.environ.get(name, "").strip() or default


def refuse_unknown() -> None:
    """Raise ImproperlyConfigured for variables that look like settings and are none. Call it when all settings are read."""
    if wrong := [name for name, value in os.environ.items() if is_unknown(name, value)]:
        raise ImproperlyConfigured(" ".join(map(advice, sorted(wrong))))


def is_unknown(name: str, value: str) -> bool:
    if not name.upper().startswith(PREFIX) or name in known | OF_OTHERS or name.startswith(OF_TESTS):
        return False
    by_kubernetes = OF_KUBERNETES.fullmatch(name) or (name.endswith("_PORT") and ADDRESS_OF_KUBERNETES.fullmatch(value))
    return not by_kubernetes


def advice(name: str) -> str:
    shortened = {other.removeprefix(PREFIX): other for other in known}
    near = difflib.get_close_matches(name.upper().removeprefix(PREFIX), shortened, n=1)
    if near:
        return f"{name} is not a setting: did you mean {shortened[near[0]]}?"
    return f"{name} is not a setting: leave it out. docs/running.md lists all settings."
