"""The http half. gunicorn serves it, and asgi.py runs it in a thread pool."""

import os
from collections.abc import Callable, Iterable
from typing import Any, cast

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")


class Request(WSGIRequest):
    """Reads a Content-Type that cannot be parsed as an empty one. Django would crash on it outside of every handler."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except ValueError:
            self.content_type, self.content_params = "", {}


class Application(WSGIHandler):
    request_class = Request


django.setup(set_prefix=False)
application = cast(Callable[..., Iterable[bytes]], Application())
