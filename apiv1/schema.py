"""What the endpoints have in common in their description, for drf_spectacular's `extend_schema`."""

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from apiv1.idempotency import KEY_LENGTH


class ErrorOut(serializers.Serializer):
    error = serializers.CharField(help_text="A sentence that says what to do.")


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


def errors(*statuses: int) -> dict[int, OpenApiResponse]:
    return {status: refusal(MEANINGS[status]) for status in statuses}


def refusal(meaning: str) -> OpenApiResponse:
    return OpenApiResponse(ErrorOut, meaning)
