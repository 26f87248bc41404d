"""The limit of open files, each connection being one. Shells and systemd begin with 1,024, which open boards use up."""

import contextlib
import resource


def file_limit() -> int:
    """Return how many files and connections this process may have open at a time."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def raise_file_limit() -> None:
    """Raise the limit as far as the system lets this process raise it by itself."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # some systems say "unlimited" and refuse it
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
