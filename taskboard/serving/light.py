"""Some packages load others only because these are installed. `bin/serve` does without those it has no use for.

docs/decisions/serving.md says which these are, and has the figures.
"""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from django.conf import settings

UNUSED = ["OpenSSL", "cbor2", "yaml", "_nvx_utf8validator", "uritemplate"]
WAMP = "autobahn.wamp.websocket"  # whose classes autobahn's own sockets only name, to derive others from them
WAMP_CLASSES = [f"WampWebSocket{side}{kind}" for side in ("Server", "Client") for kind in ("Protocol", "Factory")]


@contextmanager
def light_imports() -> Iterator[None]:
    """While this runs, unused packages that are not loaded yet cannot be imported: what asks for them does without."""
    unused = UNUSED if settings.POSTGRESQL else [*UNUSED, "psycopg", "django.contrib.postgres"]
    absent = {name for name in unused if name not in sys.modules}
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # how Python marks what it must not look for
    leave_out_init("autobahn.twisted")  # which loads all of WAMP, with cryptography
    leave_out_init("autobahn.wamp")
    if WAMP not in sys.modules:
        absent.add(WAMP)
        sys.modules[WAMP] = stand_in(WAMP, WAMP_CLASSES)
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


def stand_in(name: str, classes: list[str]) -> ModuleType:
    """Return a module with empty classes."""
    module = ModuleType(name)
    vars(module).update({one: type(one, (), {}) for one in classes})
    return module
