"""Stands in for what people sign in with: an authenticator app, and a device that keeps passkeys."""

import base64
import hashlib
import hmac
import json
import secrets
import struct
import time
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode

UP, UV, AT = 1, 4, 64  # flags: somebody is present, has shown who they are; a new key is in the data


def code_of(secret: str, at: float | None = None) -> str:
    """Return the code that an app shows (RFC 6238), by an implementation of its own."""
    step = int(time.time() if at is None else at) // 30
    digest = hmac.new(base64.b32decode(secret.replace(" ", "")), struct.pack(">Q", step), hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place : place + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


class Device:
    """A device with one passkey, as the options of our pages ask for it."""

    def __init__(self, origin: str = "http://localhost", *, verifies: bool = True) -> None:
        self.origin, self.flags = origin, UP | (UV if verifies else 0)
        self.id, self.key = secrets.token_bytes(16), ec.generate_private_key(ec.SECP256R1())
        self.user = ""

    def create(self, options: dict[str, Any]) -> str:
        self.user = options["user"]["id"]
        public = cbor.encode(dict(ES256.from_cryptography_key(self.key.public_key())))
        new_key = bytes(16) + struct.pack(">H", len(self.id)) + self.id + public
        data = self._data(options["rp"]["id"], AT) + new_key
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", options["challenge"])
        return self._answer(clientDataJSON=client_data, attestationObject=attestation)

    def get(self, options: dict[str, Any], *, user: str | None = None) -> str:
        data = self._data(options["rpId"])
        client_data = self._client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(SHA256()))
        handle = websafe_decode(self.user if user is None else user)
        return self._answer(clientDataJSON=client_data, authenticatorData=data, signature=signature, userHandle=handle)

    def _data(self, host: str, more: int = 0) -> bytes:
        return hashlib.sha256(host.encode()).digest() + struct.pack(">BI", self.flags | more, 0)

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _answer(self, **response: bytes) -> str:
        own = websafe_encode(self.id)
        coded = {name: websafe_encode(value) for name, value in response.items()}
        return json.dumps({"id": own, "rawId": own, "type": "public-key", "response": coded})
