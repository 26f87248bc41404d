"""Calls never crash, whatever JSON is sent, and make either the whole change or none of it."""

import json
from datetime import datetime
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apiv1.models import KeptAnswer
from boards.models import Activity, Board, Card, Label, List, Membership

MANY = settings(
    max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
any_text = st.text(st.characters(exclude_categories=()), max_size=40)  # lone surrogates as well
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=8,
)
good_text = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=30)
signs = ["# ", "- ", "- [ ] ", "1. ", "> ", "**", "`", "```\n", "[", "](", ")", "\n", "\n\n", "    ", "<b>"]
markdown = st.lists(st.sampled_from(signs) | good_text, max_size=25).map("".join)
titles = good_text.map("x{}".format)
dates = st.datetimes(datetime(1971, 1, 1), datetime(9998, 1, 1)).map(datetime.isoformat)


def of(**fields):
    """Draw objects with valid fields, some of them replaced by any value or left out; now and then no object at all."""
    good = st.fixed_dictionaries(fields)
    spoilt = st.fixed_dictionaries({}, optional={name: values | any_json for name, values in fields.items()})
    return good | spoilt | any_json


def rows():
    return {
        model.__name__: model.objects.count() for model in (Board, Membership, List, Label, Card, Activity, KeptAnswer)
    }


def post(client, path, body, keyed):
    headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": str(uuid4())} if keyed else {})
    return client.post(path, content=json.dumps(body), headers=headers)


def test_any_body_makes_one_card_or_changes_nothing(as_olga, unlimited, board, todo):
    @MANY
    @given(
        of(
            title=titles,
            listId=st.just(str(todo.pk)),
            boardId=st.just(str(board.pk)),
            description=markdown,
            dueDate=dates,
        ),
        st.booleans(),
    )
    def hold(body, keyed):
        before = rows()
        answer = post(as_olga, "/api/v1/cards", body, keyed)
        if answer.status_code == 201:
            before |= {name: before[name] + 1 for name in ("Card", "Activity", *(["KeptAnswer"] if keyed else []))}
            assert answer.json()["card"]["dueDate"] == body.get("dueDate")
        else:
            assert answer.status_code in (400, 404)
            assert list(answer.json()) == ["error"]
        assert rows() == before

    hold()
    assert Card.objects.count() > 10, "some of them are good"


def test_any_body_makes_one_board_or_changes_nothing(as_paula, unlimited):
    templates = st.sampled_from(["blank", "kanban", "content", "personal"])

    @MANY
    @given(of(title=titles, template=templates), st.booleans())
    def hold(body, keyed):
        before = rows()
        answer = post(as_paula, "/api/v1/boards", body, keyed)
        if answer.status_code == 201:
            assert Board.objects.get(pk=answer.json()["board"]["id"]).title == answer.json()["board"]["title"]
            assert rows()["Board"] == before["Board"] + 1
        else:
            assert answer.status_code == 400
            assert rows() == before

    hold()
    assert Board.objects.count() > 10, "some of them are good"


@pytest.mark.parametrize("path", ["/api/v1/boards", "/api/v1/cards"])
def test_any_bytes_are_refused_with_a_sentence(as_olga, unlimited, path):
    @MANY
    @given(st.binary(max_size=60) | any_json.map(json.dumps).map(str.encode))
    def hold(content):
        before = rows()
        answer = as_olga.post(path, content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400
        assert list(answer.json()) == ["error"]
        assert rows() == before

    hold()
