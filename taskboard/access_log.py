"""The access log: a line for each request, and the id that this line shares with all others of the request."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from core.http import request_ids
from core.http.routes import route_of
from taskboard.logs import ACCESS, RequestRecord

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")  # clients may send any other word

log = logging.getLogger(ACCESS)


class AccessLog:
    """Logs each request and answers with its id as X-Request-Id. On with TASKBOARD_ACCESS_LOG=1.

    The line names the route and not the path, in which keys stand. A trusted proxy may choose the id.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        request_finished.connect(request_ids.end, dispatch_uid="request id")  # when all of the answer is sent

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        request_id = request_ids.begin(request.META.get("HTTP_X_REQUEST_ID", "") if settings.TRUSTED_PROXIES else "")
        response = self.get_response(request)
        response.headers["X-Request-Id"] = request_id
        account, token = caller_of(request)
        facts = {
            "address": request.META["REMOTE_ADDR"] or "-",
            "method": request.method if request.method in METHODS else "-",
            "route": route_of(request),
            "status": response.status_code,
            "ms": round(1000 * (time.perf_counter() - began)),
            "account": account,
            "token": token,
        }
        if log.isEnabledFor(logging.INFO):
            log.handle(RequestRecord(facts))
        return response


def caller_of(request: HttpRequest) -> tuple[str, str]:
    """Return the ids of account and token as far as the request had to learn them, "" for none. Asks the database nothing."""
    token: Any = getattr(request, "auth", None)
    if token is not None:
        return str(token.user_id), str(token.pk)
    user: Any = request.__dict__.get("user")
    if isinstance(user, SimpleLazyObject):
        user = request.__dict__.get("_cached_user")
    return str(user.pk) if user is not None and user.pk else "", ""
