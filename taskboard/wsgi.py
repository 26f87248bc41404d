"""The http half. gunicorn serves it, and asgi.py runs it in a thread pool."""

from collections.abc import Callable, Iterable
from typing import Any, cast
from urllib.parse import urlsplit

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest

from taskboard.serving.readiness import set_up


class Request(WSGIRequest):
    """Reads a Content-Type that cannot be parsed as an empty one. Django would crash on it outside of every handler."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except ValueError:
            self.content_type, self.content_params = "", {}


class Application(WSGIHandler):
    """Judges a request by the host that it really names. One that names none gets Django's answer to a wrong host, 400."""

    request_class = Request

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        target = environ.get("RAW_URI", "")  # gunicorn's; bin/serve does the same in taskboard/serving/requests.py
        if target.lower().startswith(("http://", "https://")):
            environ["HTTP_HOST"] = urlsplit(target).netloc
        elif environ.get("SERVER_PROTOCOL") == "HTTP/1.1":
            environ.setdefault("HTTP_HOST", "")
        return super().__call__(environ, start_response)


set_up()
import taskboard.urls  # noqa: E402, F401  every page is loaded now, not during the first request

application = cast(Callable[..., Iterable[bytes]], Application())
