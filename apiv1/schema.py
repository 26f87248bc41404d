"""OpenAPI: what the endpoints have in common, and the public addresses of the description and its readable page."""

from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from apiv1.base import encode
from apiv1.serializers import ErrorOut

MEANINGS = {
    400: "The body is not valid; the sentence names the field at fault.",
    401: "The token is missing, unknown, revoked or expired.",
    403: "Not allowed for the token's owner, or a cap of the plan is reached.",
    404: "There is no such list or board, or it is archived.",
    409: "A request with this Idempotency-Key is still running.",
    411: "The body came without a Content-Length.",
    413: "The body is larger than 1 MiB.",
    415: "The body is not application/json.",
    422: "This Idempotency-Key was used with another body.",
    429: "Too many requests in this minute; Retry-After says how many seconds to wait.",
}

idempotency_key = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="Makes a repeat safe: within 24 hours the same key and body gets the first 201 answer again.",
)


def errors(*statuses: int) -> dict[int, OpenApiResponse]:
    return {status: OpenApiResponse(ErrorOut, MEANINGS[status]) for status in statuses}


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "apiv1.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API token of yours: Settings, API tokens.",
        }


@lru_cache(maxsize=1)
def description() -> bytes:
    """The OpenAPI 3.1 document, the same for everybody."""
    return encode(SchemaGenerator().get_schema(request=None, public=True))


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    return HttpResponse(description(), content_type="application/json")


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    return render(request, "apiv1/reference.html")
