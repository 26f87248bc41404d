#!/usr/bin/env python
"""Django's command line for Taskboard; `bin/manage` runs it in the project's own environment."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from taskboard.serving.address import assume_base_url

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")
    if sys.argv[1:2] == ["serve"]:
        assume_base_url(sys.argv[2:])
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
