"""The command line of the service: `bin/manage`, `bin/serve`, the script `taskboard` of the package and of the image."""

import sys

from django.core.exceptions import ImproperlyConfigured

from taskboard.serving import health_check
from taskboard.version import VERSION


def main() -> None:
    """Run the command that the arguments of this process name; end the process with a sentence if it cannot run."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["manage"]:
        arguments = arguments[1:]
    if arguments in (["version"], ["--version"]):  # Django would print its own
        sys.stdout.write(f"Taskboard {VERSION}\n")
    elif arguments[:1] == ["healthcheck"]:
        try:
            sys.exit(health_check.main(arguments[1:]))
        except ImproperlyConfigured as error:
            sys.exit(str(error))
    else:
        # Loads Django, which takes ten times longer than asking: three containers are asked every 30 seconds.
        from taskboard.django_commands import run

        run(arguments)
