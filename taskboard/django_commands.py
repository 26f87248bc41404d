"""The commands that need Django.

Each command of Django's is one, also behind the word `manage`, as in `taskboard manage migrate`.
"""

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from taskboard.house import HAS_SCRIPTS
from taskboard.serving.address import assume_base_url
from taskboard.serving.garbage import collect_rarely
from taskboard.serving.readiness import COMMANDS, SERVICES, refuse, require_tables, tell_settings
from taskboard.serving.refusal import CannotStart


def run(arguments: Sequence[str]) -> None:
    """Run the command that the arguments begin with; end the process with a sentence if it cannot run."""
    command = arguments[0] if arguments else ""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")
    collect_rarely()
    make_temporary_folder()
    try:
        if command == "serve":
            assume_base_url(arguments[1:])
        if command in COMMANDS and not {"-h", "--help"} & set(arguments):
            django.setup()
            require_tables(command)
            tell_settings(command)
        execute_from_command_line(["bin/manage" if HAS_SCRIPTS else "taskboard", *arguments])
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except CannotStart as error:
        if command in SERVICES:
            refuse(str(error), 1)
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


def make_temporary_folder() -> None:
    """Make the folder that TMPDIR names, if only that one is missing: the image names one in its volume."""
    named = Path(os.environ.get("TMPDIR", "."))
    if named.parent.is_dir() and os.access(named.parent, os.W_OK):
        with contextlib.suppress(OSError):
            named.mkdir(mode=0o700, exist_ok=True)
