import logging
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection

from core.limits.open_files import raise_file_limit
from jobs.worker import Worker
from taskboard.config_file import notice
from taskboard.file_storage import WATCH
from taskboard.health import redis_answers
from taskboard.house import IS_INSTALLED
from taskboard.logs import tell
from taskboard.serving.address import add_arguments, listen
from taskboard.serving.data_folder import hold_data_folder, leave_address
from taskboard.serving.database import prepare_database
from taskboard.serving.greeting import greeting, warning
from taskboard.serving.meanwhile import Meanwhile
from taskboard.serving.readiness import refuse
from taskboard.serving.refusal import CannotStart
from taskboard.serving.server import Service
from taskboard.serving.static_files import prepare_static_files

GRACE = 0.3  # seconds that the worker gets beyond what requests and sockets took to end


class Command(BaseCommand):
    help = "Starts the service: database and static files are brought up to date, then it answers until it is stopped."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser)

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        raise_file_limit()
        tell(notice(settings.CONFIG_FILE))
        if IS_INSTALLED:
            tell(f"The data is in {settings.DATA}.\n")
        try:
            listener = listen(host, port)
            self.lock = hold_data_folder()
            leave_address(self.lock)
            require_redis()
            prepare_database(Meanwhile(listener))
            prepare_static_files()
        except CannotStart as error:
            refuse(str(error), 1)
        if settings.REDIS_URL:
            self.lock.close()  # others may start now
        WATCH.ask()
        if words := warning(listener.getsockname()[0]):
            tell(f"{words}\n", logging.WARNING)
        worker = Worker()
        service = Service(listener, greeting(), worker)
        worker.start()
        connection.close()
        service.run()
        worker.stop(GRACE)


def require_redis() -> None:
    if not redis_answers():
        raise CannotStart("The Redis that REDIS_URL names does not answer. Is it running?")
