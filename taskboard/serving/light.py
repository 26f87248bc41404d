"""Some packages load others only because these are installed. `bin/serve` does without those it has no use for.

docs/decisions/serving.md says which these are, and has the figures.
"""

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from django.conf import settings

UNUSED = ["OpenSSL", "cbor2", "yaml"]


@contextmanager
def light_imports() -> Iterator[None]:
    """While this runs, unused packages that are not loaded yet cannot be imported: what asks for them does without."""
    unused = UNUSED if settings.POSTGRESQL else [*UNUSED, "psycopg"]
    absent = {name for name in unused if name not in sys.modules}
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # how Python marks what it must not look for
    leave_out_init("autobahn.twisted")  # which loads all of WAMP, with cryptography
    os.environ.setdefault("AUTOBAHN_USE_NVX", "0")  # quick checks of long texts; pages send none
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


def leave_out_init(name: str) -> None:
    """Let the modules of a package be imported without what its own `__init__` imports."""
    spec = importlib.util.find_spec(name)
    if spec is None or name in sys.modules:
        return
    package = ModuleType(name)
    package.__path__ = spec.submodule_search_locations or []
    package.__spec__ = spec
    sys.modules[name] = package
