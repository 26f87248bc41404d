"""Unknown fields and query parameters: refused where they are a known field misspelt, else named in the answer."""

import json

import pytest
from rest_framework import serializers
from rest_framework.test import APIRequestFactory

from apiv1.base import AnonymousView, answer
from apiv1.field_names import header_of
from apiv1.fields import Line
from apiv1.tests.calls import is_refused
from boards.models import Board, Card

BOARDS, CARDS, TOKEN = "/api/v1/boards", "/api/v1/cards", "/api/v1/token"
START, POLL = "/api/v1/cli/auth", "/api/v1/cli/auth/token"
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "sent, meant",
    [
        ("due", "dueDate"),
        ("duedate", "dueDate"),
        ("due_date", "dueDate"),
        ("DueDate", "dueDate"),
        ("dueDtae", "dueDate"),
        ("list_id", "listId"),
        ("listIds", "listId"),
        ("list", "listId"),
        ("board-id", "boardId"),
        ("desc", "description"),
        ("descripton", "description"),
        ("discription", "description"),
        ("titel ", "title"),
        ("list\ud800id", "listId"),
    ],
)
def test_a_misspelt_field_is_refused_with_the_known_one(as_olga, todo, sent, meant):
    body = json.dumps({"listId": str(todo.pk), "title": "Print", sent: "2026-12-01"})
    refused = as_olga.post(CARDS, content=body, headers=JSON)
    assert is_refused(refused, 400, "Unknown field", f"The nearest known one is {meant}.")
    assert not Card.objects.exists()


@pytest.mark.parametrize(
    "sent", ["swimlane", "watchers", "completed", "id", "date", "state", "li", "name", "titleOfTheCard"]
)
def test_any_other_unknown_field_is_ignored_and_named(as_olga, todo, sent):
    made = as_olga.post(CARDS, json={"listId": str(todo.pk), "title": "Print", sent: "x"})
    assert (made.status_code, made.headers["Ignored-Fields"]) == (201, sent)


def test_an_answer_names_nothing_where_nothing_was_ignored(as_olga, todo):
    body = {"listId": str(todo.pk), "title": "Print", "startDate": "2026-12-01", "labelIds": None}
    assert "Ignored-Fields" not in as_olga.post(CARDS, json=body).headers
    assert "Ignored-Fields" not in as_olga.get(BOARDS).headers


def test_ignored_query_parameters_are_named_too(as_olga, anyone):
    assert as_olga.get(f"{BOARDS}?colour=red&page=2&page=3").headers["Ignored-Fields"] == "colour, page"
    assert as_olga.head("/api/v1/me?verbose").headers["Ignored-Fields"] == "verbose"
    made = as_olga.post(f"{BOARDS}?listId=x", json={"title": "Garden", "colour": "red"})
    assert (made.status_code, made.headers["Ignored-Fields"]) == (201, "colour, listId")
    assert anyone.get("/api/export?format=csv").status_code == 401


def test_a_refused_call_names_what_it_ignored_as_well(as_olga):
    refused = as_olga.post(BOARDS, json={"title": "", "colour": "red"})
    assert is_refused(refused, 400, "title")
    assert refused.headers["Ignored-Fields"] == "colour"


def test_the_device_flow_does_the_same(anyone):
    started = anyone.post(START, json={"scope": "all", "clientName": "laptop"})
    assert (started.status_code, started.headers["Ignored-Fields"]) == (200, "scope")
    assert is_refused(anyone.post(START, json={"client_name": "laptop"}), 400, "clientName")
    polled = anyone.post(POLL, json={"deviceCode": started.json()["deviceCode"], "grant_type": "device"})
    assert (polled.status_code, polled.headers["Ignored-Fields"]) == (202, "grant_type")
    assert is_refused(anyone.post(POLL, json={"device_code": "x"}), 400, "deviceCode")


@pytest.mark.parametrize(
    "sent, told",
    [
        ("a\r\nSet-Cookie: b=c", "a%0D%0ASet-Cookie%3A%20b%3Dc"),
        ("größe", "gr%C3%B6%C3%9Fe"),
        ("a,b", "a%2Cb"),
        ("\ud800", "%3F"),
        ("", '""'),
        ("x" * 61, f"{'x' * 60}..."),
    ],
)
def test_a_name_in_the_header_is_escaped_and_cut(as_olga, sent, told):
    made = as_olga.post(BOARDS, content=json.dumps({"title": "Garden", sent: 1}), headers=JSON)
    assert made.headers["Ignored-Fields"] == told
    assert set(made.headers) - {"ignored-fields"} == set(as_olga.post(BOARDS, json={"title": "Garden"}).headers)


@pytest.mark.parametrize("letter", ["x", "\U0001f600"])
def test_the_header_has_at_most_1000_characters(letter):
    names = [f"{number}{letter * 59}" for number in range(100)]
    header = header_of(names)
    assert len(header) <= 1005
    assert header.endswith(", ...")
    assert header.startswith("0")


def test_very_many_unknown_fields_are_no_trouble(as_olga):
    body = {f"k{number}": number for number in range(50_000)}
    made = as_olga.post(BOARDS, json=body | {"title": "Garden"})
    assert made.status_code == 201
    assert made.headers["Ignored-Fields"].startswith("k0, k1, ")
    assert Board.objects.count() == 1


# Calls beyond the first version


@pytest.mark.parametrize(
    "query",
    ["q=seeds&q=bulbs", "limit=1&limit=2", "dueBefore=2026-12-01&dueBefore=2026-12-02", "sort=due&sort=created"],
)
def test_a_parameter_that_means_one_thing_is_refused_when_it_is_given_twice(as_olga, query):
    name = query.partition("=")[0]
    assert is_refused(as_olga.get(f"{CARDS}?{query}"), 400, f"{name} is given 2 times. Give it once.")


@pytest.mark.parametrize(
    "path", [f"{CARDS}?status=open&status=done&label=1&label=2&assignee=me&assignee=none", f"{BOARDS}?x=1&x=2"]
)
def test_a_parameter_that_may_mean_several_things_or_nothing_may_be_repeated(as_olga, path):
    assert as_olga.get(path).status_code == 200


def test_a_later_call_refuses_query_parameters_and_fields(as_olga):
    assert is_refused(as_olga.delete(f"{TOKEN}?all=1"), 400, "Unknown query parameter 'all'", "takes none")
    assert is_refused(as_olga.request("DELETE", TOKEN, json={"id": "x"}), 400, "Unknown field 'id'", "takes none")
    assert is_refused(as_olga.get("/api/v1/openapi.json?format=yaml"), 400, "format")
    assert as_olga.request("DELETE", TOKEN, json={}).status_code == 204


class LabelIn(serializers.Serializer):
    title = Line(max_length=50)
    color = Line(max_length=50)


class LabelView(AnonymousView):
    def post(self, request):
        return answer(self.validated(LabelIn))


@pytest.mark.parametrize(
    "sent, told",
    [
        ({"colour": "red"}, ["Unknown field 'colour'.", "nearest known one is color"]),
        ({"heading": 1}, ["Unknown field 'heading'.", "This call takes title, color."]),
        ({"a\nb": 1, "c": 1}, ["Unknown field 'a?b'.", "Unknown field 'c'."]),
        ({"x" * 100: 1}, [f"'{'x' * 60}…'"]),
    ],
)
def test_a_later_call_names_every_unknown_field_and_the_nearest_known_one(sent, told):
    body = {"title": "Bug", "color": "red"}
    refused, made = (
        LabelView.as_view()(APIRequestFactory().post("/", {**body, **more}, format="json")) for more in (sent, {})
    )
    assert (refused.status_code, made.status_code) == (400, 200)
    for words in told:
        assert words in json.loads(refused.content)["error"]


# A field given twice


@pytest.mark.parametrize(
    "body",
    [
        '{"title": "First", "title": "Last"}',
        '{"title": "Same", "title": "Same"}',
        '{"title": "Nested", "x": [{"y": {"title": 1, "title": 2}}]}',
        '{"title": "Escaped", "t\\u0069tle": "Same"}',
        '{"title": "Null", "title": null}',
    ],
)
def test_a_field_given_twice_is_refused(as_olga, body):
    assert is_refused(as_olga.post(BOARDS, content=body, headers=JSON), 400, "'title' twice")
    assert not Board.objects.exists()


def test_the_device_flow_refuses_a_field_given_twice(anyone):
    for path, name in ((START, "clientName"), (POLL, "deviceCode")):
        refused = anyone.post(path, content=f'{{"{name}": "a", "{name}": "b"}}', headers=JSON)
        assert is_refused(refused, 400, f"'{name}' twice")
