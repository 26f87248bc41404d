#!/usr/bin/env python
"""Django's command line for Taskboard; `bin/manage` runs it in the project's own environment."""

import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from taskboard.serving.address import assume_base_url
from taskboard.serving.readiness import COMMANDS, require_tables, tell_settings
from taskboard.serving.refusal import CannotStart
from taskboard.version import VERSION

if __name__ == "__main__":
    if sys.argv[1:] in (["version"], ["--version"]):  # Django would print its own
        sys.stdout.write(f"Taskboard {VERSION}\n")
        sys.exit()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")
    try:
        if sys.argv[1:2] == ["serve"]:
            assume_base_url(sys.argv[2:])
        if sys.argv[1:2] and sys.argv[1] in COMMANDS and not {"-h", "--help"} & set(sys.argv):
            django.setup()
            require_tables(sys.argv[1])
            tell_settings(sys.argv[1])
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, CannotStart) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
