from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from core.limits.open_files import raise_file_limit
from taskboard.serving.address import add_arguments
from taskboard.serving.parts import become


class Command(BaseCommand):
    help = "Holds the sockets of open boards with Daphne, one part of a service of several processes."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser)

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        raise_file_limit()
        become("live", "daphne", "--bind", host, "--port", str(port), "--verbosity=0", "taskboard.asgi:application")
