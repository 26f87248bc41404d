from django.apps import AppConfig
from django.conf import settings
from django.core.cache import close_caches
from django.core.signals import request_finished, request_started
from django.db import reset_queries

from taskboard.logs import log_what_nobody_catches


class TaskboardConfig(AppConfig):
    name = "taskboard"

    def ready(self) -> None:
        # What Django does with each request, and what has no effect here
        request_started.disconnect(reset_queries)  # which are noted only where DEBUG is on, 9,000 at most
        request_finished.disconnect(close_caches)  # ours have nothing to close
        if settings.LOG == "json":
            log_what_nobody_catches()
