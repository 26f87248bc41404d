"""Error answers: always `{"error": "<sentence>"}`, whatever went wrong. Each domain error has its status here."""

import json
import logging
from typing import Any

from django.core.exceptions import DisallowedHost, TooManyFieldsSent
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.defaults import page_not_found, permission_denied, server_error
from rest_framework.exceptions import APIException, MethodNotAllowed, NotAuthenticated, ValidationError

from boards.errors import (
    ArchivedBoard,
    Conflict,
    DomainError,
    Invalid,
    LimitReached,
    Malformed,
    NoNeighbour,
    NotAllowed,
    NotFound,
    Outdated,
    OwnerStays,
    by_class,
)
from core.files.storage import StorageFails
from core.http.calls import is_call
from core.limits import turns
from core.limits.turns import Busy
from core.outage import AWAY, NO_ROOM, RETRY_AFTER, report
from security.limits import TooMany

log = logging.getLogger(__name__)

STATUS: dict[type[DomainError], int] = {
    Invalid: 400,
    Malformed: 400,
    NotAllowed: 403,
    LimitReached: 403,
    NotFound: 404,
    Conflict: 409,
    ArchivedBoard: 409,
    NoNeighbour: 409,
    OwnerStays: 409,
    Outdated: 412,
}
SENTENCES = {
    400: "The request cannot be read. Check it against /api/docs.",
    401: "The API token is missing or not valid. Send 'Authorization: Bearer <token>' with a live token.",
    403: "This is not allowed.",
    404: "There is nothing at this path. See /api/docs for the paths that exist.",
    500: "Something went wrong in the service. Try again, and tell its operator if it happens again.",
    503: "The service cannot reach its database or is too busy. Try again in a moment.",
    507: "The service has no space left to take this. Tell its operator, then try again.",
}
UNITS = {"s": "second", "m": "minute", "h": "hour", "d": "day"}
UNKNOWN_HOST = "The service is not set up for this host name. Its operator can add it to TASKBOARD_ALLOWED_HOSTS."
NO_STORAGE = "Files cannot be stored or opened right now. Try again in a few minutes."
BUSY = "The service is busy right now. Wait a few seconds, then try again."
NO_HOST = "Send one Host header with the name of the service."


class Refused(APIException):
    """A refusal of the HTTP layer itself, with its status, sentence and headers."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status_code = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def answer(self) -> HttpResponse:
        return error(self.status_code, str(self.detail), self.headers)


def error(status: int, message: str = "", headers: dict[str, str] | None = None) -> HttpResponse:
    body = json.dumps({"error": message or SENTENCES[status]}, ensure_ascii=False)
    return HttpResponse(body, status=status, content_type="application/json", headers=headers)


def handle(exc: Exception, context: dict[str, Any]) -> HttpResponse:
    """Return the answer for an exception that a view raised. DRF calls this as its exception handler."""
    match exc:
        case NotAuthenticated():
            return error(401, headers={"WWW-Authenticate": "Bearer"})
        case MethodNotAllowed():
            allowed = ", ".join(context["view"].allowed_methods)
            return error(405, f"This path accepts {allowed}, not {context['request'].method}.", {"Allow": allowed})
        case ValidationError():
            return error(400, first_message(exc.detail))
    return answer_for(exc, context["request"]._request)


def answer_for(exc: Exception, request: HttpRequest) -> HttpResponse:
    """Return the answer for an exception that is not one of DRF's.

    A crash is answered here rather than by Django's handler, so that the answer carries the rate-limit headers and is
    JSON in debug mode too: docs/decisions/api.md.
    """
    match exc:
        case ArchivedBoard() if exc.refusal:
            return answer_for(exc.refusal, request)
        case DomainError():
            return error(by_class(STATUS, exc), exc.reason or exc.message)
        case Refused():
            return exc.answer()
        case TooMany():
            return too_many(exc)
        case TooManyFieldsSent():  # in the query
            return error(400)
        case Busy():
            sentence = NO_STORAGE if isinstance(exc, StorageFails) else BUSY
            return error(503, sentence, {"Retry-After": str(turns.RETRY_AFTER)})
        case OSError() if exc.errno in NO_ROOM:
            log.error("A file could not be written: %s", exc)
            return error(507)
    if isinstance(exc, AWAY):
        report(exc)
        return unavailable()
    log.error("%s crashed", request.path, exc_info=exc)
    got_request_exception.send(sender=None, request=request)
    return error(500)


def too_many(refusal: TooMany) -> HttpResponse:
    allowed = f"{rate_in_words(refusal.usage.rate)} are allowed"
    together = " for all of your tokens together" if refusal.together else ""
    sentence = f"Too many requests: {allowed}{together}. Wait {refusal.wait} s, then try again."
    response = error(429, sentence, {"Retry-After": str(refusal.wait)})
    refusal.usage.write_to(response)
    return response


def rate_in_words(rate: str) -> str:
    """Return "120 a minute" for 120/m, "5 in 10 minutes" for 5/10m."""
    amount, _slash, period = rate.partition("/")
    times, unit = period[:-1], UNITS[period[-1]]
    return f"{amount} in {times} {unit}s" if times else f"{amount} {'an' if unit == 'hour' else 'a'} {unit}"


def unavailable() -> HttpResponse:
    return error(503, headers={"Retry-After": str(RETRY_AFTER)})


def first_message(detail: Any) -> str:
    """Return the first sentence of DRF's errors, which are nested by field."""
    while not isinstance(detail, str):
        detail = next(iter(detail.values() if isinstance(detail, dict) else detail))
    return str(detail)


@csrf_exempt
def unknown_path(request: HttpRequest, rest: str = "") -> HttpResponse:
    return error(404)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(404) if is_api(request) else page_not_found(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(403) if is_api(request) else permission_denied(request, exception)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    sentence = SENTENCES[400]
    if isinstance(exception, DisallowedHost):
        sentence = UNKNOWN_HOST if request.META.get("HTTP_HOST") else NO_HOST
    return error(400, sentence) if is_api(request) else HttpResponse(sentence, status=400, content_type="text/plain")


def crashed(request: HttpRequest) -> HttpResponse:
    return error(500) if is_api(request) else server_error(request)


def is_api(request: HttpRequest) -> bool:
    return is_call(request.path_info)
