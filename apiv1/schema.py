"""What the endpoints have in common in their description, and the public views of it: OpenAPI and the reference page."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpResponse
from django.shortcuts import render
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request

from apiv1.base import PublicView, answer_bytes
from apiv1.idempotency import KEY_LENGTH
from apiv1.serializers import ErrorOut

MEANINGS = {
    400: "The body is not valid; the sentence names the field at fault.",
    401: "The token is missing, unknown, revoked or expired.",
    403: "The token's owner is not allowed to do this, or has reached a limit of their plan.",
    404: "There is no such list or board, or it is archived.",
    409: "A request with this Idempotency-Key is still running.",
    411: "The body came without a Content-Length.",
    413: "The body is larger than 1 MiB.",
    415: "The body is not application/json, or it has a Content-Encoding.",
    422: "This Idempotency-Key was used with another body.",
    429: "Too many requests in this minute; Retry-After says how many seconds to wait.",
}

idempotency_key = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": KEY_LENGTH, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="Makes retries safe: within 24 hours, the same key and body get the first 201 answer again. "
    "Send a new key, such as a UUID, for each thing that you create: with another body a used key is refused by 422.",
)


Method = TypeVar("Method", bound=Callable[..., Any])
_describing = threading.Lock()
_described: list[tuple[Callable[..., Any], dict[str, Any]]] = []


def described(**what: Any) -> Callable[[Method], Method]:
    """Describe an endpoint, in the words of drf_spectacular's `extend_schema`, which `describe_all` hands them to."""

    def keep(method: Method) -> Method:
        _described.append((method, what))
        return method

    return keep


def describe_all() -> None:
    """Tell the generator what `described` has kept. Only who asks for the description needs it: its modules take 3 MB."""
    with _describing:
        while _described:
            method, what = _described.pop()
            extend_schema(**what)(method)


def errors(*statuses: int) -> dict[int, OpenApiResponse]:
    return {status: refusal(MEANINGS[status]) for status in statuses}


def refusal(meaning: str) -> OpenApiResponse:
    return OpenApiResponse(ErrorOut, meaning)


class OpenApiView(PublicView):
    schema = None

    def get(self, request: Request) -> HttpResponse:
        from apiv1.openapi import description  # only here: the generator takes 3 MB

        return answer_bytes(description())


class ReferenceView(PublicView):
    schema = None
    ignores_unknown = True  # a page, which links lead to

    def perform_authentication(self, request: Request) -> None:
        """Leave the user of the session, whom the page's header shows. DRF would set nobody."""

    def get(self, request: Request) -> HttpResponse:
        return render(request._request, "apiv1/reference.html")
