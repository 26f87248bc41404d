from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from core.limits.open_files import raise_file_limit
from taskboard.serving.address import add_arguments
from taskboard.serving.parts import become

THREADS = 4  # of each worker


class Command(BaseCommand):
    help = "Answers HTTP with gunicorn, one part of a service of several processes. All of it in one process is: serve"
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser)
        parser.add_argument("--workers", type=int, default=3, help="processes, two or three for a core (default: 3)")

    def handle(self, *args: Any, host: str, port: int, workers: int, **options: Any) -> None:
        raise_file_limit()
        become(
            "web",
            "gunicorn",
            "taskboard.wsgi:application",
            "--config=python:taskboard.serving.gunicorn_settings",
            f"--bind={bracketed(host)}:{port}",
            "--worker-class=gthread",
            f"--workers={workers}",
            f"--threads={THREADS}",
        )


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
