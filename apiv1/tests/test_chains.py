"""Calls with generated parameters about things that are there, one after another: each answer is as described, whatever
the calls before have done. Schemathesis' own state machine begins each chain anew, which one database does not.
"""

import random
from collections import Counter, defaultdict
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import User
from apiv1.tests.calls import token_of
from apiv1.tests.every_call import CALLS
from boards.tests.world import World

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# What a field of a body names, by the parameter of paths that names the same
FIELDS = {
    "listId": "list_id",
    "boardId": "board_id",
    "checklistId": "checklist_id",
    "labelIds": "label_id",
    "assigneeIds": "user_id",
    "coverAttachmentId": "attachment_id",
}
CHAIN = settings(
    max_examples=250,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],  # what failed cannot be repeated: the calls before have changed the boards
    suppress_health_check=list(HealthCheck),
)
# After these few other calls could do anything; an export is no JSON of ours.
LEFT_OUT = {"archiveBoard", "archiveList", "deleteBoard", "export"}


@pytest.fixture
def world(base_url, unlimited, olga, ed, vera, stan) -> World:
    world = World(olga, ed, vera, stan)
    User.objects.update(plan="pro")
    return world


class Known:
    """The ids that calls can name: those of the world, and of what was made since."""

    def __init__(self, world: World) -> None:
        self.chance = random.Random(0)
        self.ids: defaultdict[str, list[str]] = defaultdict(list)
        for call in CALLS:
            for name, value in call.ids(world).items():
                self.ids[name].append(str(value))

    def name_in(self, case: schemathesis.Case) -> None:
        for name in set(case.path_parameters or {}) & set(self.ids):
            case.path_parameters[name] = self.chance.choice(self.ids[name])
        cards = case.body.get("cards") if isinstance(case.body, dict) else None
        bodies = cards if isinstance(cards, list) else [case.body] if isinstance(case.body, dict) else []
        for body in bodies:
            for field in [field for field in FIELDS if body.get(field) is not None]:
                found = self.chance.choice(self.ids[FIELDS[field]])
                body[field] = [found] if isinstance(body[field], list) else found

    def learn(self, answer: dict[str, Any]) -> None:
        for name, value in answer.items():
            if isinstance(value, dict) and f"{name}_id" in self.ids and "id" in value:
                self.ids[f"{name}_id"].append(value["id"])


@pytest.mark.timeout(300)
def test_calls_one_after_another_are_answered_as_described(many_examples, base_url, world):
    known, statuses = Known(world), Counter()
    schema = schemathesis.openapi.from_url(f"{base_url}/api/v1/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    cases = st.one_of(
        operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        for operation in operations
        if operation.definition.raw["operationId"] not in LEFT_OUT
    )

    @CHAIN
    @given(cases)
    def call(case):
        known.name_in(case)
        for header in ("If-Match", "If-None-Match", "Idempotency-Key"):
            case.headers.pop(header, None)
        (case.query or {}).pop("cursor", None)
        world.olga.tokens.all().delete()  # the call before may have revoked it
        response = case.call_and_validate(headers={"Authorization": f"Bearer {token_of(world.olga)}"}, checks=CHECKS)
        statuses[response.status_code] += 1
        if response.status_code == 201:
            known.learn(response.json())

    call()
    assert statuses[200] + statuses[201] > 80, statuses  # or hardly a call was about something that is there
