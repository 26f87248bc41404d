"""The endpoint, at two addresses: it accepts messages by POST, with a token."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt

from apiv1.authentication import count_call, token_of
from apiv1.bodies import require_json, require_length
from apiv1.errors import answer_for, error
from mcpserver.caller import Caller
from mcpserver.core import handle
from security.limits import Usage

# The headers that the core reads. request.headers would build all of them, measured at 4 % of the time of tools/list.
HEADERS = {
    "accept": "HTTP_ACCEPT",
    "mcp-protocol-version": "HTTP_MCP_PROTOCOL_VERSION",
    "mcp-method": "HTTP_MCP_METHOD",
    "mcp-name": "HTTP_MCP_NAME",
}
FOREIGN = "Requests from this Origin are not allowed. The operator of the service can add it to TASKBOARD_CORS_ORIGINS."


@csrf_exempt
def mcp(request: HttpRequest) -> HttpResponse:
    usage: list[Usage] = []
    try:
        response = respond(request, usage)
    except Exception as trouble:  # answered as JSON, and logged as a crash if it is one
        response = answer_for(trouble, request)
    for one in usage:
        one.write_to(response)
    return response


def respond(request: HttpRequest, usage: list[Usage]) -> HttpResponse:
    if not is_allowed_origin(request):
        return error(403, FOREIGN)
    if request.method != "POST":
        return error(405, f"This path accepts POST, not {request.method}.", {"Allow": "POST"})
    token = token_of(request)
    if token is None:
        return error(401, headers={"WWW-Authenticate": "Bearer"})
    require_length(request)
    require_json(request)

    def counted(name: str) -> None:
        if found := count_call(request, name, token):
            usage.append(found)

    headers = {name: request.META[key] for name, key in HEADERS.items() if key in request.META}
    status, named, body = handle(body_of(request), headers, Caller(token), counted)
    response = HttpResponse(body, status=status, headers=named)
    if "Content-Type" not in named:
        del response["Content-Type"]
    return response


def is_allowed_origin(request: HttpRequest) -> bool:
    """Accept requests from our own pages, from listed origins, and from programs, which send no Origin."""
    origin = request.META.get("HTTP_ORIGIN")
    if origin is None:
        return True
    own = (settings.BASE_URL, f"{request.scheme}://{request.get_host()}")
    return origin in own or origin in settings.CORS_ALLOWED_ORIGINS


def body_of(request: HttpRequest) -> bytes:
    """Return the body; empty, which the core refuses as no JSON, when it ended before its Content-Length."""
    try:
        return request.body
    except UnreadablePostError:
        return b""
