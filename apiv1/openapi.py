"""The OpenAPI document, made once from the views when it is first asked for."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.urls import resolve
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.generators import SchemaGenerator

from apiv1.base import encode
from apiv1.examples import BODIES

# One schema for all calls, so that generators make one type.
PLACE = {
    "oneOf": [
        {"type": "string", "enum": ["top", "bottom"]},
        *(
            {
                "type": "object",
                "properties": {where: {"type": "string", "format": "uuid"}},
                "required": [where],
                "additionalProperties": False,
            }
            for where in ("before", "after")
        ),
    ],
    "description": "Where among the others. Left out, what is new or moved comes last, a copy right below its card, and what is "
    "changed stays. A neighbor that is not there is answered with 409.",
}
OTHER_ERROR = "Something else went wrong, mostly in the service; the sentence says what to do."
HEADERS = {
    "RateLimit-Limit": ("integer", "How many calls of this endpoint the token may make in a minute."),
    "RateLimit-Remaining": ("integer", "How many calls are left."),
    "RateLimit-Reset": ("integer", "Seconds until the count starts over."),
    "ETag": ("string", "The version, for If-Match and If-None-Match."),
    "Link": ("string", 'The address of the next page, with `rel="next"`; missing on the last page.'),
    "Ignored-Fields": ("string", "Unknown fields and query parameters that were sent, percent-encoded, with commas."),
    "Idempotency-Replayed": ("string", "`true` when this is the kept answer of an earlier call with the same key."),
    "Retry-After": ("integer", "Seconds to wait before trying again."),
    "WWW-Authenticate": ("string", "Bearer"),
}
A_TEXT = {"type": "string"}
NO_LIST = {"not": {"properties": {"listId": A_TEXT}, "required": ["listId"]}}
# What CardIn says in words. Not anyOf, of which generators make two types, each with one of the fields only.
NEEDS = {
    "if": NO_LIST,
    "then": {"properties": {"boardId": A_TEXT}, "required": ["boardId"]},
    "dependentSchemas": {
        "recurrence": {
            "if": {"properties": {"recurrence": A_TEXT}},
            "then": {"properties": {"dueDate": A_TEXT}, "required": ["dueDate"]},
        }
    },
}
# In the order in which people meet them. Each is a folder of apiv1/, or another room with calls.
NOUNS = {
    "account": "Your account and plan.",
    "boards": "Boards, with their lists, labels and members.",
    "lists": "The lists of a board.",
    "cards": "Cards: one, many at once, and in pages.",
    "labels": "The labels of a board.",
    "comments": "What people say about a card.",
    "checklists": "Checklists of a card, and their items.",
    "attachments": "Files on a card.",
    "members": "Who is on a board, and with which role.",
    "activity": "What happened on a board.",
    "tokens": "The token of the request.",
    "cliauth": "A token for a program without a browser.",
    "exporter": "Everything in one file.",
}
MAKE_A_VERSION = ("createList", "copyCard", "copyBoard")  # and show it, which createCard and createBoard do not
FIGURES = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
TOKEN: list[dict[str, list[str]]] = [{"token": []}]
HEADERS_OF = {"401": ("WWW-Authenticate",), "429": (*FIGURES, "Retry-After"), "default": ()}  # any other: FIGURES


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "apiv1.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "One of your API tokens, from Settings, API tokens.",
        }


class Patterned(OpenApiSerializerFieldExtension):
    target_class = "apiv1.fields.Named"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema = auto_schema._map_serializer_field(self.target, direction, bypass_extensions=True)
        schema["type"] = self.target.kind  # `null` is added to what is returned here
        return schema | {"pattern": self.target.pattern} if self.target.pattern else schema


class Placed(OpenApiSerializerFieldExtension):
    target_class = "apiv1.fields.PlaceAmong"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        return {"$ref": "#/components/schemas/Place"}


@lru_cache(maxsize=1)
def description() -> bytes:
    """Return the OpenAPI 3.1 document as JSON. It is the same for everybody."""
    return encode(complete(SchemaGenerator().get_schema(request=None, public=True)))


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """Add what the generator cannot see: headers of answers, errors of any call, one of two fields required."""
    components = document["components"]
    components["securitySchemes"]["session"] = {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}
    components["headers"] = {
        name: {"description": meaning, "schema": {"type": kind}} for name, (kind, meaning) in HEADERS.items()
    }
    components["schemas"]["Place"] = PLACE
    for name in ("CardIn", "BatchCardIn"):
        components["schemas"][name] |= NEEDS
    components["schemas"]["BatchCardIn"]["additionalProperties"] = False
    document["tags"] = [{"name": noun, "description": meaning} for noun, meaning in NOUNS.items()]
    for path, method, operation in operations_of(document):
        operation["tags"] = [noun_of(path)]
        if (body := operation.get("requestBody")) and not ignores_unknown(path, method):
            body["required"] = True  # where all of its fields are optional too
            for content in body["content"].values():
                components["schemas"][content["schema"]["$ref"].rpartition("/")[2]]["additionalProperties"] = False
        if (example := BODIES.get(operation["operationId"])) is not None:
            for content in operation["requestBody"]["content"].values():
                content["example"] = example
    for path, method, operation in operations_of(document):
        responses = operation["responses"]
        responses["default"] = {**responses["429"], "description": OTHER_ERROR}
        if "304" in responses:
            responses["304"].pop("content", None)
        for status, response in responses.items():
            names = HEADERS_OF.get(status, FIGURES)
            if status < "3" and ignores_unknown(path, method):
                names = (*names, "Ignored-Fields")
            if status in ("200", "206", "304") and takes(operation, "If-Match", "If-None-Match"):
                names = (*names, "ETag")
            if status == "201" and operation["operationId"] in MAKE_A_VERSION:
                names = (*names, "ETag")
            if status == "200" and takes(operation, "cursor"):
                names = (*names, "Link")
            if status == "201" and takes(operation, "Idempotency-Key"):
                names = (*names, "Idempotency-Replayed")
            if operation.get("security") != TOKEN:
                names = tuple(name for name in names if name != "WWW-Authenticate")
            response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    return document


def ignores_unknown(path: str, method: str) -> bool:
    return method in view_of(path).ignores_unknown


def noun_of(path: str) -> str:
    """Return the noun of a call: the folder of its view."""
    room, folder, *_rest = view_of(path).__module__.split(".")
    return folder if room == "apiv1" else room


def view_of(path: str) -> Any:
    view: Any = resolve(re.sub("{.*?}", "0", path)).func
    return view.cls


def takes(operation: dict[str, Any], *names: str) -> bool:
    """Return whether the operation has one of these parameters."""
    return any(parameter["name"] in names for parameter in operation.get("parameters", []))


def operations_of(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield path, method.upper(), operation
