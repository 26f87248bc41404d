"""Steps of tests with a second factor. Import the fixtures into a test file to use them."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User
from accounts.sign_in.factors.adapter import STORED
from accounts.sign_in.factors.codes import shown_codes
from accounts.tests.conftest import sign_in
from taskboard.tests.authenticator import Device, code_of

APP, PASSKEY = "/settings/security/app", "/settings/security/passkeys/new"
STEP = "/sign-in/second-step"
HERE = "localhost"  # passkeys work there, and not at "testserver"


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """Stop the clock in the middle of a period of codes."""
    with time_machine.travel("2026-05-04 12:00:15Z", tick=False) as clock:
        yield clock


@pytest.fixture
def secret(page: Client, clock: time_machine.Traveller) -> str:
    """Olga's app, set up a minute ago."""
    secret, _answer = add_app(page)
    clock.shift(90)
    return secret


def hidden(answer: Any, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', answer.text)
    assert found, answer.text
    return found[1]


def options_in(answer: Any, name: str = "get") -> dict[str, Any]:
    found = re.search(rf'data-{name}="([^"]*)"', answer.text)
    assert found, answer.text
    return json.loads(found[1].replace("&quot;", '"'))


def add_app(page: Client) -> tuple[str, Any]:
    """Set up an app on the pages. Return its secret and the answer, which may have recovery codes."""
    shown = page.post(APP)
    key = hidden(shown, "key")
    secret = re.search(r'id="app-secret">([^<]+)<', shown.text)[1].replace(" ", "")
    return secret, page.post(APP, {"key": key, "code": code_of(secret)})


def add_passkey(page: Client, name: str = "laptop", device: Device | None = None) -> Device:
    device = device or Device()
    shown = page.post(PASSKEY, headers={"host": HERE})
    credential = device.create(options_in(shown, "create"))
    answer = page.post(PASSKEY, {"name": name, "credential": credential}, headers={"host": HERE})
    assert Authenticator.objects.filter(type="webauthn").exists(), answer.text
    return device


def codes_of(user: User) -> list[str]:
    return shown_codes(Authenticator.objects.get(user=user, type="recovery_codes"))


def secret_of(user: User) -> str:
    return STORED.decrypt(Authenticator.objects.get(user=user, type="totp").data["secret"])


def at_second_step(email: str, client: Client | None = None, **more: str) -> Client:
    """Return a browser in which the password was right and the second step is asked for."""
    client = client or Client()
    answer = sign_in(client, email, **more)
    assert answer["Location"] == STEP
    return client
