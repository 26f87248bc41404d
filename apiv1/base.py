"""The base of every endpoint: authentication, limit, errors and the shape of answers."""

import json
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.serializers import Field, Serializer
from rest_framework.views import APIView

from accounts.models import ApiToken, User
from apiv1.authentication import BearerAuthentication, actor_of, count_call
from apiv1.bodies import has_body, read_json_object, read_patch
from apiv1.errors import Refused
from apiv1.field_names import header_of, query_names, refuse_misspelt, refuse_repeated, refuse_unknown, unknown_among
from apiv1.idempotency import Once, once
from apiv1.paging import link_to_next, paged
from apiv1.preconditions import expected_versions, has_seen, tag_of
from boards.actor import Actor
from boards.errors import Invalid
from boards.models.verbs import Door
from boards.reader import Reader
from core.http.addresses import network_of
from core.http.compact_json import dumps
from security import limits

FIRST_VERSION = ("GET", "HEAD", "POST")  # methods of views whose calls have always ignored unknown names


class AlwaysJSON(BaseContentNegotiation):
    """Answers JSON whatever the Accept header says."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


class AnonymousView(APIView):
    """An endpoint without a token. Its errors look like those of every other endpoint.

    `counted_as` maps a method to its key in settings.LIMITS. HEAD and wrong methods count under the first key.
    `ignores_unknown`: the methods of the first version of the API, of which unknown fields and query parameters are not
    refused but named in the header Ignored-Fields. `parameters`: those that a GET knows, and `repeatable` those of them
    that can be given more than once.
    """

    authentication_classes: list[type] = []
    permission_classes: list[type] = []
    content_negotiation_class = AlwaysJSON
    http_method_names = ["get", "head", "post", "patch", "delete"]
    counted_as: dict[str, str] = {}
    ignores_unknown: Container[str] = ()
    parameters: Sequence[str] = ()
    repeatable: Container[str] = ()
    ignored: Sequence[str] = ()
    usage: limits.Usage | None = None

    @property
    def default_response_headers(self) -> dict[str, str]:
        return {}  # DRF would add Allow and Vary to every answer

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method in ("GET", "HEAD") and request.method in self.allowed_methods:
            self.check_names()

    def check_throttles(self, request: Request) -> None:
        if self.counted_as:
            name = self.counted_as.get(request.method or "") or next(iter(self.counted_as.values()))
            self.usage = self.count(request._request, name)

    def count(self, request: HttpRequest, name: str) -> limits.Usage | None:
        """Count one call: here by the client's network."""
        return limits.count(request, name, network_of(request.META["REMOTE_ADDR"]))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        if self.usage is not None:
            self.usage.write_to(response)
        if self.ignored:
            response["Ignored-Fields"] = header_of(self.ignored)
        return response

    def check_names(self, given: Iterable[str] = (), known: Sequence[str] = ()) -> None:
        """Check the names of the body's fields, and of query parameters, which only GET has. Raise Invalid."""
        fields = unknown_among(given, known)
        has_parameters = self.request.method in ("GET", "HEAD")
        known_parameters = self.parameters if has_parameters else ()
        sent = query_names(self.request.META.get("QUERY_STRING", ""))
        parameters = unknown_among(sent, known_parameters)
        if self.request.method in self.ignores_unknown:
            refuse_misspelt(fields, known)
            self.ignored = [*fields, *parameters]
        else:
            refuse_unknown(fields, known)
            refuse_unknown(parameters, known_parameters, "query parameter")
        refuse_repeated({name: times for name, times in sent.items() if name in known_parameters}, self.repeatable)

    def validated(self, shape: type[Serializer]) -> dict[str, Any]:
        """Return the JSON body as `shape` defines it.

        Raises Refused for a body that cannot be read, ValidationError or Invalid for a wrong field.
        """
        return self.valid(shape, read_json_object(self.request._request))

    def valid(self, shape: type[Serializer], data: dict[str, Any]) -> dict[str, Any]:
        checking = _checking(shape)
        self.check_names(data, list(checking.fields))
        return checking.run_validation(data)

    def patched(self, shape: type[Serializer]) -> dict[str, Any]:
        """Return the fields that a PATCH sends, of those that `shape` defines; None for one that it clears.

        Raises as `validated` does, and Invalid for null in place of what cannot be empty.
        """
        data = read_patch(self.request._request)
        fields = _checking(shape).fields
        self.check_names(data, list(fields))
        return {name: _patched(fields[name], name, value) for name, value in data.items()}


def _patched(field: Field, name: str, value: Any) -> Any:
    if value is not None:
        return field.run_validation(value)
    if not field.allow_null:
        raise Invalid(f"{name} cannot be null. Leave it out to keep it as it is.", name)
    return None


@cache
def _checking(shape: type[Serializer]) -> Serializer:
    """Return a serializer that checks every body of this shape: it keeps nothing of one, and making its fields takes long."""
    return shape()


class ApiView(AnonymousView):
    """An endpoint for owners of a token. Calls are counted by token and by owner."""

    authentication_classes = [BearerAuthentication]
    permission_classes = [IsAuthenticated]
    has_version = False  # whether If-Match can name a version of what PATCH, DELETE and acts change

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if "HTTP_IF_MATCH" in request.META and not self.has_version and request.method not in self.ignores_unknown:
            raise Refused(400, "If-Match cannot be used here: this has no version. Send the request without it.")

    def count(self, request: HttpRequest, name: str) -> limits.Usage | None:
        return count_call(request, name, self.token)

    @property
    def token(self) -> ApiToken:
        return cast(ApiToken, self.request.auth)

    @property
    def owner(self) -> User:
        return self.token.user

    @property
    def reader(self) -> Reader:
        return self.actor.reader

    @cached_property
    def actor(self) -> Actor:
        """The actor of the whole request, which knows what boards it touches."""
        return actor_of(self.token, Door.API)

    def actor_expecting(self, pk: UUID | None) -> Actor:
        """Return the actor of a change of this row, which If-Match can limit to a version of it."""
        versions = expected_versions(self.request.META)
        return self.actor if versions is None or pk is None else replace(self.actor, expects={pk: versions})

    def found(self, payload: dict[str, Any], version: int) -> HttpResponse:
        """Answer a thing with its version as ETag: 200, or 304 where the caller has that version."""
        response = HttpResponse(status=304) if has_seen(self.request.META, version) else answer(payload)
        response["ETag"] = tag_of(version)
        return response

    def changed(self, payload: dict[str, Any], version: int) -> HttpResponse:
        """Answer 200 with what a change has left of a thing, and its version."""
        response = answer(payload)
        response["ETag"] = tag_of(version)
        return response

    def paged(self, payload: dict[str, Any], place: Sequence[Any] | None) -> HttpResponse:
        """Answer a page of a collection. `place` is that of its last row; None where nothing follows."""
        full = paged(self.request._request, payload, place)
        response = answer(full)
        if full["nextCursor"]:
            link_to_next(self.request._request, full["nextCursor"], response)
        return response

    def flag(self, name: str) -> bool:
        """Return whether the query parameter is `true`; False when it is missing. Raises Invalid for other words."""
        value = self.request.GET.get(name, "false")
        if value not in ("true", "false"):
            raise Invalid(f"{name} must be true or false.", name)
        return value == "true"

    def take_no_fields(self) -> None:
        """Check that the body of an act is missing, or an object without fields."""
        self.check_names(read_json_object(self.request._request) if has_body(self.request._request) else ())

    def created(self, make: Callable[[], dict[str, Any]], body: bytes | None = None) -> HttpResponse:
        """Answer 201 with what `make` returns. With an Idempotency-Key `make` runs once and its answer is kept.

        A repeat is one that has the same body, for which `body` can stand.
        """
        return self.answered_once(once(self.request, self.actor, lambda: encode(make()), body))

    def created_version(self, make: Callable[[], dict[str, Any]]) -> HttpResponse:
        """Answer as `created` does, with the version of the one thing that `make` returns as ETag."""
        response = self.created(make)
        [thing] = json.loads(response.content).values()  # of a kept answer too, which is bytes alone
        response["ETag"] = tag_of(thing["version"])
        return response

    def answered_once(self, made: Once) -> HttpResponse:
        response = answer_bytes(made.answer, status=201)
        if made.is_replay:
            response["Idempotency-Replayed"] = "true"
        return response


def answer(payload: dict[str, Any]) -> HttpResponse:
    return answer_bytes(encode(payload))


def encode(payload: dict[str, Any]) -> bytes:
    return dumps(payload).encode()


def answer_bytes(body: bytes, status: int = 200) -> HttpResponse:
    return HttpResponse(body, status=status, content_type="application/json")
