"""GET /api/export."""

import tempfile
from typing import Any, cast

from django.db import connection
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts.models import ApiToken
from apiv1.authentication import BearerAuthentication
from apiv1.base import FIRST_VERSION, AnonymousView
from apiv1.errors import Refused
from apiv1.schema import errors, refusal
from boards.reader import Reader
from exporter.json_export import write_export
from security.events import log_event
from security.limits import Usage, count, require_room
from security.models import EventKind

BLOCK = 256 * 1024  # bytes sent at a time where the server has no better way to send a file
SIGN_IN = "Sign in to the web app, or send 'Authorization: Bearer <token>' with an API token for all boards."
ALL_BOARDS = "This token is limited to some boards, and an export has all. Use one for all boards."


class SessionOrToken(BaseAuthentication):
    """Accepts the session of the web app, else an API token. No CSRF token is needed, because a request changes nothing."""

    def authenticate(self, request: Request) -> tuple[Any, ApiToken | None]:
        user = request._request.user
        if user.is_authenticated:
            return user, None
        if "HTTP_AUTHORIZATION" not in request.META:
            raise Refused(401, SIGN_IN)
        return BearerAuthentication().authenticate(request)

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class ExportView(AnonymousView):
    authentication_classes = [SessionOrToken]
    counted_as = {"GET": "export"}
    ignores_unknown = FIRST_VERSION

    def count(self, request: HttpRequest, name: str) -> Usage | None:
        """Count an export. Other calls take none from the person, whom a token of chosen boards could leave without any."""
        who = str(self.request.user.pk)
        return count(request, name, who) if self.is_export else require_room(name, who)

    @property
    def is_export(self) -> bool:
        return self.request.method == "GET" and not self.is_limited

    @property
    def token(self) -> "ApiToken | None":
        return cast("ApiToken | None", self.request.auth)

    @property
    def is_limited(self) -> bool:
        return self.token is not None and self.token.boards is not None

    @extend_schema(
        operation_id="export",
        summary="Everything on your boards in one file",
        responses={
            (200, "application/json"): OpenApiResponse(dict, "The file."),
            **errors(401),
            403: refusal("The token is limited to some boards."),
            429: refusal(
                "The account has exported as often as it may for now; Retry-After says how many seconds to wait."
            ),
        },
        auth=[{"token": []}, {"session": []}],  # type: ignore[list-item]  # as OpenAPI has it
    )
    def get(self, request: Request) -> HttpResponseBase:
        """For a signed-in web session, or a token that may read all boards. docs/export.md describes the file."""
        if self.is_limited:
            raise Refused(403, ALL_BOARDS)
        if request.method == "GET":
            name = self.token.name if self.token else None
            log_event(EventKind.EXPORTED, request._request, user=request.user, token=name)
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
