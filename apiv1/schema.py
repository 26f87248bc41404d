"""The shared parts of the endpoints' descriptions, for drf_spectacular's `extend_schema`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from apiv1.idempotency import KEY_LENGTH


class ErrorOut(serializers.Serializer):
    error = serializers.CharField(help_text="A sentence that says what to do.")


MEANINGS = {
    400: "The body is not valid; the sentence names the field at fault.",
    401: "The token is missing, unknown, revoked or expired.",
    403: "The token's owner is not allowed to do this, or has reached a limit of their plan.",
    404: "There is no such list or board, or it is archived; or a label or person is not of the board.",
    409: "A request with this Idempotency-Key is still running.",
    412: "If-Match names another version than the present one; nothing was changed.",
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


if_match = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the version that you know. Another version is refused by 412, and nothing is changed.",
)
if_none_match = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the version that you have: the answer is 304 without a body when it is still that one.",
)
NOTHING_THERE = "There is nothing with this id, or the token's owner has no access to it."
WRONG_STATE = "This cannot be done in the present state, such as archived; the sentence says what to do first."


def call(
    operation_id: str,
    summary: str,
    answers: Any = None,
    *,
    status: int = 200,
    says: str = "Done.",
    takes: Any = None,
    key: bool = False,
    match: bool = False,
    parameters: Sequence[OpenApiParameter] = (),
    meanings: Mapping[int, str] = {},
    **more: Any,
) -> Callable[..., Any]:
    """Describe a call for the document: what it takes and answers, and all errors that calls of its method can have.

    `key`: it takes an Idempotency-Key. `match`: what it reads or changes has a version.
    `meanings`: of statuses that mean something else than in other calls.
    """
    verb = operation_id.removesuffix("s")
    reads = status == 200 and takes is None and verb.startswith(("get", "list", "search"))
    refusals = [400, 401, 404, 429] if reads else [400, 401, 403, 404, 409, 411, 413, 415, 429]
    headers = [*parameters]
    if key:
        refusals.append(422)
        headers.append(idempotency_key)
    if match and not reads:
        refusals.append(412)
    if match:
        headers.append(if_none_match if reads else if_match)
    responses: dict[int, Any] = {status: OpenApiResponse(answers, says), **errors(*refusals)}
    responses[404] = refusal(NOTHING_THERE)
    if 409 in responses:
        responses[409] = refusal(WRONG_STATE)
    responses |= {status: refusal(meaning) for status, meaning in meanings.items()}
    if match and reads:
        responses[304] = OpenApiResponse(None, "The caller has this version.")
    return extend_schema(
        operation_id=operation_id, summary=summary, request=takes, parameters=headers, responses=responses, **more
    )


def query(name: str, description: str, kind: Any = str, *, many: bool = False, **options: Any) -> OpenApiParameter:
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=description, many=many, **options)


PAGES = (
    query("limit", "How many at most; 50 when left out.", {"type": "integer", "minimum": 1, "maximum": 200}),
    query("cursor", "nextCursor of the page before, with the same filters."),
)


def errors(*statuses: int) -> dict[int, OpenApiResponse]:
    return {status: refusal(MEANINGS[status]) for status in statuses}


def refusal(meaning: str) -> OpenApiResponse:
    return OpenApiResponse(ErrorOut, meaning)
