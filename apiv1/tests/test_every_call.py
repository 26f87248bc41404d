"""Every REST call, made by everybody there can be: each call x principal has one answer that the table gives."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tokens import create_token
from apiv1.openapi import description
from apiv1.tests.every_call import CALLS, OWN, RestCall
from boards.tests.world import RANK, World, taken_back

WRITES = {"write", "delete"}


@dataclass(frozen=True)
class Principal:
    """Somebody with a token, whose fields are set after it was made. `role` is theirs on the world's board."""

    user: str = "olga"
    role: str = "owner"
    fields: Callable[[World], dict] = lambda world: {}
    is_known: bool = True
    rights: frozenset = frozenset({"read", "write", "delete", "narrow"})
    sees_the_board: bool = True
    is_of_all_boards: bool = True


PRINCIPALS = {
    "nobody": Principal(user="", is_known=False),
    "stranger": Principal("stan", ""),
    "viewer": Principal("vera", "viewer"),
    "editor": Principal("ed", "editor"),
    "owner": Principal(),
    "read-only": Principal(fields=lambda w: {"access": "read"}, rights=frozenset({"read", "narrow"})),
    "other boards": Principal(
        fields=lambda w: {"board_ids": [str(w.garden.pk)]}, sees_the_board=False, is_of_all_boards=False
    ),
    "this board": Principal(fields=lambda w: {"board_ids": [str(w.board.pk), str(w.attic.pk)]}, is_of_all_boards=False),
    "no deletes": Principal(fields=lambda w: {"deletes": False}, rights=frozenset({"read", "write", "narrow"})),
    "expired": Principal(fields=lambda w: {"expires_at": timezone.now()}, is_known=False),
    "revoked": Principal(fields=lambda w: {"revoked_at": timezone.now()}, is_known=False),
    "deactivated": Principal(is_known=False),
}


@pytest.fixture
def world(settings, olga: User, ed: User, vera: User, stan: User) -> World:
    settings.LIMITS = None
    world = World(olga, ed, vera, stan)
    User.objects.update(plan="pro")
    return world


def client_of(name: str, world: World) -> Client:
    principal = PRINCIPALS[name]
    if not principal.user:
        return Client()
    token, value = create_token(User.objects.get(pk=getattr(world, principal.user).pk), "Script")
    if fields := principal.fields(world):
        ApiToken.objects.filter(pk=token.pk).update(**fields)
    if name == "deactivated":
        User.objects.filter(pk=world.olga.pk).update(is_active=False)
    return Client(headers={"Authorization": f"Bearer {value}"})


def expected(call: RestCall, principal: Principal) -> set[int]:
    """Return the statuses that are right: one, except where a call succeeds, whose statuses other tests hold."""
    if not principal.is_known:
        return {401}
    if call.role != OWN and not (principal.sees_the_board and principal.role):
        return {403, 404} if call.name == "POST /api/v1/cards" and principal.sees_the_board else {404}
    if call.role != OWN and RANK[principal.role] < RANK[call.role]:
        return {403}
    if call.right not in principal.rights:
        return {403}
    if call.all_boards and not principal.is_of_all_boards:
        return {403}
    return {200, 201, 204}


def send(call: RestCall, world: World, client: Client):
    path = call.path(world)
    if call.name.endswith("/attachments") and call.method == "POST":
        return client.post(path, {"file": SimpleUploadedFile("new.txt", b"text")})
    body = call.body(world)
    if body is None:
        return client.generic(call.method, path)
    return client.generic(call.method, path, json.dumps(body), content_type="application/json")


def test_the_table_has_a_row_for_every_call():
    paths = json.loads(description())["paths"]
    described = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    without_token = {"POST /api/v1/cli/auth", "POST /api/v1/cli/auth/token"}
    elsewhere = {"GET /api/export"}  # exporter/tests/test_endpoint.py
    assert {call.name for call in CALLS} == described - without_token - elsewhere
    assert len(CALLS) == len({call.name for call in CALLS})


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("name", PRINCIPALS)
def test_everybody_gets_what_the_table_says(world, name):
    client, wrong = client_of(name, world), {}
    for call in CALLS:
        with taken_back():
            answer = send(call, world, client)
            if answer.streaming:
                list(answer.streaming_content)
        if answer.status_code not in expected(call, PRINCIPALS[name]):
            wrong[call.name] = (answer.status_code, b"" if answer.streaming else answer.content[:200])
    assert wrong == {}
