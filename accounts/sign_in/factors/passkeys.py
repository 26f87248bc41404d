"""Passkeys (WebAuthn): the options for a browser, and the check of its answer. The rows are allauth.mfa's. The
ceremonies are called directly from fido2: exactly our own origin is accepted, not its subdomains too, and the challenge
of one purpose serves no other.
"""

import json
import time
from enum import StrEnum
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import UUID

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils import timezone
from fido2.server import Fido2Server
from fido2.utils import websafe_decode
from fido2.webauthn import (
    AttestedCredentialData,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from accounts.sign_in.factors import signed_challenge
from accounts.sign_in.factors.held import Type

if TYPE_CHECKING:
    from django.contrib.auth.models import _User

LONGEST = 20_000  # characters of a browser's answer; a usual one has 2,000
CHALLENGE_LASTS = signed_challenge.LASTS
NAME = "Taskboard"
LOOPBACK = ("127.0.0.1", "::1")


class PasskeyPurpose(StrEnum):
    ADD = "add"
    SIGN_IN = "sign-in"
    SECOND_STEP = "second-step"
    CONFIRM = "confirm"


class PasskeyRefused(Exception):
    """The browser's answer failed a check."""


def can_be_used(request: HttpRequest) -> bool:
    """Return whether browsers offer passkeys at this address: a name, by https, or this very machine as localhost."""
    host = _host(request)
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return _origin(request).startswith("https:") or host == "localhost"
    return False


def address_with_passkeys(request: HttpRequest) -> str:
    """Return this machine's address as browsers offer passkeys at it; "" unless it is asked for by a number now."""
    if can_be_used(request) or _host(request) not in LOOPBACK or not {"localhost", "*"} & {*settings.ALLOWED_HOSTS}:
        return ""
    _domain, port = split_domain_port(request.get_host())  # the port as it is written, which may be too large for one
    return "http://localhost" if port in ("", "80") else f"http://localhost:{port}"


def options_to_add(request: HttpRequest, user: "_User", held: list[Authenticator]) -> dict[str, Any]:
    options, state = _server(request).register_begin(
        PublicKeyCredentialUserEntity(name=user.email, id=user.pk.bytes, display_name=user.display_name),
        credentials=[_credential(one) for one in held],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    _remember(request, PasskeyPurpose.ADD, state, user)
    return _as_json(options)


def read_new(request: HttpRequest, user: "_User", answer: str) -> dict[str, Any]:
    """Return the registration to keep. Raise PasskeyRefused."""
    state = _recall(request, PasskeyPurpose.ADD, user)
    credential = _parsed(answer)
    try:
        _server(request).register_complete(state, credential)
        response = credential["response"]
        kept = {name: response[name] for name in ("clientDataJSON", "attestationObject")}
        return {name: credential[name] for name in ("id", "rawId", "type")} | {"response": kept}
    except Exception as error:  # whatever libraries raise on bytes that a stranger may have made
        raise PasskeyRefused from error


def options_to_sign_in(request: HttpRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return options that name no passkey, so that they tell nothing, and the state to compare the answer with.

    The browser offers the passkeys that it has.
    """
    options, state = _server(request).authenticate_begin(user_verification=UserVerificationRequirement.REQUIRED)
    return _as_json(options), state


def options_for(
    request: HttpRequest, purpose: PasskeyPurpose, user: "_User", held: list[Authenticator]
) -> dict[str, Any]:
    """Return options to confirm with one of these passkeys."""
    options, state = _server(request).authenticate_begin(
        [_credential(one) for one in held], user_verification=UserVerificationRequirement.PREFERRED
    )
    _remember(request, purpose, state, user)
    return _as_json(options)


def user_named_in(answer: str) -> UUID:
    """Return the id of the account that the browser claims. Nothing of it is checked yet. Raise PasskeyRefused."""
    try:
        return UUID(bytes=websafe_decode(_parsed(answer)["response"]["userHandle"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PasskeyRefused from error


def use_passkey(request: HttpRequest, purpose: PasskeyPurpose, user: "_User | None", answer: str) -> Authenticator:
    """Return the user's passkey that signed our challenge, its use noted. Raise PasskeyRefused."""
    state = signed_challenge.read(request) if purpose is PasskeyPurpose.SIGN_IN else _recall(request, purpose, user)
    if user is None or state is None:
        raise PasskeyRefused
    held = {one.pk: one for one in Authenticator.objects.filter(user_id=user.pk, type=Type.WEBAUTHN)}
    try:
        credentials = {pk: _credential(one) for pk, one in held.items()}
        used = _server(request).authenticate_complete(state, [*credentials.values()], _parsed(answer))
        [pk] = [pk for pk, one in credentials.items() if one.credential_id == used.credential_id]
    except Exception as error:  # whatever libraries raise on bytes that a stranger may have made
        raise PasskeyRefused from error
    if purpose is PasskeyPurpose.SIGN_IN and not signed_challenge.spend(state):
        raise PasskeyRefused
    Authenticator.objects.filter(pk=pk).update(last_used_at=timezone.now())
    return held[pk]


def _credential(authenticator: Authenticator) -> AttestedCredentialData:
    registration = RegistrationResponse.from_dict(authenticator.data["credential"])
    data = registration.response.attestation_object.auth_data.credential_data
    assert data is not None  # noqa: S101  # fido2 refuses to register one without
    return data


def _server(request: HttpRequest) -> Fido2Server:
    origin = _origin(request)
    entity = PublicKeyCredentialRpEntity(name=NAME, id=_host(request))
    return Fido2Server(entity, verify_origin=lambda told: told == origin)


def _origin(request: HttpRequest) -> str:
    """Return the origin that people see. A proxy that is not counted as trusted hides the scheme, not the host."""
    own = urlsplit(settings.BASE_URL)
    return settings.BASE_URL if request.get_host() == own.netloc else f"{request.scheme}://{request.get_host()}"


def _host(request: HttpRequest) -> str:
    return urlsplit(f"//{request.get_host()}").hostname or ""


def _remember(request: HttpRequest, purpose: PasskeyPurpose, state: dict[str, Any], user: "_User | None") -> None:
    request.session[f"passkey {purpose}"] = {**state, "for": str(user.pk) if user else "", "at": int(time.time())}


def _recall(request: HttpRequest, purpose: PasskeyPurpose, user: "_User | None") -> dict[str, Any]:
    """Return the remembered challenge, once. Raise PasskeyRefused."""
    state = request.session.pop(f"passkey {purpose}", None)
    if state is None or state["for"] != (str(user.pk) if user else "") or time.time() - state["at"] > CHALLENGE_LASTS:
        raise PasskeyRefused
    return state


def _parsed(answer: str) -> dict[str, Any]:
    if len(answer) > LONGEST:
        raise PasskeyRefused
    try:
        credential = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise PasskeyRefused from error
    if not isinstance(credential, dict):
        raise PasskeyRefused
    return credential


def _as_json(options: Any) -> dict[str, Any]:
    return json.loads(json.dumps(dict(options), default=dict))["publicKey"]
