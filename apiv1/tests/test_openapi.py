"""The OpenAPI description is valid, complete and public, and the service answers as it says."""

import json
import re
from zoneinfo import ZoneInfo

import pytest
import schemathesis
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, assume, given, settings
from jsonschema import Draft202012Validator, FormatChecker
from rest_framework.exceptions import ValidationError
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from apiv1.cards.shapes import CardIn
from apiv1.examples import BODIES
from apiv1.openapi import description
from apiv1.reference import OpenApiView, ReferenceView
from apiv1.tests.calls import token_of
from boards.board_templates import Template
from boards.dates import parse_due_date
from boards.errors import Invalid
from cliauth.views.endpoints import PollIn, StartIn
from taskboard import urls

ADDRESS = "/api/v1/openapi.json"
CHECKS = [
    not_a_server_error,
    positive_data_acceptance,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
    ignored_auth,
]


@pytest.fixture
def document(anyone):
    return anyone.get(ADDRESS).json()


@pytest.fixture
def operations(document):
    return {(path, method): found for path, methods in document["paths"].items() for method, found in methods.items()}


@pytest.fixture
def inputs(document):
    return {name: document["components"]["schemas"][name]["properties"] for name in ("BoardIn", "CardIn")}


def test_the_description_is_valid_openapi(document):
    assert document["openapi"] == "3.1.0"
    validate_schema(document)


def test_the_description_is_public_json(anyone):
    get, head = anyone.get(ADDRESS), anyone.head(ADDRESS)
    assert (get.status_code, head.status_code, head.content) == (200, 200, b"")
    assert get.headers["Content-Type"] == head.headers["Content-Type"] == "application/json"


def test_the_description_names_every_path_and_method_there_is(operations):
    patterns = [pattern for app in urls.urlpatterns for pattern in getattr(app, "url_patterns", [])]
    views = {f"/{pattern.pattern}": getattr(pattern.callback, "cls", None) for pattern in patterns}
    there = {
        (re.sub("<.*?(\\w+)>", r"{\1}", path), method)
        for path, view in views.items()
        if path.startswith("/api/") and view not in (None, OpenApiView, ReferenceView)
        for method in view.http_method_names
        if method != "head" and hasattr(view, method)
    }
    assert set(operations) == there


def test_every_operation_says_what_it_does_and_all_but_three_require_a_token(operations):
    assert len({found["operationId"] for found in operations.values()}) == len(operations)
    for operation in operations.values():
        assert operation["summary"]
        assert operation["description"]
    wanted = {path: operation.get("security") for (path, _method), operation in operations.items()}
    others = {"/api/export": [{"token": []}, {"session": []}], "/api/v1/cli/auth": None, "/api/v1/cli/auth/token": None}
    assert wanted == {path: [{"token": []}] for path in wanted} | others


def test_every_answer_is_described_and_every_error_has_the_common_shape(operations):
    for operation in operations.values():
        assert {"429", "default"} < set(operation["responses"])
        assert ("401" in operation["responses"]) == ("security" in operation)
        for status, response in operation["responses"].items():
            assert response["description"]
            if status >= "4":
                content = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorOut"}}}
                assert response["content"] == content


@pytest.mark.parametrize(
    "path, method, status, words",
    [
        ("/api/v1/cards", "post", "409", "neighbor"),
        ("/api/v1/cards", "post", "404", "label"),
        ("/api/export", "get", "403", "limited to some boards"),
        ("/api/export", "get", "429", "exported as often"),
    ],
)
def test_a_refusal_is_described_by_what_leads_to_it(operations, path, method, status, words):
    assert words in operations[path, method]["responses"][status]["description"]


def test_each_call_belongs_to_a_noun_that_is_described(document, operations):
    described = {tag["name"] for tag in document["tags"]}
    assert {noun for operation in operations.values() for noun in operation["tags"]} == described
    assert operations["/api/v1/cards/{card_id}/comments", "post"]["tags"] == ["comments"]


def test_every_body_of_json_has_an_example_that_it_allows(document, operations):
    examples = 0
    for operation in operations.values():
        for kind, content in operation.get("requestBody", {"content": {}})["content"].items():
            if kind != "multipart/form-data":
                schema = {**content["schema"], "components": document["components"]}
                Draft202012Validator(schema, format_checker=FormatChecker()).validate(content["example"])
                examples += 1
    assert examples >= len(BODIES)


def test_limited_answers_name_their_headers(operations):
    figures = {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}
    for operation in operations.values():
        named = {status: set(response["headers"]) for status, response in operation["responses"].items()}
        challenge = {"WWW-Authenticate"} if operation.get("security") == [{"token": []}] else set()
        assert named.pop("401", set()) == challenge
        assert named.pop("429") == figures | {"Retry-After"}
        assert named.pop("default") == set()
        others = {"ETag", "Link", "Ignored-Fields", "Idempotency-Replayed"}
        assert all(names - others == figures for names in named.values())


def test_answers_with_a_version_name_its_etag_and_pages_the_link_to_the_next(operations):
    def statuses(name):
        return {
            operation["operationId"]: "".join(
                status for status, answer in operation["responses"].items() if name in answer["headers"]
            )
            for operation in operations.values()
        }

    etags, links = statuses("ETag"), statuses("Link")
    assert (etags["getCard"], etags["updateCard"], etags["moveCard"]) == ("200304", "200", "200")
    assert (etags["copyCard"], etags["copyBoard"], etags["createList"]) == ("201", "201", "201")
    assert (etags["deleteCard"], etags["createCard"], etags["getLabel"]) == ("", "", "")
    assert etags["getAttachmentFile"] == "200206304"
    assert {name for name, status in links.items() if status == "200"} == {
        "searchCards",
        "listBoardCards",
        "listListCards",
        "listComments",
        "listActivity",
    }


def test_answers_of_calls_that_ignore_unknown_fields_say_so(operations):
    naming = {
        (path, method, status)
        for (path, method), operation in operations.items()
        for status, response in operation["responses"].items()
        if "Ignored-Fields" in response["headers"]
    }
    assert naming == {
        ("/api/v1/me", "get", "200"),
        ("/api/v1/boards", "get", "200"),
        ("/api/v1/boards", "post", "201"),
        ("/api/v1/cards", "post", "201"),
        ("/api/v1/cli/auth", "post", "200"),
        ("/api/v1/cli/auth/token", "post", "200"),
        ("/api/v1/cli/auth/token", "post", "202"),
        ("/api/export", "get", "200"),
    }


def test_limits_of_fields_are_stated(inputs):
    assert inputs["BoardIn"]["title"]["maxLength"] == 200
    assert inputs["CardIn"]["title"]["maxLength"] == 500
    assert inputs["CardIn"]["description"]["maxLength"] == 20_000


ACCEPTED = {
    "title": ["Garden", " \n Garden\t", "\u65e5", "a\tb", "\U0001f389"],
    "description": ["", "one\r\n\ttwo", "\u65e5"],
    "dueDate": [
        "2026-12-01T09:00:00Z",
        "2028-02-29",
        "20261201T0900+0130",
        "2026-12-01t09:00:00,5",
        "2026-12-01T24:00",
    ],
    "startDate": ["2026-11-28", "20261128"],
    "clientName": ["my-laptop"],
    "deviceCode": ["x"],
}
REFUSED = {
    "title": ["", " \n", "\x85", "a\nb", "a\x00b", "\x1b", "\x0b"],
    "description": ["a\x00b", "\x1f"],
    "dueDate": ["", "tomorrow", "2026-02-30", "2027-02-29", "1969-12-31", "2026-12-1", "2026-12-01T25:00", "2026-1201"],
    "startDate": ["", "2026-13-01", "2026-11-28T09:00"],
    "clientName": ["", " ", "a\nb"],
    "deviceCode": ["", "\x07"],
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_the_patterns_of_texts_and_dates_say_what_is_accepted(document, name):
    shapes = {"clientName": StartIn, "deviceCode": PollIn}
    described = document["components"]["schemas"][shapes.get(name, CardIn).__name__]["properties"][name]
    for text in (*ACCEPTED[name], *REFUSED[name]):
        is_good = text in ACCEPTED[name]
        says = re.search(described["pattern"], text) is not None and len(text) >= described.get("minLength", 0)
        assert (says, is_accepted(shapes.get(name, CardIn), name, text)) == (is_good, is_good), text


def is_accepted(shape, name, text):
    try:
        value = shape().fields[name].run_validation(text)
        parse_due_date(value, ZoneInfo("UTC")) if name == "dueDate" else None
    except (Invalid, ValidationError):
        return False
    return True


def test_the_templates_are_listed(document, inputs):
    assert document["components"]["schemas"]["TemplateEnum"]["enum"] == Template.values
    assert inputs["BoardIn"]["template"]["default"] == "blank"


def test_both_posts_accept_an_idempotency_key(operations):
    for path in ("/api/v1/boards", "/api/v1/cards"):
        [parameter] = operations[path, "post"]["parameters"]
        assert (parameter["name"], parameter["in"]) == ("Idempotency-Key", "header")
        assert "required" not in parameter
        responses = operations[path, "post"]["responses"]
        assert [status for status in responses if "Idempotency-Replayed" in responses[status]["headers"]] == ["201"]


@pytest.fixture
def described(many_examples, base_url, unlimited):
    return schemathesis.openapi.from_url(base_url + ADDRESS)


OPERATIONS = [
    (path, method.upper())
    for path, methods in json.loads(description())["paths"].items()
    for method in methods
    if path != "/api/export"  # five an hour, and no JSON of ours
]
# Unknown parameters are ignored as they always were; any text may name a label or a person, and finds nothing.
TAKES_ANYTHING = {"/api/v1/boards", "/api/v1/cards", "/api/v1/boards/{board_id}/cards", "/api/v1/lists/{list_id}/cards"}
FEW = settings(max_examples=4, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


def is_too_long_with_spaces(body: object) -> bool:
    """Return whether a text may be too long only until it is trimmed, which maxLength cannot say."""
    texts = body.values() if isinstance(body, dict) else ()
    return any(isinstance(text, str) and len(text) > 100 and text.strip() != text for text in texts)


def is_past(body: object) -> bool:
    """Return whether an expiry may have passed, which a pattern cannot say."""
    expiry = body.get("expiresAt") if isinstance(body, dict) else None
    return isinstance(expiry, str) and expiry < "3"


def has_what_no_pattern_says(case) -> bool:
    """Return whether the call names a cursor, a time zone, or something else that only the service can know."""
    return "cursor" in (case.query or {}) or (isinstance(case.body, dict) and "timeZone" in case.body)


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("path, method", OPERATIONS)
def test_answers_are_as_described_whatever_is_sent(described, paula, path, method, mode):
    takes_anything = method == "GET" and path in TAKES_ANYTHING
    checks = [check for check in CHECKS if not (takes_anything and check is negative_data_rejection)]

    @FEW
    @given(described[path][method].as_strategy(generation_mode=mode))
    def hold(case):
        assume(not is_too_long_with_spaces(case.body) and not is_past(case.body))
        assume(mode is GenerationMode.NEGATIVE or not has_what_no_pattern_says(case))
        paula.tokens.all().delete()  # the call before may have revoked it
        case.call_and_validate(headers={"Authorization": f"Bearer {token_of(paula)}"}, checks=checks)

    hold()
