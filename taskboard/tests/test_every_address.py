"""Every address of the service, each of its methods, called by everybody there can be."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from itertools import product
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tokens import create_token
from boards.tests.world import RANK, World, may, taken_back
from conftest import person
from core.http.calls import is_call
from core.measures import Measure
from taskboard.tests.every_address import METHODS, ROWS, Audience, Call, addresses, calls
from web.tests.browsing import copy_of
from web.tests.test_permissions import CASES


class Outcome(Enum):
    SERVED = "served"
    WHO_ARE_YOU = "who are you?"
    NOT_ALLOWED = "not allowed"
    NOT_THERE = "not there"
    CRASHED = "crashed"


@dataclass(frozen=True)
class Principal:
    """Somebody who calls. `role` is that on the world's board, empty without a live session."""

    client: Callable[[World], Client]
    user: str = "olga"
    role: str = ""
    has_live_token: bool = False
    is_operator: bool = False


def signed_in(name: str) -> Callable[[World], Client]:
    def client(world: World) -> Client:
        client = Client()
        client.force_login(getattr(world, name))
        return client

    return client


def with_token(**fields: Any) -> Callable[[World], Client]:
    def client(world: World) -> Client:
        token, value = create_token(world.olga, "script")
        ApiToken.objects.filter(pk=token.pk).update(**{name: find() for name, find in fields.items()})
        return Client(headers={"Authorization": f"Bearer {value}"})

    return client


def signed_out_elsewhere(world: World) -> Client:
    client = signed_in("olga")(world)
    Session.objects.all().delete()
    return client


def expired(world: World) -> Client:
    client = signed_in("olga")(world)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    return client


def deactivated(client: Callable[[World], Client]) -> Callable[[World], Client]:
    def deactivated_client(world: World) -> Client:
        made = client(world)
        User.objects.filter(pk=world.olga.pk).update(is_active=False)
        return made

    return deactivated_client


PRINCIPALS = {
    "anonymous": Principal(lambda world: Client()),
    "signed out elsewhere": Principal(signed_out_elsewhere),
    "expired session": Principal(expired),
    "deactivated": Principal(deactivated(signed_in("olga"))),
    "stranger": Principal(signed_in("nora"), "nora", "stranger"),
    "former member": Principal(signed_in("stan"), "stan", "stranger"),
    "viewer": Principal(signed_in("vera"), "vera", "viewer"),
    "invited": Principal(signed_in("gina"), "gina", "guest"),
    "receiver of an offer": Principal(signed_in("hugo"), "hugo", "heir"),
    "editor": Principal(signed_in("ed"), "ed", "editor"),
    "owner": Principal(signed_in("olga"), "olga", "owner"),
    "operator": Principal(signed_in("otto"), "otto", "stranger", is_operator=True),
    "holder of a public link": Principal(lambda w: Client(headers={"Authorization": f"Bearer {w.link.key}"})),
    "live token": Principal(with_token(), has_live_token=True),
    "revoked token": Principal(with_token(revoked_at=timezone.now)),
    "expired token": Principal(with_token(expires_at=timezone.now)),
    "token of a deactivated account": Principal(deactivated(with_token())),
}


class Silent:
    """A recorder that keeps nothing."""

    def add(self, *args: Any) -> None:
        pass

    observe = add


@pytest.fixture
def crowd(every_address, settings, monkeypatch, olga: User, ed: User, vera: User, stan: User, otto: User) -> World:
    """The world, with a stranger who was never a member and an operator, and accounts that may hold many tokens."""
    settings.LIMITS = None  # a crowd of one address
    settings.METRICS, settings.METRICS_TOKEN = "token", "of the monitoring"
    monkeypatch.setattr(Measure, "recorder", Silent())
    world = World(olga, ed, vera, stan)
    world.nora, world.otto = person("nora"), otto  # type: ignore[attr-defined]
    world.comments |= dict.fromkeys((world.nora, world.otto), world.comments[olga])  # type: ignore[attr-defined]
    User.objects.update(plan="pro")
    for user in (olga, ed, vera, stan, otto, world.nora):  # type: ignore[attr-defined]
        user.refresh_from_db()
    return world


def test_the_table_has_a_row_for_every_address():
    assert set(addresses()) == {row.name for row in ROWS} | {case.name for case in CASES}


def test_the_table_has_a_row_for_every_method_of_every_address(crowd):
    """Whatever is not answered with 405 is a method that somebody can use."""
    taken = set()
    known = {(call.name, call.method): call for call in calls(crowd, crowd.olga)}
    by_name = {name: call for (name, _method), call in known.items() if not name.startswith("admin:")}
    script, browser = (PRINCIPALS[name].client(crowd) for name in ("live token", "owner"))
    for call, method in product(by_name.values(), METHODS):
        with taken_back():
            answer = copy_of(script if call.audience is Audience.TOKEN else browser).generic(method, call.path)
            read_to_its_end(answer)
        if answer.status_code != 405:
            taken.add((call.name, method))
    assert taken == {key for key in known if not key[0].startswith("admin:")}


UNGUARDED = {
    "public_unlocking",  # it gives whoever knows a password a cookie, and changes nothing
    "invitation_stop",  # mail programs send it by themselves, and the signed key in its address is the proof
    "notification_mails",  # likewise
}


def test_no_form_of_another_site_is_taken(crowd):
    client = Client(enforce_csrf_checks=True)
    client.force_login(crowd.olga)
    forms = [one for one in calls(crowd, crowd.olga) if one.method == "POST" and not is_call(one.path)]
    assert len(forms) > 50
    assert {form.name for form in forms if client.post(form.path, form.body).status_code != 403} == UNGUARDED


@pytest.mark.parametrize("name", PRINCIPALS)
def test_everybody_gets_what_the_table_says(crowd, name):
    principal, wrong = PRINCIPALS[name], {}
    known = list(calls(crowd, getattr(crowd, principal.user)))  # before the client, whose account may be deactivated
    client = principal.client(crowd)
    at_the_admin = sign_in_to_the_admin(client)
    for call in known:
        with taken_back():
            answer = send(call, copy_of(client))
            answer = at_the_admin if answer.headers.get("Location", "").startswith("/admin/login/?") else answer
            read_to_its_end(answer)
        if outcome(answer) not in allowed(call, principal):
            wrong[str(call)] = (answer.status_code, answer.headers.get("Location"))
    assert wrong == {}


def read_to_its_end(answer: Any) -> None:
    """Let a stream close its files."""
    if answer.streaming:
        list(answer.streaming_content)


def send(call: Call, client: Client) -> Any:
    if call.is_json:
        return client.generic(call.method, call.path, json.dumps(call.body), content_type="application/json")
    return client.post(call.path, call.body) if call.method == "POST" else client.generic(call.method, call.path)


def sign_in_to_the_admin(client: Client) -> Any:
    """Return the answer to which each page of the admin redirects those whom it does not let in."""
    return copy_of(client).get("/admin/login/?next=/admin/")


def allowed(call: Call, principal: Principal) -> set[Outcome]:
    role = principal.role
    match call.audience:
        case Audience.ANYONE:
            return {Outcome.SERVED, Outcome.NOT_THERE}
        case Audience.ENTERING:
            return {Outcome.SERVED, Outcome.WHO_ARE_YOU}
        case Audience.TOKEN:
            return {Outcome.SERVED if principal.has_live_token else Outcome.WHO_ARE_YOU}
        case Audience.MONITORING:
            return {Outcome.WHO_ARE_YOU}
        case Audience.EITHER if principal.has_live_token:
            return {Outcome.SERVED}
        case _ if not role:
            return {Outcome.WHO_ARE_YOU}
        case Audience.SIGNED_IN | Audience.EITHER:
            return {Outcome.SERVED}
        case Audience.OPERATOR:  # whose pages show rows, and let some of them be neither added nor changed
            served = {Outcome.SERVED, Outcome.NOT_THERE, Outcome.NOT_ALLOWED}
            return served if principal.is_operator else {Outcome.NOT_ALLOWED}
        case str(needs) if may(role, needs):
            return {Outcome.SERVED}
        case str(needs) if RANK[role] == 0 or RANK[needs] <= RANK[role]:
            return {Outcome.NOT_THERE}
    return {Outcome.NOT_ALLOWED}


def outcome(answer: Any) -> Outcome:
    to = answer.headers.get("Location", "")
    match answer.status_code:
        case 401:
            return Outcome.WHO_ARE_YOU
        case 302 if to.startswith("/sign-in"):
            return Outcome.WHO_ARE_YOU
        case 403:
            return Outcome.NOT_ALLOWED
        case 404:
            return Outcome.NOT_THERE
        case status if status < 500:
            return Outcome.SERVED
    return Outcome.CRASHED
