"""GET /api/export."""

import tempfile
from typing import Any

from django.db import connection
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apiv1.base import FIRST_VERSION, AnonymousView
from apiv1.errors import Refused
from apiv1.schema import errors
from boards.reader import Reader
from exporter.json_export import write_export
from security.events import log_event
from security.limits import Usage, count
from security.models import EventKind

BLOCK = 256 * 1024  # bytes sent at a time where the server has no better way to send a file
SIGN_IN = "Sign in to the web app: the export needs a session there, not an API token."


class Session(BaseAuthentication):
    """Accepts the session of the web app. No CSRF token is needed, because a request changes nothing."""

    def authenticate(self, request: Request) -> tuple[Any, None]:
        user = request._request.user
        if not user.is_authenticated:
            raise Refused(401, SIGN_IN)
        return user, None


class ExportView(AnonymousView):
    authentication_classes = [Session]
    counted_as = {"GET": "export"}
    ignores_unknown = FIRST_VERSION

    def count(self, request: HttpRequest, name: str) -> Usage | None:
        return count(request, name, str(request.user.pk))

    @extend_schema(
        operation_id="export",
        summary="Everything on your boards in one file",
        responses={(200, "application/json"): OpenApiResponse(dict, "The file."), **errors(401, 429)},
        auth=[{"session": []}],  # type: ignore[list-item]  # as OpenAPI has it
    )
    def get(self, request: Request) -> HttpResponseBase:
        """For a signed-in web session. docs/export.md describes the file."""
        if request.method == "GET":
            log_event(EventKind.EXPORTED, request._request, user=request.user)
        response = nothing() if request.method == "HEAD" else exported(request.user)
        response["Content-Type"] = "application/json"
        response["Content-Disposition"] = f'attachment; filename="taskboard-export-{timezone.now():%Y-%m-%d}.json"'
        response["Cache-Control"] = "no-store"
        return response


def exported(user: Any) -> FileResponse:
    """Write the whole file, then return the response that sends it.

    A slow reader so holds neither a snapshot nor a connection. The file never has a name, so nothing is left of it
    however this ends: docs/decisions/export.md.
    """
    file = tempfile.TemporaryFile()  # noqa: SIM115  the response closes it
    try:
        with open(file.fileno(), "w", encoding="utf-8", newline="", closefd=False) as text:
            write_export(Reader(user), text)
    except BaseException:
        file.close()
        raise
    if not connection.in_atomic_block:
        connection.close()  # gives it back to the pool before sending
    file.seek(0)
    response = FileResponse(file)
    response.block_size = BLOCK
    return response


def nothing() -> StreamingHttpResponse:
    """Return an empty response without a Content-Length, because no file was made to measure."""
    return StreamingHttpResponse(iter(()))
